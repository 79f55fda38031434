#!/usr/bin/env bash
# tests/cli/test_delivery.sh BATON - deliveries on real repositories of every kind, each answer compared with git's own.
set -u
baton=$(realpath "$1")
folder=$(mktemp -d "${TMPDIR:-/tmp}/baton-delivery.XXXXXX") || exit 1
trap 'rm -rf "$folder"' EXIT
unset BATON_HANDOFF_STORE BATON_GH XDG_STATE_HOME GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE
export HOME=$folder GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 BATON_NOW=2026-03-01T11:00:00Z
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.org GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.org
failures=0
fail() { printf 'FAIL %s\n' "$*"; failures=$((failures + 1)); }
check() { [ "$2" = "$3" ] || fail "$1: wanted [$2], got [$3]"; }
record=.verified-delivery/handoff.json
# run ARGS... - fills status, out, err
run() { "$baton" delivery "$@" >"$folder/out" 2>"$folder/err"; status=$?; out=$(cat "$folder/out"); err=$(cat "$folder/err"); }
# member KEY - a top member of the last JSON output: text, number or null
member() { sed -n "s/^  \"$1\": \"\{0,1\}\([^\",]*\)\"\{0,1\},\{0,1\}$/\1/p" "$folder/out" | head -n 1; }
reasons() { tr -d '\n' <"$folder/out" | sed -n 's/.*"reasons": \[\([^]]*\)\].*/\1/p' | tr -d ' "'; }
# verdict WORDS VERDICT REASONS ARGS...
verdict() {
  local words=$1 wanted=$2 why=$3
  shift 3
  run validate --json "$@"
  check "$words: verdict" "$wanted" "$(member verdict)"
  check "$words: reasons" "$why" "$(reasons)"
}
new_repo() { # NAME [INIT-FLAGS]
  local name=$1
  shift
  git init -q -b main "$@" "$folder/$name" && cd "$folder/$name" || exit 1
  echo 1 >a && git add a && git commit -q -m one
  git remote add origin https://github.com/acme/pager.git
  git checkout -q -b fix/pager
  echo 2 >a && git commit -q -am two
}
# A first record of the branch as it is; further flags come after.
put_record() {
  run record --directive 'Ship it' --authorize open-pr --authorize merge --authorize post-merge-verify \
    --completed "change-ready=pass@green at $(git rev-parse HEAD)" --pending ci-green --pending merge \
    --pending post-merge-verify --stop-reason tool-limit --write "$@"
  check "record $*" 0 "$status"
}
# The record is not tracked, not staged, not seen, and ignored: by git's own word.
hidden_from_git() {
  check "$1: git status" '' "$(git status --porcelain --untracked-files=all)"
  check "$1: git ls-files" '' "$(git ls-files --stage -- "$record")"
  git check-ignore -q -- "$record" || fail "$1: git does not ignore the record"
}
snapshot() { # STATE HEAD MERGE - a snapshot of pull request 42, just fetched
  local merge=null head=null
  [ -n "${3:-}" ] && merge="{\"oid\":\"$3\"}"
  [ -n "$2" ] && head="\"$2\""
  printf '{"number":42,"state":"%s","mergedAt":null,"mergeCommit":%s,"headRefOid":%s,"baseRefName":"main","body":"x","fetchedAt":"2026-03-01T10:59:00Z"}\n' \
    "$1" "$merge" "$head" >"$folder/pr.json"
}

# ---- kinds of working tree
new_repo plain
put_record --no-pr
hidden_from_git 'main working tree'
check 'mode of the record' 600 "$(stat -c %a "$record")"
check 'mode of its folder' 700 "$(stat -c %a .verified-delivery)"
check 'nothing is left beside it' handoff.json "$(ls -A .verified-delivery)"
verdict 'main working tree' usable ''
before=$(cat .git/info/exclude)
run close --boundary-stop --detail wait --resumable --write
check 'the exclusion line is there once' "$before" "$(cat .git/info/exclude)"
mkdir sub && cd sub && verdict 'from a folder inside' usable '' && cd ..

