#!/usr/bin/env bash
# tests/rows/rows_settings.sh ROOT BATON - rows 89-105: keymaps, settings, themes, JSON, batch mode, exit statuses, documents.
. "$(dirname "$0")/lib.sh"
fixture
config=$HOME/.config/baton
mkdir -p "$config"

row 89 'printf "bind list x unlock\nbind list x repair\nbind list X frobnicate\n" > "$work/keys";
  baton keys --check "$work/keys"; echo "rc $?"' \
  '.*keys:2: .*unlock.*repair.*keys:3: .*frobnicate.* rc 1|.*keys:2: .*(unlock|repair).*frobnicate.* rc 1'
row 89 'baton keys --keymap "$work/nofile" 2>&1 > /dev/null; echo "rc $?"; baton keys --keymap "$work/keys" > /dev/null 2>&1; echo "rc $?";
  baton keys --keymap vim > /dev/null; echo "rc $?"' '.*nofile.* not there rc 1 rc 1 rc 0'
row 90 'printf "unbind any u\nbind any x unlock\n" > "$config/keys"; B; K "?"; see "LOOK|MOVE"; K /; text unlock; K Enter;
  see "What matches: unlock"; S | grep -oE "x. +unlock" | head -1; K Escape Escape; K q; see "left with 0"; rm "$config/keys"' \
  "x. unlock"
row 91 'B; K :; text "why sess-1"; K Enter; see "ANSWER +NO"; S | sed -n 1p | grep -oE "^ baton +why"; K q; K :;
  text "rm -rf x"; K Enter; see "there is no command rm"; K :; text "scan"; K Enter; see "run baton scan in a shell"; K :;
  text "log --gate x"; K Enter; see "no flags here: run baton log --gate x in a shell"; K :; text help; K Enter; see "LOOK|MOVE"; K Escape; K q; see "left with 0"' 'baton why'
row 91 'sed -n "s/^  X(\([a-z]*\),.*/\1/p" "$root/cli/cmd.h" | while read -r verb; do
  grep -q "\"$verb\"" "$root/tui/app_command.c" || echo "$verb is not known there"; done; echo compared' compared
row 92 'XDG_CONFIG_HOME=$work/x XDG_STATE_HOME=$work/y baton info | grep -oE "$work/(x|y)/baton/(config|log)"' \
  '.*/x/baton/config .*/y/baton/log'
attributes() { SE | grep -oE $'\e\\[[0-9;]*m' | grep -vE '\[(39|49|0|1|2|4|7|0;[0-9;]*)m' | sort -u | tr -d '\033'; }
row 93 'for theme in cb mono; do B --theme $theme; see "! BLOCKED +7f3a91c2-auth"; pick 7f3a91c2-auth; see verified;
  attributes; echo .; done' '.*(34|38;5;[0-9]+)m.* \. \.'
green() { SE | grep -oE $'\e\\[[0-9;]*m' | grep -cE '(\[|[0-4];)(32|92)m|38;5;(2|22|28|34|40|46|64|70|71|76|82|83|118)m'; }
row 93 'for theme in dark cb; do B --theme $theme; see "verified"; [ "$(green)" -gt 0 ] && echo green || echo not green; done' \
  'green not green'

row 94 'for verb in list "show sess-1" locks denies "why sess-1" log verify info keys scan "log --actions" "unlock $(proofs 91ab77e0) --plan" "repair --session sess-1 --ticket T-1 --content-hash aa --plan" "undo";
  do baton $verb --json 2> /dev/null | jq -e .schema_version > /dev/null || echo "$verb has none"; done; echo checked' \
  '(undo has none )?checked'
listed() { sed -n 's/^[▸ ] [!x~*^ ] \([A-Z][A-Z-]*\) *\([^ ]*\) .*/\1 \2/p' | grep -E '^(BLOCKED|STALE-LOCK|FOREIGN|READY|WARN|RUN|IDLE|DONE) '; }
told() { baton list --json | jq -r '.sessions[] | [.state, .id] | join(" ")'; }
as_told() { S | listed > "$work/screen"; told | head -n "$(wc -l < "$work/screen")" | cmp -s - "$work/screen"; } # once all transcripts are read
row 95 'B; soon as_told; wc -l < "$work/screen"' '1[0-9]'
agree() { # the whole list of each of four ledgers, on a screen that is high enough, and in a pipe
  local n
  for n in 0 1 2 3; do
    fixture; cd "$FIX" || return
    case $n in 1) rm $H/denies/7f3a91c2-auth.json ;; 2) rm $H/*.lock ;; 3) rm -r $H/denies .adlc/baton-sample.json ;; esac
    H_=60 B > /dev/null
    soon as_told
    told > "$work/json"
    baton list | sed -n '1d;s/^[!x~*^ ] \([A-Z][A-Z-]*\) *\([^ ]*\) .*/\1 \2/p' > "$work/table"
    cmp "$work/screen" "$work/json" && cmp "$work/table" "$work/json" && wc -l < "$work/json"
  done
}
row 95 agree '([0-9]+ ){3}[0-9]+'
copied() { K J; see "as JSON|written to"; until_true has_document; K Escape; gone "as JSON|written to"; }
has_document() { mux show-buffer > "$work/page.json" 2> /dev/null && jq -e .schema_version "$work/page.json" > /dev/null; }
pages_as_json() { # each page of facts, and the command that says the same
  fixture; cd "$FIX" || return
  B; pick sess-1; copied
  jq -r '.sessions[].id' "$work/page.json"
  K Enter; see 'SESSION +sess-1'; mux delete-buffer; K J; see 'as JSON'; until_true has_document
  diff <(jq -S 'del(.taken_at)' "$work/page.json") <(baton show sess-1 --json | jq -S 'del(.taken_at)') && echo shown
  K l; see ' locks '; mux delete-buffer; K J; see 'as JSON'; until_true has_document
  diff <(jq -r '.locks[].name' "$work/page.json" | sort) <(baton locks --json | jq -r '.locks[].name' | sort) && echo locks
  K e; see ' evidence '; mux delete-buffer; K J; see 'as JSON'; until_true has_document
  diff <(jq -r '.entries[] | select(.derived | not) | .gate' "$work/page.json" | sort) <(baton log --json | jq -r '.entries[].gate' | sort) && echo log
}
row 95 pages_as_json 'sess-1 shown locks log'
fixture
row 96 'baton list --watch --jsonl -n 2 --interval 0.1 | wc -l; baton list --watch --jsonl -n 2 --interval 0.1 |
  jq -c .schema_version' '2 1 1'

