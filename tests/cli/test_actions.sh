#!/usr/bin/env bash
# tests/cli/test_actions.sh BATON - baton's own log: what was done and what was refused, shown and never with the key.
set -u
baton=$1
folder=$(mktemp -d "${TMPDIR:-/tmp}/baton-actions.XXXXXX") || exit 1
trap 'rm -rf "$folder"' EXIT
unset ADLC_MANIFEST_KEY ADLC_TICKET NO_COLOR BATON_PLAIN
export HOME=$folder TERM=dumb XDG_CONFIG_HOME=$folder/config XDG_STATE_HOME=$folder/state
failures=0
fail() { printf 'FAIL %s\n' "$*"; failures=$((failures + 1)); }
check() { [ "$2" = "$3" ] || fail "$1: wanted [$2], got [$3]"; }
"$baton" sample "$folder/s" >/dev/null && cd "$folder/s" || exit 1

check 'no log yet' 'TIME  VERB  SUBJECT  VERDICT  BY  DETAIL' "$("$baton" log --actions)"
lock=.adlc/handoffs/91ab77e0.lock
field() { sed -n "s/.*\"$1\": *\"\{0,1\}\([^\",}]*\).*/\1/p" "$lock" | head -n 1; }
export ADLC_MANIFEST_KEY=never-to-be-seen
unlock() { "$baton" unlock --session 91ab77e0 --pid "$1" --started-at "$(field started_at)" --host "$(field host)" --nonce "$(field nonce)" --write; }
unlock 1 >/dev/null 2>&1
check 'another pid' 2 $?
cp "$lock" "$folder/lock"
sum=$(sha256sum <"$lock")
unlock "$(field pid)" >/dev/null
check 'unlock' 0 $?
"$baton" undo >"$folder/dry" && grep -q '^dry-run: would put handoffs/91ab77e0.lock back' "$folder/dry" || fail 'undo is a dry run'
"$baton" undo --plan | grep -q 'does NOT undo a repair' || fail 'undo --plan'
"$baton" --readonly undo --write >/dev/null 2>&1
check 'undo --readonly' 1 $?
"$baton" undo --write --json >"$folder/json"
check 'undo' 0 $?
grep -q '"schema_version": 1' "$folder/json" || fail 'undo --json'
check 'the same bytes' "$sum" "$(sha256sum <"$lock")"
"$baton" undo --write >/dev/null 2>&1
check 'nothing left to undo' 1 $?
"$baton" log --actions >"$folder/log"
check 'in order, newest first' 'refused done done refused' "$(awk 'NR > 1 { print $4 == "-" ? $5 : $4 }' "$folder/log" | tr '\n' ' ' | sed 's/ $//')"
grep -q 'undo .*handoffs/91ab77e0.lock .*done' "$folder/log" || { fail 'the undo names its file'; cat "$folder/log"; }
check 'one object a line' 4 "$("$baton" log --actions --jsonl | wc -l)"
check 'limit' 1 "$("$baton" log --actions --jsonl --limit 1 | wc -l)"
check 'session' 2 "$("$baton" log --actions --jsonl --session 91ab77e0 | wc -l)"
"$baton" log --actions --json | grep -q '"verdict": "refused"' || fail '--json'
printf 'broken\n{"half' >>"$XDG_STATE_HOME/baton/log"
check 'a broken line' 4 "$("$baton" log --actions --jsonl 2>/dev/null | wc -l)"
"$baton" log --actions --follow >/dev/null 2>&1
check '--follow' 1 $?
grep -rq never-to-be-seen "$XDG_STATE_HOME" && fail 'the key is in a file'
[ "$failures" = 0 ] && echo 'all checks passed'
exit $((failures > 0))
