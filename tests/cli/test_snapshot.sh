#!/usr/bin/env bash
# tests/cli/test_snapshot.sh BATON - scan and --import: what was taken is what is shown, elsewhere, and nothing else is read.
set -u
baton=$1
folder=$(mktemp -d "${TMPDIR:-/tmp}/baton-snapshot.XXXXXX") || exit 1
trap 'rm -rf "$folder"' EXIT
unset ADLC_MANIFEST_KEY ADLC_TICKET NO_COLOR BATON_PLAIN
export HOME=$folder TERM=dumb XDG_CONFIG_HOME=$folder/config XDG_STATE_HOME=$folder/state
failures=0
fail() { printf 'FAIL %s\n' "$*"; failures=$((failures + 1)); }
check() { [ "$2" = "$3" ] || fail "$1: wanted [$2], got [$3]"; }
"$baton" sample "$folder/s" >/dev/null && cd "$folder/s" || exit 1
"$baton" scan --json >"$folder/taken"
check 'scan' 0 $?
"$baton" list >"$folder/list"
mkdir "$folder/elsewhere" && cd "$folder/elsewhere" || exit 1

# The same rows and the same facts; a table where there is no terminal for a dashboard.
"$baton" list --import "$folder/taken" >"$folder/imported"
check 'list --import' 0 $?
rows() { sed -n 's/^\(..[A-Z-]* *[^ ]*\) .*/\1/p' "$1"; }
check 'the same rows' "$(rows "$folder/list" | head -n 18)" "$(rows "$folder/imported" | head -n 18)"
check 'bare, with -f' "$(cat "$folder/imported")" "$("$baton" -f "$folder/taken")"
check 'from standard input' "$(cat "$folder/imported")" "$("$baton" list --import - <"$folder/taken")"
check 'bare, through a pipe' "$(cat "$folder/imported")" "$(cat "$folder/taken" | "$baton" -f -)"
"$baton" list --import - </dev/null >/dev/null 2>&1
check 'nothing on standard input' 1 $?
"$baton" list --json --import "$folder/taken" >"$folder/again"
for key in '"state"' '"verdict"' '"class"' '"brief"' '"signature"' '"pid_text"' '"blocked_by"' '"since"' '"code"'; do
  a=$(sed '/^  "locks": \[/,$d' "$folder/taken" | grep -c -- "$key") b=$(grep -c -- "$key" "$folder/again")
  check "as many $key" "$a" "$b"
done
check 'the same states' "$(sed '/^  "locks"/,$d' "$folder/taken" | grep '^      "state"')" "$(grep '^      "state"' "$folder/again")"
"$baton" scan --import "$folder/taken" >"$folder/third"
"$baton" scan --import "$folder/third" >"$folder/fourth"
grep -q '"last_words": "Done: store.c migrated' "$folder/third" || fail 'the last words of a session'
facts_of() { sed -n '/^      "context": {/,/^      "flags"/p;/^      "transcript": {/,/^      }/p' "$1"; }
check 'the same of every transcript' "$(facts_of "$folder/taken")" "$(facts_of "$folder/third")"
cmp -s "$folder/third" "$folder/fourth" || { fail 'a snapshot of a snapshot is another one'; diff "$folder/third" "$folder/fourth" | head; }
"$baton" show 7f3a91c2-auth --import "$folder/taken" | grep -q '^STATE *! BLOCKED' || fail 'show --import'
grep -q 'Model handoff' "$folder/taken" && fail 'the text of a brief is in the snapshot'

# What is none is refused with its name; hostile ones are only odd.
for text in '' '{' '[]' '{}' '{"schema_version":1}' '{"schema_version":99,"sessions":[],"taken_at":"2026-01-01T00:00:00.000Z"}' \
  '{"schema_version":1,"sessions":[]}' '{"schema_version":1,"sessions":{},"taken_at":"2026-01-01T00:00:00.000Z"}'; do
  printf '%s' "$text" >"$folder/bad"
  "$baton" list --import "$folder/bad" >/dev/null 2>"$folder/err"
  check "refused: $text" 1 $?
  [ -s "$folder/err" ] || fail "no word about [$text]"
done
head='"schema_version":1,"taken_at":"2026-01-01T00:00:00.000Z"'
printf '{%s,"sessions":[null,1,"x",{},{"id":7},{"id":""},{"id":"a","state":"NONE","context":[],"deny":[],"lock":"x","reasons":{},"next":3,"others":[1,2,3,4,5,6,7]},{"id":"a"},{"id":"b\\u001b[2J"}],"locks":[1],"denies":[{}],"problems":[7]}' "$head" >"$folder/odd"
"$baton" list --import "$folder/odd" >"$folder/out"
check 'an odd one' 0 $?
check 'each id once' 2 "$(grep -c 'WARN' "$folder/out")"
grep -q "$(printf '\033')" "$folder/out" && fail 'an escape byte'
"$baton" list --watch --import "$folder/odd" >/dev/null 2>&1
check '--watch' 1 $?
check 'nothing is written' 0 "$(find "$folder/elsewhere" "$folder/state" -type f 2>/dev/null | wc -l)"
[ "$failures" = 0 ] && echo 'all checks passed'
exit $((failures > 0))