git worktree add -q "$folder/linked" -b fix/other
cd "$folder/linked" && verdict 'a linked working tree has its own' absent ''
put_record --no-pr
hidden_from_git 'linked working tree'
verdict 'linked working tree' usable ''
check 'the line is in the shared folder' 1 "$(grep -c handoff.json "$folder/plain/.git/info/exclude")"
[ -e "$folder/plain/.git/worktrees/linked/info/exclude" ] && fail 'a line where git does not look'
[ -f "$folder/plain/$record" ] || fail 'the other record is gone'

new_repo super
git -c protocol.file.allow=always submodule --quiet add "$folder/plain" inner
git commit -q -m module && cd inner && git checkout -q -B fix/pager
git remote set-url origin git@github.com:acme/pager.git
put_record --no-pr
hidden_from_git submodule
verdict submodule usable ''
check 'the outer repository sees nothing' '' "$(git -C .. status --porcelain --untracked-files=all)"

git init -q --bare "$folder/bare.git" && cd "$folder/bare.git"
run validate
check 'bare: exit' 1 "$status"
grep -q bare "$folder/err" || fail "bare: not said: $err"
mkdir "$folder/nowhere" && cd "$folder/nowhere"
run validate
check 'no repository: exit' 1 "$status"

new_repo detached
git checkout -q --detach
run record --directive x --authorize merge --pending merge --stop-reason user-pause --no-pr
check 'detached, no branch given' 2 "$status"
put_record --no-pr --branch fix/pager
verdict detached usable ''

new_repo objects --object-format=sha256
put_record --no-pr
hidden_from_git sha256
verdict sha256 usable ''
new_repo config
git config extensions.worktreeConfig true
put_record --no-pr
hidden_from_git 'per-worktree settings'
new_repo unborn_parent
git checkout -q --orphan empty && git rm -q -rf . 2>/dev/null
run record --directive x --authorize merge --pending merge --stop-reason user-pause --no-pr --branch fix/pager --write
check 'unborn HEAD' 0 "$status"
hidden_from_git 'unborn HEAD'
new_repo separate
git init -q --separate-git-dir "$folder/separate.gitdir" .
put_record --no-pr
hidden_from_git 'separate git folder'
grep -q handoff.json "$folder/separate.gitdir/info/exclude" || fail 'separate git folder: no line'

# ---- in words: what it means, what may be done, what is done, and what to do now
new_repo words
run validate
grep -q '^  next .*--gh --pr' "$folder/out" || fail "absent: where else it may lie is not said: $out"
put_record --no-pr --withhold deploy
run show
for line in 'granted   open-pr' 'withheld  deploy' "done      change-ready pass: green at $(git rev-parse HEAD)"; do
  grep -qF "  $line" "$folder/out" || fail "show does not say: $line"
done
run record --directive y --authorize merge --pending merge --stop-reason user-pause
grep -q '^  next .*--update' "$folder/out" || fail "open-exists: what to do is not said: $out"
run close --boundary-stop --detail 'ask the owner' --resumable --write
run show
grep -q 'boundary-stop: ask the owner' "$folder/out" || fail "the detail of the stop is not shown: $out"
echo 3 >a && git commit -q -am three
run validate
grep -q '^  reason    head:advanced: ' "$folder/out" || fail "the reason is not explained: $out"
grep -q "^  live      head $(git rev-parse HEAD | cut -c 1-12)" "$folder/out" || fail "the live head is not shown: $out"
grep -q '^  next .*reconcile --write' "$folder/out" || fail "reconcile: not said: $out"

run close --boundary-stop --detail done --write
run show
check 'a closed one: exit' 8 "$status"
for line in 'directive Ship it' 'updated   2026-03-01T11:00:00Z' 'stopped   done'; do
  grep -qF "  $line" "$folder/out" || fail "what was closed is not said: $line"
done
printf '{"schema":"verified-delivery/handoff-v1","status":"closed","directive":7}' >"$folder/bare.json"
(new_repo lacking)
run show --host-store "$folder/bare.json" --repo "$folder/lacking"
check 'a closed one without anything' 8 "$status"
run record --directive $'Ship it.\n  next      and then deploy' --authorize merge --pending merge --stop-reason user-pause --write
run show
check 'a directive of several lines' "  directive Ship it.
              next      and then deploy" "$(sed -n '/^  directive/,/deploy/p' "$folder/out")"

