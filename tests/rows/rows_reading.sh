#!/usr/bin/env bash
# tests/rows/rows_reading.sh ROOT BATON - rows 1-17: what is known about each session, from the ledger and the transcripts.
. "$(dirname "$0")/lib.sh"
fixture

row 1 'baton list --json | jq -r .sessions[].state | head -3' 'BLOCKED BLOCKED BLOCKED'
row 1 'baton list --json | jq -r .sessions[].state | uniq' 'BLOCKED STALE-LOCK FOREIGN READY WARN RUN IDLE DONE'
row 2 'ENV=NO_COLOR=1 B; S | grep -oE "! BLOCKED|x STALE-LOCK|~ FOREIGN" | sort -u; SE | grep -cE $'"'\\e\\\\[([0-9]+;)*[34][0-7]'" \
  '! BLOCKED x STALE-LOCK ~ FOREIGN 0'
totals() { S | sed -n 2p | grep -oE "(BLOCKED|STALE-LOCK|FOREIGN|READY|WARN|RUN|IDLE|DONE) +[0-9]+" | tr -s ' '; }
counted() { baton list --json | jq -r '.sessions | group_by(.state)[] | "\(.[0].state) \(length)"'; }
as_counted() { [ "$(totals | sort)" = "$(counted | sort)" ]; }
row 3 'B; soon as_counted; totals' '(BLOCKED [0-9]+ STALE-LOCK [0-9]+ FOREIGN 1 READY [0-9]+ .*)'
row 7 'S | grep -oE "CONTEXT USED"; baton list | head -1 | grep -o USED' 'CONTEXT USED USED'

# ---- transcripts: a folder of Claude Code for this repository ----
projects=$HOME/.claude/projects/$(printf %s "$FIX" | tr -c 'A-Za-z0-9' -)
mkdir -p "$projects"
turn() { # SESSION REQUEST INPUT READ CREATED [MORE]: one reply
  printf '{"type":"assistant","sessionId":"%s","cwd":"%s","requestId":"%s","uuid":"%s","timestamp":"%s",%s"message":{"id":"m-%s","role":"assistant","model":"claude-opus-4-6","stop_reason":"end_turn","content":[{"type":"text","text":"ok"}],"usage":{"input_tokens":%s,"cache_read_input_tokens":%s,"cache_creation_input_tokens":%s,"output_tokens":0}}}\n' \
    "$1" "$FIX" "$2" "$RANDOM$RANDOM" "$(date -u +%FT%T.000Z)" "${6:-}" "$2" "$3" "$4" "$5" >> "$projects/$1.jsonl"
}
asked() { printf '{"type":"user","sessionId":"%s","cwd":"%s","timestamp":"%s","message":{"role":"user","content":"go"}}\n' "$1" "$FIX" "$(date -u +%FT%T.000Z)" >> "$projects/$1.jsonl"; }
calls() { # SESSION COUNT: so many tool calls
  local i
  for i in $(seq "$2"); do printf '{"type":"assistant","sessionId":"%s","cwd":"%s","message":{"id":"c%s","content":[{"type":"tool_use","id":"t%s","name":"Bash"}]}}\n' "$1" "$FIX" "$i" "$i"; done >> "$projects/$1.jsonl"
}
asked s1; turn s1 r1 1000 2000 3000; turn s1 r2 100 90000 7900
row 4 'baton show s1 --json | jq -c ".context | .used_tokens, .window_tokens, .source, .window_source"' \
  '98000 200000 "transcript" "default"'
# The last reply is in the file twice (one message in two records), a side chain with a larger one follows: 20 + 40000 + 980.
asked s2; turn s2 r1 9 50000 9; turn s2 r2 20 40000 980; turn s2 r2 20 40000 980; turn s2 r3 5 150000 5 '"isSidechain":true,'
row 5 'baton show s2 --json | jq .context.used_tokens' 41000
row 6 'baton show sess-1 --json | jq .context.used_pct; B; S | grep -E "sess-1 .*\?" | grep -oF "?" | head -1' 'null \?'

# ---- bands: each inclusive edge, and which signal it was. Bytes are shown and never a band: those limits were never calibrated
# and the other program fills them no more (spec/transcripts.md 4.1), so a size on either side of them is the same band.
for percent in 49 50 59 60 79 80; do asked "p$percent"; turn "p$percent" r 0 $((percent * 2000)) 0; done
row 8 'for p in 49 50 59 60 79 80; do baton show p$p --json | jq -r "[.band, .band_by] | join(\" \")"; done' \
  'ok depth WARN fill WARN fill HANDOFF fill HANDOFF fill HARD fill'
for depth in 19 20 29 30 39 40; do asked "d$depth"; calls "d$depth" $depth; done
row 8 'for d in 19 20 29 30 39 40; do baton show d$d --json | jq -r "[.band, .band_by] | join(\" \")"; done' \
  'ok depth WARN depth WARN depth HANDOFF depth HANDOFF depth HARD depth'
for size in 131071 131072 262144; do
  asked "b$size"; turn "b$size" r 1000 0 0
  printf '%*s\n' $((size - 1 - $(wc -c < "$projects/b$size.jsonl"))) '' >> "$projects/b$size.jsonl"
done
row 8 'for b in 131071 131072 262144; do wc -c < "$projects/b$b.jsonl"; baton show b$b --json | jq -r .band; done' \
  '131071 ok 131072 ok 262144 ok'
row 8 '"$(dirname "$baton")/run_vectors" "$root/tests/vectors" --area bands | tail -1' '[0-9]+ passed, 0 failed, 0 skipped'
# A signal that is no number counts as HARD; so does a count that cannot be made, which then denies.
row 9 '"$(dirname "$baton")/run_vectors" "$root/tests/vectors" --area bands --case "numeric string" | tail -1' \
  '3 passed, 0 failed, 0 skipped'
