#!/usr/bin/env bash
# tests/cli/test_delivery_names.sh BATON - a record reads back for every form of remote; no secret and no raw byte is printed.
set -u
baton=$(realpath "$1")
folder=$(mktemp -d "${TMPDIR:-/tmp}/baton-delivery-names.XXXXXX") || exit 1
trap 'rm -rf "$folder"' EXIT
unset BATON_HANDOFF_STORE BATON_GH GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE
export HOME=$folder GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 BATON_NOW=2026-03-01T11:00:00Z
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.org GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.org
failures=0
fail() { printf 'FAIL %s\n' "$*"; failures=$((failures + 1)); }
check() { [ "$2" = "$3" ] || fail "$1: wanted [$2], got [$3]"; }
record=.verified-delivery/handoff.json
run() { "$baton" delivery "$@" >"$folder/out" 2>"$folder/err"; status=$?; out=$(cat "$folder/out"); err=$(cat "$folder/err"); }
put_record() { run record --directive 'Ship it' --authorize merge --pending merge --stop-reason user-pause --no-pr --write "$@"; }

git init -q -b main "$folder/here" && cd "$folder/here" || exit 1
git commit -q --allow-empty -m one
git remote add origin x

# ---- what is written down is read back as the same repository
while IFS= read -r url; do
  rm -rf .verified-delivery
  git config remote.origin.url "$url"
  put_record
  check "$url: recorded" "0 " "$status $err"
  run validate
  check "$url: read back" 0 "$status"
done <<'urls'
https://github.com/acme/pager.git
/srv/git/pager.git
/srv/git/two words
file:///srv/git/two%20words
git@alias:team/pager.git
https://gitea/team/pager
http://gitea:3000/team/pager
git@[::1]:team/pager
ssh://git@[::1]:8443/team/pager
u:p@[::1]:team/pager
https://example.org/o/pager.git.git
https://example.org:22/o/pager
http://example.org:443/o/pager
https://dev.example.org/o/My%20Project/_git/pager
https://example.org/o/what%3Fnow%25
urls
git config remote.origin.url ../pager
rm -rf .verified-delivery
put_record
check 'a remote without a name: exit' 1 "$status"

# ---- secrets, wherever a text of the record comes to stand
git config remote.origin.url https://github.com/acme/pager
secret=https://user:hunter2@ci.example.org/job
head=$(git rev-parse HEAD)
put_hostile() { # STATUS FILE
  printf '{"schema":"verified-delivery/handoff-v1","status":"%s","store":"%s","directive":"see %s","authorization_boundary":{"authorized":["%s"],"out_of_scope":["%s"]},"repository":"github.com/acme/pager","pull_request":null,"branch":"main","head_sha":"%s","completed_steps":[{"gate":"%s","verdict":"pass","evidence":"%s"}],"pending_steps":["%s"],"watchers":["%s","%s"],"stop_reason":"boundary-stop","stop_detail":"%s","updated_at":"2026-03-01T10:00:00Z","\\u001b[31mred\\nusable %s":{"%s":1}}' \
    "$1" "$secret" "$secret" "$secret" "$secret" "$head" "$secret" "$secret" "$secret" "$secret" "$secret" "$secret" "$secret" "$secret" >"$2"
}
quiet() { # WORDS - nothing secret and nothing raw in what was printed
  grep -q hunter2 "$folder/out" "$folder/err" && fail "$1 prints a secret"
  LC_ALL=C grep -q $'\033' "$folder/out" "$folder/err" && fail "$1 prints a raw escape"
  grep -q '^usable' "$folder/out" && [ "$1" != 'validate ' ] && fail "$1 lets a name begin a line"
}
mkdir -p .verified-delivery
put_hostile open "$record"
for verb in show validate reconcile 'close --boundary-stop --detail x' 'close --delivered --evidence x' 'record --update --pending merge'; do
  for json in '' --json; do
    # shellcheck disable=SC2086
    run $verb $json
    quiet "$verb $json"
  done
done
run validate
check 'an address that is withheld' 6 "$status"
sed -i "s#\"out_of_scope\":\[[^]]*\]#\"out_of_scope\":[]#" "$record"
run validate
check 'a step that is an address' 'usable: resume with https://ci.example.org/job' "$(head -n 1 "$folder/out")"
grep -q hunter2 "$folder/out" && fail 'the next step prints a secret'
rm "$record"
put_hostile open "$folder/from.json"
run record --from "$folder/from.json"
check 'from a file' 0 "$status"
quiet 'record --from'
put_hostile closed "$record"
put_record --head "$head"
check 'over a closed one' 0 "$status"
quiet 'record over a closed one'
printf '{"%s":1,"%s":2}' "$secret" "$secret" >"$record"
for json in '' --json; do
  # shellcheck disable=SC2086
  run validate $json
  check 'a name twice' 5 "$status"
  quiet "duplicate $json"
done