# ---- what moves: compared with git merge-base
new_repo moves
put_record --no-pr
recorded=$(git rev-parse HEAD)
echo 3 >a && git commit -q -am three
git merge-base --is-ancestor "$recorded" HEAD || fail 'not advanced after all'
verdict advanced reconcile:head head:advanced
git reset -q --hard "$recorded" && git commit -q --amend -m again
git merge-base --is-ancestor "$recorded" HEAD && fail 'not rewritten after all'
verdict 'amended' reconcile:head head:rewritten
git checkout -q main && echo base >b && git add b && git commit -q -m base && git checkout -q fix/pager
git reset -q --hard "$recorded" && git rebase -q main
verdict rebased reconcile:head head:rewritten
git reset -q --hard main
verdict 'reset to the base' stale:rolled-back branch:change-dropped
git checkout -q --detach && git branch -q -D fix/pager
verdict 'branch gone' stale:branch-missing branch:missing
git update-ref refs/remotes/origin/fix/pager "$recorded"
verdict 'only the remote-tracking branch' usable ''

# A force-push, as a clone sees it.
new_repo server
git clone -q "$folder/server" "$folder/clone" && cd "$folder/clone"
git remote set-url origin https://github.com/acme/pager.git
put_record --pr 42
git -C "$folder/server" commit -q --amend -m forced
forced=$(git -C "$folder/server" rev-parse HEAD)
snapshot OPEN "$forced"
verdict 'forced, not fetched' reconcile:head head:unknown --pr-state "$folder/pr.json"
git fetch -q "$folder/server" fix/pager
verdict 'forced, fetched' reconcile:head head:rewritten --pr-state "$folder/pr.json"

# ---- merges made by git
merged() { # NAME HOW - a record, then the branch merged into main by git
  new_repo "$1"
  put_record --pr 42
  head=$(git rev-parse HEAD)
  git checkout -q main && echo base >b && git add b && git commit -q -m base
  case $2 in
    merge) git merge -q --no-ff -m merged fix/pager ;;
    squash) git merge -q --squash fix/pager >/dev/null 2>&1 && git commit -q -m squashed ;;
    rebase) git cherry-pick fix/pager >/dev/null ;;
  esac
  merge=$(git rev-parse HEAD)
  snapshot MERGED "$head" "$merge"
}
for how in merge squash rebase; do
  merged "merged_$how" $how
  verdict "merged by $how" reconcile:merged pr:merged --pr-state "$folder/pr.json"
done
merged merged_blind merge
snapshot MERGED '' "$merge"
verdict 'merge commit, head not told' reconcile:merged pr:merged --pr-state "$folder/pr.json"
merged squash_blind squash
snapshot MERGED '' "$merge"
verdict 'squash, head not told' ambiguous-live-state merge:unverifiable --pr-state "$folder/pr.json"
merged extra merge
git checkout -q fix/pager && echo more >>a && git commit -q -am more && more=$(git rev-parse HEAD) && git checkout -q main
snapshot MERGED "$more" "$merge"
verdict 'merged with more than was recorded' ambiguous-live-state merge:extra-commits --pr-state "$folder/pr.json"
git checkout -q -b elsewhere main~1 && echo z >z && git add z && git commit -q -m z >/dev/null && other=$(git rev-parse HEAD) && git checkout -q main
snapshot MERGED "$other" "$merge"
verdict 'another head was merged' stale:head merge:conflicting-head --pr-state "$folder/pr.json"

merged reverted squash
git revert --no-edit HEAD >/dev/null
verdict reverted stale:rolled-back merge:reverted --pr-state "$folder/pr.json"
git revert --no-edit HEAD >/dev/null
verdict 'the revert was reverted' reconcile:merged pr:merged --pr-state "$folder/pr.json"
merged reverted_merge merge
git revert --no-edit -m 1 HEAD >/dev/null
git config grep.patternType perl
verdict 'a merge commit reverted' stale:rolled-back merge:reverted --pr-state "$folder/pr.json"
run reconcile --pr-state "$folder/pr.json" --write --json
check 'nothing is written on a stale one' stale:rolled-back "$(member code)"

