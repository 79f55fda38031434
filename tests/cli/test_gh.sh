#!/usr/bin/env bash
# tests/cli/test_gh.sh BATON - the forge's tool as a stranger: absent, failing, slow, talkative, lying, answering.
set -u
baton=$(realpath "$1")
folder=$(mktemp -d "${TMPDIR:-/tmp}/baton-gh.XXXXXX") || exit 1
trap 'rm -rf "$folder"' EXIT
unset BATON_HANDOFF_STORE BATON_GH GH_TOKEN
export HOME=$folder GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 BATON_NOW=2026-03-01T11:00:00Z
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.org GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.org
failures=0
fail() { printf 'FAIL %s\n' "$*"; failures=$((failures + 1)); }
check() { [ "$2" = "$3" ] || fail "$1: wanted [$2], got [$3]"; }
record=.verified-delivery/handoff.json
git init -q -b main "$folder/repo" && cd "$folder/repo" || exit 1
echo 1 >a && git add a && git commit -q -m one
git remote add origin git@github.com:acme/pager.git
git checkout -q -b fix/pager && echo 2 >a && git commit -q -am two
head=$(git rev-parse HEAD)
"$baton" delivery record --directive 'Ship it' --authorize merge --completed "change-ready=pass@green at $head" \
  --pending ci-green --pending merge --stop-reason tool-limit --pr 42 --write >/dev/null || fail 'no record'
gh() { printf '#!/bin/sh\n%s\n' "$1" >"$folder/gh" && chmod 755 "$folder/gh"; }
# asks WORDS VERDICT REASON - what comes of asking; the words on stderr and stdout stay in files
asks() {
  BATON_GH=$folder/gh "$baton" delivery validate --gh --json >"$folder/out" 2>"$folder/err"
  check "$1" "$2" "$(sed -n 's/^  "verdict": "\(.*\)",$/\1/p' "$folder/out")"
  check "$1: reason" "$3" "$(tr -d ' \n' <"$folder/out" | sed -n 's/.*"reasons":\[\([^]]*\)\].*/\1/p' | tr -d '"')"
}
words() { BATON_GH=$folder/gh "$baton" delivery validate --gh 2>&1; }
answer="{\"number\":42,\"state\":\"OPEN\",\"mergedAt\":null,\"mergeCommit\":null,\"headRefOid\":\"$head\",\"baseRefName\":\"main\",\"body\":\"\"}"

# ---- answering: how it is called
gh "printf '%s\n' \"\$@\" >'$folder/args'; env | sort >'$folder/env'; cat >'$folder/stdin'; printf '%s' '$answer'"
ADLC_MANIFEST_KEY=secret GH_FORCE_TTY=1 asks 'answering' usable ''
check 'arguments' 'pr view 42 --repo github.com/acme/pager --json state,mergedAt,mergeCommit,headRefOid,body,number,baseRefName' \
  "$(tr '\n' ' ' <"$folder/args" | sed 's/ $//')"
grep -q '^GH_PROMPT_DISABLED=1$' "$folder/env" || fail 'it may prompt'
grep -q '^NO_COLOR=1$' "$folder/env" || fail 'it may colour'
grep -q 'secret\|GH_FORCE_TTY' "$folder/env" && fail 'it gets what is not for it'
check 'its standard input' '' "$(cat "$folder/stdin")"
gh "touch '$folder/asked'"
"$baton" delivery validate >/dev/null
[ -e "$folder/asked" ] && fail 'it was asked without --gh'
PATH=$folder:$PATH
gh "printf '%s' '$answer'"
"$baton" delivery validate --gh >/dev/null
check 'found in PATH' 0 $?