ln -s loop.jsonl "$work/loop.jsonl" && mkdir -p "$work/hooked/.adlc"
call() { printf '{"session_id":"%s","tool_name":"Edit","cwd":"%s","tool_input":{"file_path":"a"},"transcript_path":"%s"}' "$1" "$work/hooked" "$2"; }
row 9 'cd "$work/hooked"; call s9 "$work/loop.jsonl" | ADLC_CONTEXT_ROT_HANDOFF_ENABLED=1 baton hook pre-tool 2> /dev/null |
  jq -r .hookSpecificOutput.permissionDecision' deny

for n in 1 2; do
  printf '{"type":"system","subtype":"compact_boundary","uuid":"b%s","sessionId":"s1","timestamp":"2026-01-0%sT00:00:00.000Z","compactMetadata":{"trigger":"auto","preTokens":167123,"postTokens":9000}}\n' $n $n >> "$projects/s1.jsonl"
  turn s1 "after$n" 1 2 3
done
row 10 'baton show s1 --json | jq -c "[.compactions.count, .compactions.last]"' '\[2,"2026-01-02T00:00:00.000Z"\]'

# ---- the ledger's records ----
row 11 'baton denies --json | jq -r ".denies[] | [.id, .class] | join(\"=\")"' \
  '12ab34cd=consumed 66ff0b12=invalid 7f3a91c2-auth=captured 99ff88ee=bound 9a1d77e3=captured c0de4471=unbound d00dfeed=bound sess-1=orphan'
row 12 'echo "{" > $H/denies/bad.json; baton denies --json | jq -e ".denies[] | select(.id == \"bad\").class == \"invalid\""' true
row 12 'sed s/d00dfeed/other/ $H/denies/d00dfeed.json > $H/denies/mine.json; baton denies --json |
  jq -r ".denies[] | select(.id == \"mine\") | .class, .reason"' 'invalid session_id_mismatch'
row 13 'baton denies --json | jq -c .store.ok; rm $H/denies/d00dfeed.json; baton denies --json | jq -c .store.ok,.store.reason' \
  'true false ".*(marker|registered|missing).*"'
fixture
row 13 'rm -r $H/denies; baton denies --json | jq -c .store.ok; mkdir $H/denies; baton denies --json | jq -c .store.ok' \
  'false false'
fixture
brief() { baton list --json | jq -r ".sessions[] | select(.id == \"$1\").brief"; }
row 14 'for s in 7f3a91c2-auth c0de4471 9a1d77e3 sess-1; do brief $s; done' 'verified tampered missing none'
row 14 'printf x >> $H/content/7f3a91c2-auth.md; brief 7f3a91c2-auth; head -c 2000000 /dev/zero |
  tr "\0" a > $H/content/7f3a91c2-auth.md; brief 7f3a91c2-auth' 'tampered oversize'
fixture
row 15 'sed -i "s/$/\r/" $H/content/7f3a91c2-auth.md; brief 7f3a91c2-auth; sed -i "s/\r$/  /" $H/content/7f3a91c2-auth.md;
  brief 7f3a91c2-auth; sed -i "1s/Ticket/Tickets/" $H/content/7f3a91c2-auth.md; brief 7f3a91c2-auth' \
  'verified verified tampered'
fixture
auth() { baton show "$1" --json | jq -r .resume_auth; }
row 16 'auth e4419d02; mv .adlc/baton-sample.json "$work/"; auth e4419d02; echo $?; mv "$work/baton-sample.json" .adlc/' \
  'verified unverifiable 0'
row 16 'cp $H/e4419d02.resume-auth.json $H/a81f3c55.resume-auth.json; auth a81f3c55; baton list --json |
  jq -r ".problems[].text | select(test(\"resume\"))"' 'null resume-auth does not count: other_session'

grant() { # SESSION MINUTES: a grant written so long ago and signed
  local at payload
  at=$(ago "$2")
  payload=$(printf '{"schema":2,"session_id":"%s","unbound_reason":null,"written_at":"%s"}' "$1" "$at")
  printf '{"schema":2,"session_id":"%s","unbound_reason":null,"written_at":"%s","sig":"%s"}\n' "$1" "$at" \
    "$(printf %s "$payload" | openssl dgst -sha256 -hmac "$ADLC_MANIFEST_KEY" | sed 's/.* //')" > "$H/$1.bypass-grant.json"
}
left() { baton show "$1" --json | jq -c .grant.expires_in_s; }
if command -v openssl > /dev/null; then
  key
  row 17 'grant g1 "9 minutes"; left g1; grant g1 "11 minutes"; left g1; grant g1 "9 minutes";
    mv $H/g1.bypass-grant.json $H/g2.bypass-grant.json; left g2' '(5[0-9]|60) null null'
  mkdir -p "$work/own/.adlc"
  row 17 'cd "$work/own"; baton write --session d3 --ticket T-1 --write > /dev/null; baton bypass --session g3 --write > /dev/null; left g3
    for call in 1 2; do printf "{\"session_id\":\"g3\",\"tool_name\":\"Edit\",\"tool_input\":{\"file_path\":\"a\"}}" |
      ADLC_CONTEXT_ROT_HANDOFF_ENABLED=1 baton hook pre-tool 2> /dev/null | jq -r .hookSpecificOutput.permissionDecision; done; left g3' '(59[0-9]|600) deny null'
  unset ADLC_MANIFEST_KEY
else
  cannot 17 'no openssl to sign a grant with'
fi
finish