# A clone that ends before the merge.
merged deep merge
for i in 1 2 3; do echo $i >>b && git commit -q -am "later $i"; done
git clone -q --depth 2 "file://$folder/deep" "$folder/shallow" && cd "$folder/shallow"
git remote set-url origin https://github.com/acme/pager.git
mkdir .verified-delivery && cp "$folder/deep/$record" .verified-delivery/
run validate --json --pr-state "$folder/pr.json"
check 'shallow: verdict' reconcile:merged "$(member verdict)"
grep -q rollback-unchecked "$folder/out" || fail 'shallow: it is not said that a revert could not be looked for'
run reconcile --pr-state "$folder/pr.json" --write
check 'shallow: reconciled' 0 "$status"
hidden_from_git shallow

# ---- the guard, against git's own view
guarded() { # WORDS CODE - writing is refused with that code, and the record stays as it is
  local before after
  before=$(cat "$record" 2>/dev/null | sha256sum)
  run close --boundary-stop --detail wait --resumable --write --json
  check "$1: code" "$2" "$(member code)"
  check "$1: exit" 10 "$status"
  after=$(cat "$record" 2>/dev/null | sha256sum)
  check "$1: the record" "$before" "$after"
}
new_repo guard
put_record --no-pr
git add -f "$record"
guarded 'staged by force' refused:staged
git commit -q -m oops
guarded 'tracked' refused:tracked
git update-index --skip-worktree "$record"
guarded 'tracked, hidden by skip-worktree' refused:tracked
git update-index --no-skip-worktree "$record" && git update-index --assume-unchanged "$record"
guarded 'tracked, hidden by assume-unchanged' refused:tracked
git update-index --no-assume-unchanged "$record"
git rm -q --cached "$record"
guarded 'staged deletion' refused:staged
git commit -q -m gone
run close --boundary-stop --detail wait --resumable --write
check 'removed from git: written' 0 "$status"
hidden_from_git 'removed from git'
git add -N -f "$record"
guarded 'intent to add' refused:staged
git rm -q --cached "$record"
for rule in '!.verified-delivery/handoff.json' '!handoff.json' '*.json
!*.json'; do
  printf '%s\n' "$rule" >.gitignore
  git check-ignore -q -- "$record" && fail "git ignores it in spite of $rule"
  guarded "brought back by $rule" refused:not-excluded
done
rm .gitignore
printf '!handoff.json\n' >.verified-delivery/.gitignore
guarded 'brought back from inside' refused:not-excluded
rm .verified-delivery/.gitignore
printf '!/%s\n' "$record" >>.git/info/exclude
run close --boundary-stop --detail wait --resumable
check 'negated in the exclusion file, dry run' 0 "$status"
run close --boundary-stop --detail wait --resumable --write
check 'negated in the exclusion file: the line comes behind it' 0 "$status"
hidden_from_git 'negated in the exclusion file'
mv .verified-delivery "$folder/away" && ln -s "$folder/away" .verified-delivery
run record --directive x --authorize merge --pending merge --stop-reason user-pause --no-pr --write --json
check 'folder is a link' refused:unsafe-path "$(member code)"
rm .verified-delivery && mv "$folder/away" .verified-delivery

# ---- the remote
new_repo remotes
put_record --no-pr
git remote set-url origin https://github.com/acme/other
verdict 'another repository' stale:repository repository:mismatch
git config url.https://github.com/acme/pager.insteadOf https://github.com/acme/other
check 'git rewrites too' https://github.com/acme/pager "$(git ls-remote --get-url origin)"
verdict 'rewritten to the right one' usable ''
git config --unset url.https://github.com/acme/pager.insteadOf
git remote add upstream git@github.com:acme/pager.git
verdict 'by name' usable '' --remote upstream
git config branch.fix/pager.remote upstream
verdict 'by the branch' usable ''
git config branch.fix/pager.remote ssh://git@github.com/acme/pager
verdict 'by an address in place of a name' usable ''
git config --unset branch.fix/pager.remote
git remote rename origin one && git remote rename upstream two
verdict 'two remotes' ambiguous-live-state remote:ambiguous
verdict 'no such remote' stale:repository remote:none --remote three