status() { "$@" > /dev/null 2>&1; echo "$?"; }
row 97 'status baton list; status baton list --no-such-flag; status baton show nobody; status baton why nobody-else;
  status baton verify; status baton unlock $(proofs 91ab77e0); status baton unlock $(proofs 91ab77e0) --nonce ff --write;
  status baton unlock $(proofs 2b77aa90) --write; status baton unlock --session 91ab77e0 --write;
  status baton repair --session a81f3c55 --ticket T --content-hash a --write; status baton undo --write;
  status baton --readonly unlock $(proofs 91ab77e0) --write; status baton keys --check;
  status baton list --dir /nowhere/.adlc; status baton frobnicate' \
  '0 1 1 2 0 0 2 2 1 1 1 1 0 1 1'
row 97 'mkdir -p "$work/free/.adlc"; cd "$work/free"; status baton why anybody; cd "$FIX";
  sed -i "2s/\"ts\"/\"tS\"/" .adlc/manifest.jsonl; status baton verify; status baton log' '0 2 0'
fixture
if command -v man > /dev/null && man -l "$root/docs/man/baton.1" > /dev/null 2>&1; then
  row 98 'for verb in list unlock hook delivery records; do baton help $verb 2>&1 | cmp - <(baton $verb --help 2>&1) && echo same; done;
  baton help nosuch; echo "rc $?"; baton handoff help repair | head -1' \
  'same same same same same error: unknown command nosuch; known: .* rc 1 Usage: baton \[--readonly\] COMMAND.*'
row 98 'man -l "$root/docs/man/baton.1" 2> /dev/null | grep -c SYNOPSIS;
    man -l "$root/docs/man/baton-keymap.5" 2> /dev/null | grep -c "^NAME"' '1 1'
else
  row 98 'grep -c "^.SH SYNOPSIS" "$root/docs/man/baton.1"' 1
fi
row 98 'bash -n "$root/docs/completions/baton.bash" && echo sound; for verb in $(baton --help |
  sed -n "s/^  \([a-z]*\)  .*/\1/p"); do baton $verb --help 2>&1 | grep -qE "^Usage|commands:" || echo "$verb has no help";
  done' sound

row 100 'baton scan --json > "$work/taken"; mkdir -p "$work/empty"; cd "$work/empty";
  baton -f "$work/taken" list 2> /dev/null | grep -c BLOCKED; baton list --import "$work/taken" | grep -c "^! BLOCKED"' '.*7'
row 100 'B -f "$work/taken"; see "SNAPSHOT"; pick 91ab77e0; K u; see "snapshot"; S | grep -c Cancel; ls $H/91ab77e0.lock' \
  '0 .*91ab77e0.lock'
escapes() { LC_ALL=C grep -c $'\e'; }
row 101 'BATON_PLAIN=1 baton < /dev/null > "$work/plain"; echo "rc $?"; escapes < "$work/plain";
  grep -m1 "^1\. " "$work/plain"; printf "1\n" | BATON_PLAIN=1 baton | grep -m1 "^Session"' \
  'rc 0 0 1\. ! BLOCKED c0de4471.* Session c0de4471, BLOCKED\.'
printf '#!/bin/sh\necho "$BATON_SESSION" >> "%s/told"\n' "$work" > "$work/tell" && chmod +x "$work/tell"
row 102 'echo "set on_blocked $work/tell" > "$config/config"; B; add_deny late-1; see "late-1"; soon test -s "$work/told";
  touch $H/denies/late-1.json; K R; see "read again"; cat "$work/told"; rm "$config/config"' 'late-1'
still() { local before; before=$(S); sleep 0.3; [ "$before" = "$(S)" ]; } # all transcripts are read, and no grant counts down
row 103 'K q; see "left with 0"; rm $H/*.bypass-grant.json; B; see "live"; gone "grant live"; soon still; K Escape; soon still; S |
  sed "s/ *$//" > "$work/seen"; K W; see "written to";
  diff "$work/seen" "$(find "$state/views" -name "*screen.txt" | tail -1)" && echo equal; K t; see "[0-9]Z$"' equal

# ---- a last line that is still being written ----
projects=$HOME/.claude/projects/$(printf %s "$FIX" | tr -c 'A-Za-z0-9' -)
mkdir -p "$projects"
reply() { printf '{"type":"assistant","sessionId":"half","cwd":"%s","timestamp":"%s","message":{"id":"m%s","role":"assistant","model":"claude-opus-4-6","content":[{"type":"text","text":"ok"}],"usage":{"input_tokens":%s,"output_tokens":0}}}\n' "$FIX" "$(date -u +%FT%T.000Z)" "$1" "$1"; }
row 105 '{ reply 1000; reply 2000; reply 3000 | head -c 200; } > "$projects/half.jsonl"; baton show half --json |
  jq -c "[.context.used_tokens, .transcript.skipped_lines]"; baton list 2>&1 | grep -c "problem.*half"' '\[2000,(0|null)\] 0'
finish