# ---- not answering
gh 'echo "GraphQL: Could not resolve to a PullRequest with the number of 42. (repository.pullRequest)" >&2; exit 1'
asks 'no such pull request' stale:pr-missing pr:missing
gh 'echo "GraphQL: Could not resolve to a Repository with the name acme/pager." >&2; exit 1'
asks 'no such repository' ambiguous-live-state pr:unreadable
gh 'echo "error connecting to https://user:hunter2@api.example" >&2; exit 1'
asks 'failing' ambiguous-live-state pr:unreadable
words | grep -q 'error connecting' || fail 'failing: the reason is not said'
words | grep -q hunter2 && fail 'failing: a secret is said'
gh 'printf "\033[2Jboo\n" >&2; exit 4'
words | grep -q $'\033' && fail 'failing: a control sequence is said'
for lie in '' '[]' '{"state":"OPEN"' '{"state":7}' '{"number":42,"state":"OPEN","headRefOid":"abc"}' \
  '{"number":"42","state":"OPEN"}' '{"state":"OPEN","state":"MERGED"}' '{"state":"OPEN","fetchedAt":null}' 'Welcome to gh!'; do
  gh "printf '%s' '$lie'"
  asks "answers $lie" ambiguous-live-state pr:unreadable
done
gh "printf '%s' '{\"state\":\"DRAFT\"}'"
asks 'a state that is not known' ambiguous-live-state pr:unknown-state
gh "printf '%s' '{\"state\":\"OPEN\",\"mergedAt\":\"2026-03-01T10:00:00Z\"}'"
asks 'open and merged' ambiguous-live-state pr:contradictory
gh "printf '%s' '{\"number\":43,\"state\":\"OPEN\"}'"
asks 'another one' ambiguous-live-state pr:wrong-number
gh 'head -c 2000000 /dev/zero'
asks 'talkative' ambiguous-live-state pr:unreadable
gh 'kill -9 $$'
asks 'killed' ambiguous-live-state pr:unreadable
gh 'sleep 30; echo "{}"'
started=$SECONDS
export BATON_GH_TIMEOUT_MS=300
asks 'slow' ambiguous-live-state pr:unreadable
[ $((SECONDS - started)) -lt 15 ] || fail 'slow: waited too long'
words | grep -q 'did not answer' || fail 'slow: not said'
unset BATON_GH_TIMEOUT_MS
chmod 644 "$folder/gh"
asks 'not to be run' ambiguous-live-state pr:unreadable
words | grep -q 'cannot be run.*EACCES' || fail 'not to be run: it is told as something else'
rm "$folder/gh"
asks 'absent' ambiguous-live-state pr:unreadable
words | grep -q 'cannot be run' || fail 'absent: not said'
words | grep -q -- '--pr-state' || fail 'absent: it is not said what to do instead'

# ---- editing
edit() { BATON_GH=$folder/gh "$baton" delivery record --directive y --authorize merge --pending merge --stop-reason user-pause \
  --pr 42 --store pr --gh --confirm-publish --write >"$folder/out" 2>"$folder/err"; }
rm -rf .verified-delivery
gh "case \$2 in view) printf '%s' '$answer' ;; edit) printf '%s\n' \"\$@\" >'$folder/args'; cp \"\$7\" '$folder/body' ;; esac"
edit
check 'edited' 0 $?
check 'arguments of the edit' 'pr edit 42 --repo github.com/acme/pager --body-file' "$(head -n 6 "$folder/args" | tr '\n' ' ' | sed 's/ $//')"
grep -q 'json verified-delivery-handoff' "$folder/body" || fail 'the new description has no block'
[ -e "$record" ] && fail 'the file store was written too'
check 'the draft is gone once it is published' '' "$(ls .git/baton | grep '^new-')"
gh "case \$2 in view) printf '%s' '$answer' ;; edit) echo denied >&2; exit 1 ;; esac"
edit
check 'an edit that fails' 1 $?
grep -q denied "$folder/err" || fail 'an edit that fails: the reason is not said'
check 'and stays where it was not' 1 "$(ls .git/baton | grep -c '^new-')"

[ "$failures" = 0 ] || { echo "$failures failed"; exit 1; }