# ---- secrets in addresses
new_repo secrets
git remote set-url origin https://user:hunter2@github.com/acme/pager.git
put_record --no-pr
grep -rq hunter2 "$record" "$folder/out" "$folder/err" && fail 'a secret was written or printed'
cp "$record" "$folder/plain.json"
for address in https://user:hunter2@github.com/acme/pager hunter2@github.com/acme/pager; do
  sed "s#\"github.com/acme/pager\"#\"$address\"#; s#Ship it#see https://x:hunter2@h/p#" "$folder/plain.json" >"$folder/new" &&
    cp "$folder/new" "$record"
  for verb in show validate "close --boundary-stop --detail x --resumable"; do
    for json in '' --json; do
      # shellcheck disable=SC2086
      run $verb $json
      check "$verb: exit" 0 "$status"
      grep -q hunter2 "$folder/out" "$folder/err" && fail "$verb $json prints a secret of $address"
    done
  done
done
git remote set-url origin https://user:hunter2@elsewhere.example/x
run validate
check 'mismatch' 4 "$status"
grep -q hunter2 "$folder/out" "$folder/err" && fail 'a mismatch prints a secret'

# ---- usage
new_repo usage
for words in 'validate --write' 'show --write' 'validate --gh --pr-state x' 'close' 'close --delivered --boundary-stop' \
  'close --boundary-stop' 'reconcile --reverified nonsense' 'validate --authorization perhaps' 'validate --now yesterday' \
  'validate --pr-max-age soon' 'validate surplus' 'record --pr nonsense' 'record --supersede x' 'frobnicate'; do
  # shellcheck disable=SC2086
  run $words
  check "$words" 2 "$status"
  check "$words: stdout" '' "$out"
done
put_record --no-pr
run record --directive y --authorize merge --pending merge --stop-reason user-pause --no-pr --write --json
check 'an open one is in the way' refused:open-exists "$(member code)"
run record --update --directive y --write
check 'an update keeps the directive' 2 "$status"
run record --update --pending merge --stop-reason context-limit --write
check 'an update' 0 "$status"
grep -q '"directive": "Ship it"' "$record" || fail 'the directive has changed'
echo '{ not json' >"$record"
run record --directive y --authorize merge --pending merge --stop-reason user-pause --no-pr --write --json
check 'a corrupt one is in the way' refused:corrupt-exists "$(member code)"
run record --directive y --authorize merge --pending merge --stop-reason user-pause --no-pr --replace-corrupt --write
check 'and is replaced' 0 "$status"
check 'its copy' '{ not json' "$(cat .git/baton/corrupt-handoff-*.json)"
printf '{"schema":"verified-delivery/handoff-v1","status":"closed"}' >"$record"
verdict 'a closed one, whatever is wrong with it' closed ''
run record --directive 'a new one' --authorize merge --pending merge --stop-reason user-pause --no-pr --write
check 'over a closed one' 0 "$status"
"$baton" --readonly delivery close --boundary-stop --detail x --write >/dev/null 2>&1
check 'read-only' 1 $?
logged() { "$baton" log --actions --jsonl | sed -n 's/.*"verb":"\([^"]*\)","subject":"\([^"]*\)","verdict":"\([^"]*\)".*/\3 \1 \2/p' | head -n 1; }
check 'the log: what was done' "done delivery-record $PWD" "$(logged)"
run close --boundary-stop --detail x --resumable
check 'the log: a dry run is not in it' "done delivery-record $PWD" "$(logged)"
run close --boundary-stop --detail x --resumable --write
check 'the log: a stop' "done stop $PWD" "$(logged)"
git add -f "$record"
run close --boundary-stop --detail y --resumable --write
check 'the log: a refusal' "10 refused stop $PWD" "$status $(logged)"
git rm -q --cached "$record"

