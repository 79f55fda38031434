#!/usr/bin/env bash
# tests/cli/test_watch.sh BATON - list --watch and --jsonl: frames, changes, the command for what becomes BLOCKED.
set -u
baton=$1
folder=$(mktemp -d "${TMPDIR:-/tmp}/baton-watch.XXXXXX") || exit 1
process=
trap '[ -z "$process" ] || kill "$process" 2>/dev/null; rm -rf "$folder"' EXIT
unset ADLC_MANIFEST_KEY ADLC_TICKET NO_COLOR BATON_PLAIN
export HOME=$folder TERM=dumb XDG_CONFIG_HOME=$folder/config XDG_STATE_HOME=$folder/state
failures=0
fail() { printf 'FAIL %s\n' "$*"; failures=$((failures + 1)); }
check() { [ "$2" = "$3" ] || fail "$1: wanted [$2], got [$3]"; }
until_true() { for _ in $(seq 300); do "$@" && return 0; sleep 0.05; done; return 1; }
lines() { [ "$(wc -l <"$folder/out")" -ge "$1" ]; }
"$baton" sample "$folder/s" >/dev/null && cd "$folder/s" || exit 1

# One object a line, each a whole document of its own.
check 'two frames' 2 "$("$baton" list --watch --jsonl -n 2 --interval 0.1 | wc -l)"
check 'two frames without an interval' 2 "$("$baton" list --watch --jsonl -n 2 | wc -l)"
check 'one line without --watch' 1 "$("$baton" list --jsonl | wc -l)"
"$baton" list --json | tr -d '\n' | sed 's/: /:/g; s/  *//g; s/"taken_at":"[^"]*"//; s/"[a-z_]*_in_s":[0-9]*//g; s/"in_force[^}]*//g' >"$folder/a"
"$baton" list --jsonl | tr -d '\n' | sed 's/: /:/g; s/  *//g; s/"taken_at":"[^"]*"//; s/"[a-z_]*_in_s":[0-9]*//g; s/"in_force[^}]*//g' >"$folder/b"
cmp -s "$folder/a" "$folder/b" || fail '--json and --jsonl differ'
check 'tables' 2 "$("$baton" list --watch --frames 2 --interval 0.1 | grep -c 'SAFEST NEXT STEP')"

# A closed pipe ends it; so does a number of frames.
"$baton" list --watch --jsonl --interval 0.1 | head -n 1 >/dev/null
check 'a closed pipe' 0 "${PIPESTATUS[0]}"

# A change is a frame; the command runs once for what becomes BLOCKED and never for what was.
mkdir -p "$XDG_CONFIG_HOME/baton"
printf '#!/bin/sh\necho "$BATON_SESSION $BATON_STATE $BATON_BEFORE" >>"%s/told"\n' "$folder" >"$folder/tell"
chmod +x "$folder/tell"
export BATON_SESSION=outer BATON_STATE=OUTER # as of a dashboard that such a command has started
printf 'set on_blocked %s\n' "$folder/tell" >"$XDG_CONFIG_HOME/baton/config"
"$baton" list --watch --jsonl >"$folder/out" 2>"$folder/err" &
process=$!
until_true lines 1 || fail 'no first frame'
sed 's/"session_id": "[^"]*"/"session_id": "late-1"/' .adlc/handoffs/denies/sess-1.json >"$folder/new.json"
mv "$folder/new.json" .adlc/handoffs/denies/late-1.json
until_true lines 2 || fail 'no frame after a change'
until_true grep -q late-1 "$folder/out" || fail 'the frame does not show the change'
until_true test -s "$folder/told" || fail 'the command was not run'
before=$(wc -l <"$folder/out")
touch .adlc/handoffs/denies/late-1.json
until_true lines $((before + 1)) || fail 'no frame after a touch'
check 'told once' 'late-1 BLOCKED new' "$(cat "$folder/told")"
kill "$process"
wait "$process" 2>/dev/null

# A session that only a transcript tells of, and whose state stays what it is: its values are news all the same.
mkdir -p "$HOME/.claude/projects/-x"
said() { printf '{"type":"user","cwd":"%s","message":{"content":"%s"}}\n' "$PWD" "$1"; }
session=$HOME/.claude/projects/-x/5b1f0c3e-1111-4a2b-8c3d-0123456789ab.jsonl
said 'said first' >"$session"
"$baton" list --watch --jsonl >"$folder/out" 2>>"$folder/err" &
process=$!
until_true grep -q 'said first' "$folder/out" || fail 'no frame with the session'
said 'said later' >>"$session"
until_true grep -q 'said later' "$folder/out" || fail 'no frame after another word'
kill "$process"
wait "$process" 2>/dev/null
process=
check 'nothing on standard error' 0 "$(wc -l <"$folder/err")"

for wrong in '--json --jsonl' '--watch --json' '-n 2' '--watch -n 0' '--watch -n 1.5' '--watch -n x' '--watch --interval 0' '--watch --interval -1' '--watch --frames'; do
  # shellcheck disable=SC2086
  "$baton" list $wrong >/dev/null 2>&1
  check "list $wrong" 1 $?
done
[ "$failures" = 0 ] && echo 'all checks passed'
exit $((failures > 0))
