#!/usr/bin/env bash
# The deliveries page and the handover column in the real program, on a repository made by git and a transcript: what is
# shown is what the command line says, and what a dialog writes is what its command writes.
. "$(dirname "$0")/lib.sh" "$@"
command -v jq > /dev/null || { echo 'skipped: no jq'; exit 77; }
[ -n "$baton" ] || { echo 'skipped: no program'; exit 77; }
export HOME=$work/home GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null
export GIT_AUTHOR_NAME=t GIT_AUTHOR_EMAIL=t@t GIT_COMMITTER_NAME=t GIT_COMMITTER_EMAIL=t@t
folder=$work/pager
other=$work/other-tree
session=0f0f0f0f-1111-4222-8333-444444444444
record=.verified-delivery/handoff.json
mkdir -p "$HOME"
commit() { git -C "$1" commit -q --allow-empty -m "$2"; }
git init -q -b main "$folder" || { echo 'skipped: no git'; exit 77; }
commit "$folder" one
git -C "$folder" remote add origin https://op:secret@github.com/acme/pager.git
git -C "$folder" checkout -q -b fix/pager
commit "$folder" two
git -C "$folder" worktree add -q -b other "$other" main
commit "$other" three
mkdir -p "$folder/.ai"
: > "$folder/.ai/manifest.yaml"
git -C "$folder" add .ai && commit "$folder" four
delivery() { "$baton" delivery "$@"; }
head=$(git -C "$folder" rev-parse HEAD)
delivery record --repo "$folder" --directive 'Ship it' --authorize open-pr --pending ci-green --pending open-pr \
  --stop-reason tool-limit --no-pr --completed "change-ready=pass@tests at $head" --watcher "ci:$head" --write > /dev/null || fail 'no record'
delivery record --repo "$other" --directive 'Ship that' --authorize merge --pending merge --pr 7 --stop-reason worker-loss --write > /dev/null ||
  fail 'no other record'
commit "$folder" five

# A forge that answers from a file, late where `slow` is there.
cat > "$work/gh" << 'EOF'
#!/bin/sh
here=${0%/*}
echo "$*" >> "$here/gh.calls"
echo $$ > "$here/gh.pid"
[ ! -e "$here/slow" ] || sleep 30
cat "$here/gh.answer"
EOF
chmod +x "$work/gh"
printf '{"state":"OPEN","mergedAt":null,"mergeCommit":null,"headRefOid":"%s","body":"","number":7,"baseRefName":"main"}' \
  "$(git -C "$other" rev-parse HEAD)" > "$work/gh.answer"

usage() { # INPUT
  printf '{"type":"assistant","sessionId":"%s","cwd":"%s","timestamp":"%s","uuid":"u%s","message":{"id":"m%s","role":"assistant","model":"model-x","content":[{"type":"text","text":"ok"}],"usage":{"input_tokens":%s,"output_tokens":5}}}\n' \
    "$session" "$folder" "$(date -u +%Y-%m-%dT%H:%M:%S.000Z)" "$1" "$1" "$1"
}
transcript=$HOME/.claude/projects/-pager/$session.jsonl
mkdir -p "${transcript%/*}"
usage 90000 > "$transcript"

mux new-session -d -x 120 -y 36 "env -i PATH='$PATH' HOME='$HOME' TMPDIR='$work' TZ=UTC TERM=tmux-256color LC_ALL=C.UTF-8 \
   GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null BATON_GH='$work/gh' ASAN_OPTIONS='${ASAN_OPTIONS:-}:log_path=$work/asan' \
   bash --norc -c 'cd \"$folder\" && \"$baton\"; echo \"left with \$?\"; exec cat'" || { echo 'skipped: tmux cannot start'; exit 77; }
mux set-option -g escape-time 0
see 'worst first'

# The verdicts are those of the command line; nobody has asked the forge.
verdict() { delivery validate --repo "$1" --json "${@:2}" | jq -r .verdict; }
check 'moved' test "$(verdict "$folder")" = reconcile:head
check 'unknown' test "$(verdict "$other")" = ambiguous-live-state
keys V
see 'pager +reconcile:head +ci-green'
see 'other-tree +ambiguous-live-state +merge +#7 \?'
see "INVALID +change-ready pass: tests at $head"
see "ci:$head: unknown, wait for it or supersede it"
check 'nobody asked' test ! -e "$work/gh.calls"
unseen() { ! screen | grep -q secret; }
check 'no secret' unseen

# Cancel first; a dialog that is left writes nothing.
before=$(cat "$folder/$record")
keys r
see 'Reconcile the delivery in'
see '▸\[ Cancel \]'
see 'baton delivery reconcile --repo'
keys Enter
see 'left: nothing was written'
check 'the record is what it was' test "$before" = "$(cat "$folder/$record")"

# What the dialog writes is what its command writes, but for the times.
timeless() { sed -E 's/[0-9-]+T[0-9:]+Z/TIME/g'; }
delivery reconcile --repo "$folder" --json | jq .after | timeless > "$work/expected"
keys r
see '▸\[ Cancel \]'
see 'baton delivery reconcile --repo' # the plan is there
keys Tab Tab
see '▸\[ reconcile \]'
keys Enter
see 'reconciled: the record follows what is true now'
see 'pager +usable +change-ready'
check 'the same record' cmp -s <(timeless < "$folder/$record") "$work/expected"
check 'usable now' test "$(verdict "$folder")" = usable
check 'git does not see it' test -z "$(git -C "$folder" status --porcelain -- "$record")"

# The forge is asked where it is asked to.
keys j f
see 'other-tree +usable +merge +#7 open'
check 'asked once' test "$(wc -l < "$work/gh.calls")" = 1
check 'as the command line says' test "$(BATON_GH=$work/gh verdict "$other" --gh)" = usable

# A stop needs to be told what stopped it.
keys s
see 'say what stopped it'
keys Escape
see 'left: nothing was written'
# The column: armed, due, acknowledged by a dialog, and as `ask watch` says.
keys Escape
see 'worst first'
state() { "$baton" ask watch --session "$session" --json | jq -r '.[0].state'; }
see '45% 50k left'
check 'armed' test "$(state)" = armed
usage 150000 >> "$transcript"
see 'handover due'
see 'HANDOVER DUE 1'
check 'due' test "$(state)" = due
keys H
see "Acknowledge the request for $session"
see '▸\[ Cancel \]'
keys Tab Tab
see '▸\[ acknowledge \]'
keys Enter
see 'asked: the request was passed on'
see 'asked [0-9]'
check 'asked' test "$(state)" = asked

# Leaving waits for nobody.
keys V
see 'other-tree'
: > "$work/slow"
keys f
see 'asking the forge'
keys q q
see 'left with 0'
gone() { ! kill -0 "$(cat "$work/gh.pid")" 2> /dev/null; }
until_true gone || fail 'a forge is still asked after the end'
finish