# ---- what gh says is cut only after its secrets are out
put_hostile open "$record"
sed -i 's/"pull_request":null/"pull_request":"42"/; s/"out_of_scope":\[[^]]*\]/"out_of_scope":[]/' "$record"
cat >"$folder/gh" <<'gh'
#!/bin/sh
printf '%0380d https://user:hunter2hunter2hunter2hunter2@example.org/x failed\n' 0 >&2
exit 1
gh
chmod +x "$folder/gh"
BATON_GH=$folder/gh run validate --gh
check 'gh fails' 7 "$status"
quiet 'gh'

# ---- what a hook's environment says does not change the answers
git config remote.origin.url https://github.com/acme/pager
for variable in GIT_CONFIG=/dev/null GIT_LITERAL_PATHSPECS=1 GIT_GLOB_PATHSPECS=1 GIT_NOGLOB_PATHSPECS=1 \
  GIT_ICASE_PATHSPECS=1 GIT_PREFIX=sub/ GIT_DIR=/nowhere GIT_INDEX_FILE=/nowhere GIT_WORK_TREE=/; do
  rm -rf .verified-delivery
  (export "$variable"; put_record; exit "$status")
  check "$variable: recorded" 0 $?
  (export "$variable"; run validate; exit "$status")
  check "$variable: read back" 0 $?
done

# ---- a record that lies in a description alone is reached by the number of the pull request
rm -rf .verified-delivery
cat >"$folder/gh" <<'gh'
#!/bin/sh
body=$(dirname "$0")/body
case $2 in
view) printf '{"number":%s,"state":"OPEN","mergedAt":null,"headRefOid":"%s","body":"%s"}\n' "$3" "$(git rev-parse HEAD)" \
  "$(sed 's/\\/\\\\/g; s/"/\\"/g; s/$/\\n/' "$body" | tr -d '\n')" ;;
edit) for last; do :; done && cp "$last" "$body" ;;
esac
gh
echo Intro >"$folder/body"
export BATON_GH=$folder/gh
put_record --store pr --pr 42 --gh --confirm-publish
check 'into a description: wrong flags together' 2 "$status"
run record --directive 'Ship it' --authorize merge --pending merge --stop-reason user-pause --pr 42 --store pr --gh \
  --confirm-publish --write
check 'into a description' 0 "$status"
run validate --gh
check 'nobody says which pull request' 9 "$status"
run validate --pr 42
check 'a number without the forge' 2 "$status"
run validate --gh --pr 42
check 'found by its number' 0 "$status"
run close --gh --pr 42 --boundary-stop --detail wait --confirm-publish --write
check 'closed by its number' 0 "$status"
grep -q '"status": "closed"' "$folder/body" || fail 'the description was not written'
run validate --gh --pr 42
check 'and closed it is' 8 "$status"
unset BATON_GH

# ---- what a process that was killed left behind goes with the next write, and nothing else does
rm -rf .verified-delivery
: >.git/info/exclude
touch .git/baton-handoff.0123456789abcdef.tmp .git/info/exclude.0123456789abcdef.tmp .git/baton-handoff.mine.tmp \
  .git/info/exclude.0123456789abcdef.tmp.old
put_record
check 'what was left behind' '.git/baton-handoff.mine.tmp .git/info/exclude.0123456789abcdef.tmp.old' \
  "$(find .git -name '*.tmp*' | sort | tr '\n' ' ' | sed 's/ $//')"
rm .git/baton-handoff.mine.tmp .git/info/exclude.0123456789abcdef.tmp.old

# ---- a branch whose name no JSON text holds is not recorded as another one
if git checkout -q -b $'a\xffb' 2>/dev/null; then
  rm -rf .verified-delivery
  put_record
  check 'a branch that is not UTF-8' 2 "$status"
  [ -e "$record" ] && fail 'a branch that is not UTF-8: something was written'
  git checkout -q main
fi

# ---- why there is no repository is git's to say
mkdir "$folder/nowhere" && cd "$folder/nowhere" || exit 1
run validate
check 'no repository' "error: $folder/nowhere is in no git repository" "$err"
printf 'gitdir: %s\n' "$folder/gone/.git/worktrees/x" >.git
run validate
check 'the repository has moved: exit' 1 "$status"
case $err in *'not a git repository: '"$folder/gone"*) ;; *) fail "the repository has moved: $err" ;; esac

# ---- a folder that git would list all the same
git init -q -b main "$folder/nested" && cd "$folder/nested" || exit 1
git commit -q --allow-empty -m one
git remote add origin https://github.com/acme/pager
git init -q .verified-delivery
put_record --json
check 'a repository in its place' 10 "$status"
check 'nothing is written into it' .git "$(ls -A .verified-delivery)"
rm -rf .verified-delivery
git config core.ignoreCase true
mkdir .Verified-Delivery && echo x >.Verified-Delivery/Handoff.json && git add -f . && git commit -q -m two
put_record --json
check 'tracked under another case, where case does not count' 10 "$status"
grep -q '"refused:tracked"' "$folder/out" || fail "another case: $out"
git config core.ignoreCase false
rm -rf .verified-delivery
put_record --json
check 'tracked under another case, where case counts' 0 "$status"

[ "$failures" = 0 ] || { echo "$failures failed"; exit 1; }
