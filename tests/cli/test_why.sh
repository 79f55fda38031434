#!/usr/bin/env bash
# tests/cli/test_why.sh BATON - why: exit statuses, reasons, the record behind each, and that asking changes nothing.
set -u
baton=$1
folder=$(mktemp -d "${TMPDIR:-/tmp}/baton-why.XXXXXX") || exit 1
trap 'rm -rf "$folder"' EXIT
unset ADLC_MANIFEST_KEY ADLC_TICKET NO_COLOR
export HOME=$folder TZ=UTC
failures=0
fail() { printf 'FAIL %s\n' "$*"; failures=$((failures + 1)); }
check() { [ "$2" = "$3" ] || fail "$1: wanted [$2], got [$3]"; }
tree() { (cd "$folder/r" && find . -exec stat -c '%n %f %s' {} + | sort && find . -type f -exec sha256sum {} + | sort) | sha256sum; }
# why ARGS...: the exit status; JSON in $folder/json
why() { "$baton" why "$@" --json >"$folder/json" 2>"$folder/err"; echo $?; }
reasons() { sed -n '/^  "reasons": \[$/,/^  \]/p' "$folder/json" | sed -n 's/^    "\(.*\)",\{0,1\}$/\1/p' | tr '\n' ' '; }

mkdir -p "$folder/r/.adlc/handoffs/denies" && cd "$folder/r" || exit 1
check 'nothing refuses' 0 "$(why s9)"
check 'an unknown D1 alone is allowed' 1 "$(grep -A1 '"id": "D1"' "$folder/json" | grep -c '"verdict": "unknown"')"
check 'no reasons' '' "$(reasons)"
check 'paths and commands that touch nothing' 0 "$(why s9 --path src/a.c --path=b.c --bash 'make test')"

printf '{"session_id":"o","ticket_id":"T-1","content_hash":"h","status":"open","host":"claude"}' >.adlc/handoffs/denies/o.json
printf '{"session_id":"e\\u001b[2J","status":"open"}' >".adlc/handoffs/denies/$(printf 'e\033[2J').json"
printf '{' >.adlc/handoffs/denies/bad.json
before=$(tree)
check 'refused' 2 "$(why s9)"
check 'reasons in order' 'D3:unauthorized_open:e\u001b[2J D3:unauthorized_open:o D3:invalid_record:bad ' "$(reasons)"
grep -q '"file": ".adlc/handoffs/denies/o.json"' "$folder/json" || fail 'the file of the record is not named'
check 'a session without a record' 2 "$(why)"
grep -q '^  "session": null,$' "$folder/json" || fail 'no session is null'
check 'edits and commands' 2 "$(why s9 --path .adlc/.deny-store --bash 'rm -rf .adlc')"
check 'their reasons' 'path_protected:.adlc/.deny-store D3:unauthorized_open:e\u001b[2J D3:unauthorized_open:o D3:invalid_record:bad bash_fail_closed_under_deny path_protected_shell:.adlc ' "$(reasons)"
"$baton" why s9 >"$folder/text"
check 'text: refused' 2 $?
grep -q '^ANSWER  NO - 3 rules refuse$' "$folder/text" || fail 'text: the answer'
grep -q "$(printf '\033')" "$folder/text" && fail 'an escape of a name reaches the terminal'
grep -q 'DOES NOT HELP' "$folder/text" || fail 'text: what does not help'
check 'asking changed nothing' "$before" "$(tree)"

check 'an id that is none' 1 "$(why a/b)"
grep -q 'path traversal' "$folder/err" || fail 'the error says what is wrong with the id'
check 'stdout stays empty on errors' 0 "$(wc -c <"$folder/json")"
check 'two sessions' 1 "$(why a b)"
check 'an unknown flag' 1 "$(why s9 --nonsense)"
check 'another folder' 1 "$("$baton" why s9 --dir "$folder" >/dev/null 2>&1; echo $?)"
check 'help' 0 "$("$baton" why --help >/dev/null; echo $?)"
check 'no ledger at all' 0 "$(why s9 --dir "$folder/none/.adlc")"
grep -q 'there is no ledger here' "$folder/json" || fail 'a note says that there is no ledger'
[ "$failures" = 0 ]
