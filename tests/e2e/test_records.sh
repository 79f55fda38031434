#!/usr/bin/env bash
# The records page and the dialog that builds a record, by keys on the sample ledger: what is written is what the command line
# writes from the command that the dialog shows.
. "$(dirname "$0")/lib.sh" "$@"
command -v jq > /dev/null || { echo 'skipped: no jq'; exit 77; }
[ -n "$baton" ] || { echo 'skipped: no program'; exit 77; }
folder=$work/sample
export HOME=$work/home
store=$HOME/.local/share/baton/records
mkdir -p "$HOME"
"$baton" sample "$folder" > /dev/null || fail 'no sample ledger'

# The program itself, since the transcripts are what this is about.
begin() { # FLAGS...
  mux kill-server 2> /dev/null
  run=$((${run:-0} + 1))
  socket=e2e$run
  mux new-session -d -x 120 -y 36 "env -i PATH='$PATH' HOME='$HOME' TMPDIR='$work' TZ=UTC TERM=tmux-256color LC_ALL=C.UTF-8 \
     PAGER='less' ASAN_OPTIONS='${ASAN_OPTIONS:-}:log_path=$work/asan' \
     bash --norc -c 'cd \"$folder\" && \"$baton\" $*; echo \"left with \$?\"; exec cat'" || { echo 'skipped: tmux cannot start'; exit 77; }
  mux set-option -g escape-time 0
}
records() { "$baton" records "$@"; }
begin; ready
ledger=$(tree "$folder")

# An empty store, and a session without a transcript.
keys a
see 'No record has been built yet in .*/baton/records'
keys Escape
see 'worst first'
pick sess-1
keys A
see 'record: no transcript of this session was found'

# The dialog says what is written where; Cancel has the focus; Enter, the same key and a paste change nothing.
keys '\'
pick 7f3a91c2
see '83\.0%'
keys A
see 'Build the record of 7f3a91c2-auth'
see '▸\[ Cancel \]'
see '1  read +/'
see '2  make folder'
see 'baton records build'
keys A
paste $'\t\t\n'
keys Enter
see 'left: nothing was written'
check 'nothing was written' test ! -e "$store/projects"

keys A
see '▸\[ Cancel \]'
keys Tab Tab
see '▸\[ build \]'
keys Enter
see 'recorded [0-9]+ turns, [0-9]+ of them new, in( |$)'
check 'the record verifies' records verify 7f3a
check 'and in depth' records verify --deep 7f3a
check 'the ledger is what it was' test "$ledger" = "$(tree "$folder")"
check 'the action log says so' grep -q '"verb":"record".*"verdict":"done"' "$HOME/.local/state/baton/log"

# The same from the command line, into another store.
made=$(find "$store/projects" -name manifest.json -exec dirname {} \;)
transcript=$(jq -r '.source_paths[0]' "$made/manifest.json")
(cd "$folder" && HANDOFFS_ROOT=$work/other "$baton" records build --from "$transcript" --harness claude-code) > /dev/null || fail 'the command line does not build it'
twin=$work/other/projects/$(basename "$(dirname "$made")")/$(basename "$made")
for file in timeline.jsonl TOOLS.md; do check "the same $file" cmp -s "$made/$file" "$twin/$file"; done
settled='del(.created_at, .updated_at, .manifest_sha256, .generated_at, .provenance.manifest_sha256?)'
for file in manifest.json HANDOFF.summary.json HANDOFF.llm.json; do
  check "the same $file" test "$(jq -S "$settled" "$made/$file")" = "$(jq -S "$settled" "$twin/$file")"
done

# The page: verdict and source; the brief; then the source grows, and the same key refreshes.
keys a
see 'PASS +unchanged'
see '1 record in 1 project +all verify'
keys Enter
see '^# Handoff: '
keys q
see 'newest first'
cp "$transcript" "$work/kept"
printf '%s\n' '{"type":"user","sessionId":"7f3a91c2-auth","timestamp":"2026-10-09T14:21:00.000Z","message":{"role":"user","content":"one more word"}}' >> "$transcript"
keys R
see 'PASS +grown'
keys A
see 'Refresh the record of 7f3a91c2-auth'
see 'Adds 1 turn to the record'
keys Tab Tab Enter
see 'recorded [0-9]+ turns, 1 of them new'
see 'PASS +unchanged'
check 'revision 2' test "$(jq .revisions "$made/manifest.json")" = 2
check 'and verifies' records verify --deep 7f3a
keys A
see 'the record is up to date'
keys Tab Tab Enter
check 'a locked button does nothing' test "$(jq .revisions "$made/manifest.json")" = 2
keys Escape

# Somebody else builds between the plan and the key: nothing is done unseen.
printf '%s\n' '{"type":"user","sessionId":"7f3a91c2-auth","message":{"role":"user","content":"two more words"}}' >> "$transcript"
keys A
see 'Adds 1 turn to the record'
(cd "$folder" && records build --from "$transcript" --harness claude-code) > /dev/null || fail 'a build beside it'
keys Tab Tab Enter
see 'changed while you were looking|the record changed under this command'
check 'revision 3 is the other one' test "$(jq .revisions "$made/manifest.json")" = 3
keys Escape

# Damage is seen, and a source that is gone.
printf '{"class":"USER","text":"smuggled in"}\n' >> "$made/timeline.jsonl"
mv "$transcript" "$work/moved"
keys R
see 'FAIL +gone'
see '1 FAIL'
see 'turn count drift'
mkdir -p "$store/projects/sample/torn" && printf '{' > "$store/projects/sample/torn/manifest.json"
keys R
see 'torn +- +\? +\? +\? FAIL +\?'
keys G
see 'its manifest does not parse'
rm -r "$store/projects/sample/torn"
keys q
see 'worst first'
keys q
see 'left with 0'

# Read-only: looked at, and the button stays locked.
mv "$work/moved" "$transcript"
truncate -s "$(($(stat -c %s "$made/timeline.jsonl") - 38))" "$made/timeline.jsonl"
before=$(tree "$store")
printf '%s\n' '{"type":"user","sessionId":"7f3a91c2-auth","message":{"role":"user","content":"three"}}' >> "$transcript"
begin --readonly; ready
pick 7f3a91c2
see '83\.0%'
keys a
see 'PASS +grown'
keys A
see 'read-only: started with --readonly'
keys Tab Tab Enter Escape
see 'newest first'
keys q q
see 'left with 0'
check 'read-only writes nothing' test "$before" = "$(tree "$store")"

# A source that was named by a relative path is not known from here; of two the one that was read last counts.
mkdir "$work/there"
printf '{"role":"user","text":"one"}\n' > "$work/there/one.jsonl"
printf '{"role":"user","text":"one"}\n{"role":"user","text":"two"}\n' > "$work/there/two.jsonl"
(cd "$work/there" && records build --source one.jsonl --session both && records build --source "$work/there/two.jsonl" --session both &&
  records build --source one.jsonl --session apart) > /dev/null || fail 'the relative sources'
begin; ready
keys a
see 'apart .* PASS +\?'
see 'not known from here: its path is relative'
see 'both .* PASS +unchanged'
printf '{"role":"user","text":"one"}\n' > "$folder/one.jsonl"
keys R
see 'apart .* PASS +unchanged'
rm "$folder/one.jsonl"
keys q q
see 'left with 0'
finish
