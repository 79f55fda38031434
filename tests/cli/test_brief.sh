#!/usr/bin/env bash
# tests/cli/test_brief.sh BATON - brief: visible text, JSON, and the difference to the copy that is kept.
set -u
baton=$1
folder=$(mktemp -d "${TMPDIR:-/tmp}/baton-brief.XXXXXX") || exit 1
trap 'rm -rf "$folder"' EXIT
unset ADLC_MANIFEST_KEY ADLC_TICKET NO_COLOR
export HOME=$folder XDG_STATE_HOME=$folder/state TERM=xterm-256color
failures=0
fail() { printf 'FAIL %s\n' "$*"; failures=$((failures + 1)); }
check() { [ "$2" = "$3" ] || fail "$1: wanted [$2], got [$3]"; }
tree() { (cd "$1" && find . -type f -exec sha256sum {} + | sort) | sha256sum; }

"$baton" sample "$folder/s" >/dev/null || fail 'sample cannot be written'
cd "$folder/s" || exit 1
before=$(tree .)
brief=.adlc/handoffs/content/7f3a91c2-auth.md

# The text, and the same as JSON; hostile bytes are visible in one and exact in the other.
"$baton" brief 7f3a91c2-auth >"$folder/text"
check 'brief' 0 $?
cmp -s "$folder/text" "$brief" || fail 'a plain brief is not printed as it is'
"$baton" brief 7f3a91c2-auth --json >"$folder/json"
grep -q '^  "schema_version": 1,$' "$folder/json" || fail 'brief --json has no schema_version'
grep -q '^  "brief": "verified",$' "$folder/json" || fail 'brief --json has no status'
"$baton" brief nobody >/dev/null 2>&1
check 'no such session' 1 $?
"$baton" brief sess-1 >/dev/null 2>"$folder/err"
check 'a session without a brief' 1 $?
grep -q 'has no brief' "$folder/err" || fail 'it does not say that there is no brief'

# No copy is kept: it says so and compares nothing.
"$baton" brief 7f3a91c2-auth --diff >"$folder/out" 2>"$folder/err"
check 'no copy' 1 $?
check 'no copy prints nothing' 0 "$(wc -c <"$folder/out" | tr -d ' ')"
grep -q 'no copy of this brief is kept' "$folder/err" || fail 'it does not say that no copy is kept'
check 'looking changes nothing' "$before" "$(tree .)"

# What `continue` handed on is kept, and an edit shows against it.
"$baton" continue --deny-session 7f3a91c2-auth --session next --write >/dev/null || fail 'continue'
"$baton" brief 7f3a91c2-auth --diff >"$folder/diff"
check 'nothing changed' 0 $?
check 'only the head' 2 "$(wc -l <"$folder/diff" | tr -d ' ')"
printf 'slipped in \033[2J\r\n' >>"$brief"
"$baton" brief 7f3a91c2-auth --diff >"$folder/diff"
check 'after an edit' 0 $?
grep -q '^--- the verified copy, kept ' "$folder/diff" || fail 'it does not name the copy'
[ "$(grep -c '^[+-]' "$folder/diff")" -gt 0 ] || fail 'the edit is not shown'
grep -q '^+slipped in ' "$folder/diff" || fail 'the added line is not shown'
grep -q "$(printf '\033')" "$folder/diff" && fail 'an escape reaches the terminal'
"$baton" brief 7f3a91c2-auth --diff --json >"$folder/json"
grep -q '^  "brief": "tampered",$' "$folder/json" || fail '--diff --json has no status'
grep -q '^    "copy": "expected",$' "$folder/json" || fail '--diff --json does not name the copy'
grep -q '^  "added": 1,$' "$folder/json" || fail '--diff --json does not count'
grep -q '"diff": "--- the verified copy' "$folder/json" || fail '--diff --json has no difference'

# A ledger that is kept in the repository: what is committed is held against the records, and counts where it verifies.
if command -v git >/dev/null; then
  "$baton" sample "$folder/r" >/dev/null && cd "$folder/r" || exit 1
  git init -q . && git add -f .adlc && git -c user.name=t -c user.email=t@example.org commit -qm all || fail 'no repository'
  export XDG_STATE_HOME=$folder/state2
  echo 'slipped in' >>"$brief"
  "$baton" brief 7f3a91c2-auth --diff >"$folder/diff"
  check 'against what is committed' 0 $?
  grep -q '^--- the committed text, which verifies, sha256' "$folder/diff" || fail 'it does not name the committed text'
  check 'one line was added' '+slipped in' "$(grep '^[+-][^+-]' "$folder/diff")"
  "$baton" brief c0de4471 --diff >"$folder/out" 2>&1 # what is committed there does not verify either
  check 'a committed text that does not verify' 1 $?
fi

[ "$failures" = 0 ] || exit 1
echo 'all as it should be'
