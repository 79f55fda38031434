#!/usr/bin/env bash
# tests/rows/rows_explain.sh ROOT BATON - rows 38-42: the evidence log, and why a session may not change files.
. "$(dirname "$0")/lib.sh"
fixture

row 38 'baton log --jsonl | head -1 | jq -e .chain_ok; baton log | grep -m1 TIME' 'true TIME.* SEQ.* GATE.* OUTCOME.* SIGNATURE.*'
row 38 'baton log --json | jq -r .entries[].signature | sort | uniq -c' '17 ok'
row 38 'sed -i "2s/\"seq\":2/\"seq\":2 /" .adlc/manifest.jsonl; sed -i "3s/T-1/T-9/" .adlc/manifest.jsonl; baton log --json |
  jq -c ".entries[] | select(.file == \"manifest.jsonl\") | [.seq, .chain_ok]"; baton verify > /dev/null 2>&1; echo "rc $?"' \
  '.*\[3,false\].*\[1,true\] rc 2'
fixture
row 38 'B; K e; see "context-handoff-bypass"; S | grep -oE "chain(s)? ok|chain .* ok" | head -1; see "SIGNATURE|SIG"; K f;
  see follow' '.*ok'
row 39 'baton log --json | jq -r .entries[].outcome | grep -c ABORTED; see ABORTED; S | grep -oE "99ff88ee .*ABORTED" |
  grep -o ABORTED' '1 ABORTED'

row 40 'baton why 7f3a91c2-auth --json | jq -r .reasons[]; baton why 7f3a91c2-auth > /dev/null; echo "rc $?"' \
  'D2:denier_session D3:unauthorized_open:7f3a91c2-auth .*capture_tamper:c0de4471:content_hash mismatch rc 2'
# The gate itself, asked by a harness, gives the same reasons: every session of the sample and of three altered ledgers.
told() { # SESSION: what the hook answers
  printf '{"session_id":"%s","tool_name":"Edit","cwd":"%s","tool_input":{"file_path":"a.c"}}' "$1" "$PWD" |
    ADLC_CONTEXT_ROT_HANDOFF_ENABLED=1 baton hook pre-tool 2> /dev/null | jq -r '.hookSpecificOutput.permissionDecisionReason // ""' | sed -n 's/^  \([a-zA-Z0-9_]*:.*\)/\1/p' | sort
}
alter() { # N: one of four ledgers
  case $1 in
    1) rm "$H/denies/7f3a91c2-auth.json" ;;
    2) rm "$H"/denies/*; echo '{"schema":1,"sessions":[]}' > .adlc/.deny-store ;;
    3) rm -r "$H/denies" ;;
  esac
}
same_reasons() {
  local session n agreed=0 asked=0
  for n in 0 1 2 3; do
    fixture; cd "$FIX" || return; alter $n
    for session in 7f3a91c2-auth a81f3c55 e4419d02 12ab34cd 91ab77e0 nobody; do
      asked=$((asked + 1))
      baton why $session --path a.c --json | jq -r '.reasons[]' | sort > "$work/why"
      cp -a "$FIX" "$work/copy" && (cd "$work/copy" && told $session > "$work/gate"); rm -rf "$work/copy"
      if cmp -s "$work/why" "$work/gate"; then agreed=$((agreed + 1)); else echo "$n $session differs: $(diff "$work/why" "$work/gate" | tr '\n' ' ')"; fi
    done
  done
  echo "$agreed of $asked"
}
row 40 same_reasons '24 of 24'
fixture
row 40 'B; pick 7f3a91c2-auth; K w; see "ANSWER +NO"; S | grep -oE "D1 +UNKNOWN|D0 +pass|D3 +REFUSE" | sort -u;
  K j j j j j j j j j G; see "DOES NOT HELP"' 'D0 pass D1 UNKNOWN D3 REFUSE'
row 41 'others=$(baton list --json | jq ".sessions | length - 1"); blocks=$(baton why 7f3a91c2-auth --json | jq .blocks);
  echo "$blocks"; [ "$blocks" = "$others" ] && echo all the others' '[0-9]+ all the others'
row 42 'baton why --json | jq -r ".rules[] | select(.id == \"D1\").verdict"; baton why a81f3c55 --json |
  jq -r ".rules[] | select(.id == \"D1\").verdict"' 'unknown unknown'
finish