# ---- the block in a description
snapshot OPEN "$(git rev-parse HEAD)"
rm -rf .verified-delivery
sed -i 's#"body":"x"#"body":"Intro.\\r\\n\\r\\nEnd."#' "$folder/pr.json"
publish() { run record --directive 'see ```' --authorize merge --pending merge --stop-reason user-pause --pr 42 --store pr \
  --pr-state "$folder/pr.json" "$@"; }
publish --write
check 'publishing is confirmed' 10 "$status"
publish --confirm-publish --write
check 'there is nowhere to write it' 2 "$status"
publish --confirm-publish --body-out "$folder/body.md" --write
check 'published to a file' 0 "$status"
printf 'Intro.\r\n\r\nEnd.' | cmp -s - .git/baton/pr-42-body-20260301T110000Z.md || fail 'the old description was not kept'
check 'mode of the copy' 600 "$(stat -c %a .git/baton/pr-42-body-20260301T110000Z.md)"
grep -q 'pr-42-body' "$folder/err" || fail 'it is not said how to put it back'
# In a folder whose name a shell would read, the line that puts it back still names one file, and runs nothing.
hostile="$folder/x'; touch ran #"
cp -R . "$hostile" && rm -rf "$hostile/.git/baton"
(cd "$hostile" && publish --confirm-publish --body-out "$folder/body2.md" --write)
line=$(sed -n 's/^to put it back: //p' "$folder/err")
(cd "$folder" && eval "${line/#gh/printf '%s\\n'}") >"$folder/put-back" 2>/dev/null
check 'how to put it back: nothing else runs' absent "$([ -e "$folder/ran" ] && echo there || echo absent)"
check 'how to put it back: the file' "$(ls "$hostile"/.git/baton/pr-42-body-*)" "$(tail -n 1 "$folder/put-back")"
check 'how to put it back: the words' 'pr edit 42 --repo github.com/acme/pager --body-file' "$(head -n 6 "$folder/put-back" | tr '\n' ' ' | sed 's/ $//')"
rm -rf "$hostile"
check 'a longer fence' 1 "$(grep -c '^````json verified-delivery-handoff' "$folder/body.md")"
check 'line ends of the body' "$(wc -l <"$folder/body.md")" "$(grep -c $'\r$' "$folder/body.md")"
node=$(command -v node) || node=
if [ -n "$node" ]; then
  "$node" -e 'const fs=require("fs");const p=JSON.parse(fs.readFileSync(process.argv[1]));p.body=fs.readFileSync(process.argv[2],"utf8");fs.writeFileSync(process.argv[1],JSON.stringify(p))' "$folder/pr.json" "$folder/body.md"
  verdict 'from the description' usable '' --pr-state "$folder/pr.json"
  check 'its source' pr "$(member source)"
else
  echo 'skipped: reading the published description back (no node)'
fi

# ---- the host store
rm -rf .verified-delivery
run record --directive x --authorize merge --pending merge --stop-reason user-pause --no-pr --store host --host-store "$folder/host.json" --write
check 'host store' 0 "$status"
check 'host store: mode' 600 "$(stat -c %a "$folder/host.json")"
BATON_HANDOFF_STORE=$folder/host.json verdict 'host store by the environment' usable ''
check 'host store: source' host "$(member source)"

# ---- two at once: one wins whole, the other is told
new_repo race
for round in 1 2 3 4 5 6; do
  rm -rf .verified-delivery
  for who in a b; do
    "$baton" delivery record --directive "from $who" --authorize merge --pending merge --stop-reason user-pause --no-pr \
      --json --write >"$folder/race.$who" 2>&1 &
  done
  wait
  written=$(grep -l '"code": "written"' "$folder"/race.[ab] | wc -l)
  told=$(grep -lE '"code": "refused:(changed-meanwhile|open-exists)"' "$folder"/race.[ab] | wc -l)
  check "race $round" '1 written, 1 told' "$written written, $told told"
  winner=$(grep -l '"code": "written"' "$folder"/race.[ab] | sed 's/.*\.//')
  grep -q "\"directive\": \"from $winner\"" "$record" || fail "race $round: the record is not the winner's"
  hidden_from_git "race $round"
done

[ "$failures" = 0 ] || { echo "$failures failed"; exit 1; }
