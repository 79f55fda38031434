#!/usr/bin/env bash
# tests/cli/test_ask.sh BATON - asking for a handover, from transcripts that grow and in trees that have a policy.
set -u
baton=$(realpath "$1")
folder=$(mktemp -d "${TMPDIR:-/tmp}/baton-ask.XXXXXX") || exit 1
trap 'rm -rf "$folder"' EXIT
unset XDG_CONFIG_HOME CLAUDE_CONFIG_DIR
export HOME=$folder/home XDG_STATE_HOME=$folder/state GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
failures=0
fail() { printf 'FAIL %s\n' "$*"; failures=$((failures + 1)); }
check() { [ "$2" = "$3" ] || fail "$1: wanted [$2], got [$3]"; }
projects=$HOME/.claude/projects
mkdir -p "$projects/p" "$folder/root/.ai"
fills() { # SESSION FILL... - appends measurements
  local session=$1 fill
  shift
  for fill in "$@"; do
    printf '{"type":"assistant","sessionId":"%s","cwd":"%s","timestamp":"2026-03-01T10:00:00.000Z","message":{"model":"m","usage":{"input_tokens":%d}}}\n' \
      "$session" "$folder/root" "$fill" >>"$projects/p/$session.jsonl"
  done
}
says() { printf '{"type":"user","timestamp":"2026-03-01T10:01:00.000Z","message":{"role":"user","content":"%s"}}\n' "$2" >>"$projects/p/$1.jsonl"; }
state() { "$baton" ask watch --json --session "$1" | sed -n 's/.*"state":"\([^"]*\)".*/\1/p'; }

# ---- the gate, the states, the exit status
"$baton" ask watch >"$folder/out"
check 'nothing there' 0 $?
fills s1 100000 141000
check 'no manifest' unsupervised "$(state s1)"
: >"$folder/root/.ai/manifest.yaml"
check 'past the line' due "$(state s1)"
"$baton" ask watch >"$folder/out"
check 'due: exit' 3 $?
grep -q 'handover due' "$folder/out" || fail 'due: not said'
fills s2 1000
"$baton" ask watch --json --session s2 >"$folder/out"
check 'another session: exit' 0 $?
check 'the snapshot' "{\"session\":\"s2\",\"root\":\"$folder/root\",\"state\":\"armed\",\"fill\":1000,\"window\":200000,\"line\":140000,\"percent\":1,\"ordinal\":0,\"last_event\":\"measure\"}" \
  "$(sed -n 2p "$folder/out")"
check 'another window' armed "$("$baton" ask watch --json --session s1 --window 1000000 | sed -n 's/.*"state":"\([^"]*\)".*/\1/p')"
[ -e "$folder/state/baton" ] && fail 'looking wrote something'

# ---- records: the worker's where the command that wrote them is there, else derived; none is touched
kept=$folder/root/.ai/local/state
mkdir -p "$kept/handovers" "$kept/checkpoints"
line() { printf '%s\n' "$1" >>"$projects/p/s9.jsonl"; }
call() { # ID TIME
  line "{\"type\":\"assistant\",\"cwd\":\"$folder/root\",\"timestamp\":\"$2\",\"message\":{\"content\":[{\"type\":\"tool_use\",\"id\":\"$1\",\"name\":\"Bash\",\"input\":{\"command\":\"majordomus handover < b.md\"}}]}}"
}
result() { # ID TIME TEXT
  line "{\"type\":\"user\",\"timestamp\":\"$2\",\"message\":{\"content\":[{\"type\":\"tool_result\",\"tool_use_id\":\"$1\",\"content\":\"$3\"}]}}"
}
left() { # PATH TIME
  echo x >"$kept/$1"
  touch -d "$2" "$kept/$1"
}
call t1 2026-03-01T10:00:00.000Z
result t1 2026-03-01T10:00:05.000Z "written to $kept/handovers/named.md."
call t2 2026-03-01T11:00:00.000Z
result t2 2026-03-01T11:00:09.000Z ok
left handovers/named.md 2026-03-01T10:20:00Z
left handovers/while.md 2026-03-01T11:00:04Z
left handovers/continuation.md 2026-03-01T11:01:00Z
left handovers/before.md 2026-02-01T11:01:00Z
left checkpoints/c1.json 2026-03-01T10:30:00Z
before=$(cd "$kept" && find . -type f -exec stat -c '%n %Y %s' {} + | sort)
check 'whose records' 'handover derived continuation.md
handover worker while.md
checkpoint derived c1.json
handover worker named.md' "$("$baton" ask watch --session s9 --records | sed -n 's,^    [^ ]* \([a-z]* [a-z]*\)  .*/,\1 ,p')"
# Another session that was at work then: the worker's records are not taken for its own, nor for derived ones.
mv "$projects/p/s9.jsonl" "$folder/s9.jsonl"
line "{\"type\":\"user\",\"cwd\":\"$folder/root\",\"timestamp\":\"2026-03-01T09:00:00.000Z\",\"message\":{\"content\":\"x\"}}"
line "{\"type\":\"user\",\"timestamp\":\"2026-03-01T12:00:00.000Z\",\"message\":{\"content\":\"x\"}}"
mv "$projects/p/s9.jsonl" "$projects/p/s8.jsonl" && mv "$folder/s9.jsonl" "$projects/p/s9.jsonl"
check 'records of the one beside it' 'handover derived continuation.md
checkpoint derived c1.json' "$("$baton" ask watch --session s8 --records | sed -n 's,^    [^ ]* \([a-z]* [a-z]*\)  .*/,\1 ,p')"
check 'only the one asked for' 1 "$("$baton" ask watch --session s8 --records --json | grep -c '"session"')"
rm "$projects/p/s8.jsonl"
check 'records in JSON' 4 "$("$baton" ask watch --session s9 --records --json | grep -o '"by":"' | wc -l)"
check 'a derived record is no answer' written "$(state s9)"
check 'no record is touched' "$before" "$(cd "$kept" && find . -type f -exec stat -c '%n %Y %s' {} + | sort)"
# Many sessions and many records: all of it, or an error.
many=$folder/many/p
mkdir -p "$many"
for ((i = 0; i < 2000; i++)); do : >"$kept/checkpoints/a-record-with-a-name-of-some-length-so-that-it-takes-room-$i.json"; done
find "$kept/checkpoints" -type f -exec touch -d 2026-03-01T10:30:00Z {} +
for ((i = 0; i < 60; i++)); do cp "$projects/p/s9.jsonl" "$many/m$i.jsonl"; done
"$baton" ask watch --projects "$folder/many" --records --json >"$folder/out"
check 'many records: exit' 0 $?
check 'many records: each' $((60 * 2004)) "$(grep -o '"kind":' "$folder/out" | wc -l)"
check 'many records: whole' ']' "$(tail -n 1 "$folder/out")"
rm -rf "$folder/many"
rm -rf "$kept" "$projects/p/s9.jsonl"

# ---- passed on by the operator, remembered over a restart
"$baton" ask ack s2 2>/dev/null
check 'nothing due' 1 $?
"$baton" ask ack s1 >/dev/null
check 'ack' 0 $?
check 'acknowledged' asked "$(state s1)"
check 'it is in the log of what was done' 1 "$("$baton" log --actions --jsonl | grep -c '"verb":"acknowledge","session":"s1","verdict":"done"')"
kept=$(stat -c %i "$folder/state/baton/ask/s1.json")
check 'said again' asked "$("$baton" ask ack s1 2>&1)"
check 'said again: nothing is noted' "$kept" "$(stat -c %i "$folder/state/baton/ask/s1.json")"
check 'mode of the state file' 600 "$(stat -c %a "$folder/state/baton/ask/s1.json")"
fills s1 155000
check 'still' asked "$(state s1)"
printf '{"type":"system","subtype":"compact_boundary"}\n' >>"$projects/p/s1.jsonl"
check 'compacted' re-armed "$(state s1)"
"$baton" ask watch --session s1 | grep -q compacted-before-written || fail 'compacted before it was written: not said'
fills s1 145000
check 'a new window' due "$(state s1)"
says s1 '[baton:handover-request v1 fill=1 window=2 line=3]'
check 'the request was seen' asked "$(state s1)"
"$baton" ask text s1 | head -n 1 | grep -qx '\[baton:handover-request v1 fill=145000 window=200000 line=140000\]' || fail 'the text'
"$baton" ask text nobody 2>/dev/null
check 'no such session' 1 $?
for words in 'text' 'text ../x' 'watch --once --follow' 'watch --window none' 'watch s1' 'ack a b' 'frobnicate' 'install --colour'; do
  # shellcheck disable=SC2086
  "$baton" ask $words >/dev/null 2>&1
  check "$words" 2 $?
done

# ---- two transcripts of one id, of a project that was moved: the one that was written to last counts
mkdir -p "$projects/a" && mv "$projects/p/s2.jsonl" "$projects/a/sm.jsonl"
touch -d '1 hour ago' "$projects/a/sm.jsonl"
fills sm 144000
check 'moved: one' 1 "$("$baton" ask watch --json --session sm | grep -c '"session"')"
check 'moved: the later one' due "$(state sm)"
"$baton" ask text sm | grep -q 'fill=144000 ' || fail 'moved: the text is of the other one'
touch -d '2 hours ago' "$projects/p/sm.jsonl"
check 'moved: now the other' armed "$(state sm)"
rm -r "$projects/a"
check 'moved: only one is left' due "$(state sm)"
rm "$projects/p/sm.jsonl"

# ---- following: each ask once, over restarts too
wait_for() { # COUNT PATTERN FILE - up to ten seconds
  local i
  for i in $(seq 100); do
    [ "$(grep -c "$2" "$3" 2>/dev/null)" -ge "$1" ] && return 0
    sleep 0.1
  done
  return 1
}
fills s3 1000
"$baton" ask watch --follow --json --session s3 >"$folder/follow" 2>&1 &
follower=$!
sleep 0.3 # either way it is said: as what is due at the start, or as what happens
fills s3 141000
wait_for 1 '"event":"ask"' "$folder/follow" || fail 'follow: no ask'
says s3 '[baton:handover-request v1]'
wait_for 1 '"event":"asked"' "$folder/follow" || fail 'follow: not asked'
mv "$projects/p/s3.jsonl" "$folder/s3.jsonl"
wait_for 1 '"event":"ended"' "$folder/follow" || fail 'follow: no end'
kill "$follower"
wait "$follower" 2>/dev/null
grep -q '^{"schema":"baton/ask-event-v1","event":"ask","session":"s3","root":"'"$folder/root"'","fill":141000,"window":200000,"line":140000,"ordinal":0,"at":"2026-03-01T10:00:00.000Z"}$' "$folder/follow" ||
  fail "follow: the event is $(cat "$folder/follow")"
fills s4 150000
for round in 1 2; do
  "$baton" ask watch --follow --json --session s4 >"$folder/follow.$round" 2>&1 &
  follower=$!
  if [ $round = 1 ]; then
    wait_for 1 '"event":"ask"' "$folder/follow.1" || fail 'what is due at the start is not said'
    wait_for 1 notified "$folder/state/baton/ask/s4.json" || fail 'what was said is not remembered'
  else
    fills s4 151000
    sleep 0.5
  fi
  kill "$follower"
  wait "$follower" 2>/dev/null
done
check 'said once' 0 "$(grep -c '"event":"ask"' "$folder/follow.2")"
# What others acknowledge is heard, and never written away; what is put in the place of a transcript is read and told anew.
fills s6 1000
fills s7 1000
"$baton" ask watch --follow --json --session s6 --session s7 >"$folder/follow" 2>&1 &
follower=$!
fills s6 141000
wait_for 1 '"event":"ask","session":"s6"' "$folder/follow" || fail 'follow: no ask of s6'
"$baton" ask ack s6 >/dev/null
wait_for 1 '"event":"asked","session":"s6"' "$folder/follow" || fail 'follow: an acknowledgement is not heard'
printf '{"type":"system","subtype":"compact_boundary"}\n' >>"$projects/p/s6.jsonl"
fills s6 142000
wait_for 2 '"event":"ask","session":"s6"' "$folder/follow" || fail 'follow: no second ask of s6'
wait_for 1 'notified": \[0, 1\]' "$folder/state/baton/ask/s6.json" || fail 'follow: the second ask is not remembered'
grep -q '"acked": \[0\]' "$folder/state/baton/ask/s6.json" || fail "follow: acks are gone: $(cat "$folder/state/baton/ask/s6.json")"
cp "$projects/p/s7.jsonl" "$folder/s7.jsonl"
fills s7 2000 143000
mv "$projects/p/s7.jsonl" "$folder/longer" && cat "$folder/longer" >>"$folder/s7.jsonl" && mv "$folder/s7.jsonl" "$projects/p/s7.jsonl"
wait_for 1 '"event":"ask","session":"s7"' "$folder/follow" || fail 'follow: a replaced transcript is due, and nothing is said'
kill "$follower"
wait "$follower" 2>/dev/null
# After /clear nothing is known of how full the window is.
says s7 '<command-name>/clear</command-name>'
"$baton" ask watch --json --session s7 | grep -q '"state":"re-armed","fill":null,"window":null,"line":null,"percent":null,' ||
  fail "cleared: $("$baton" ask watch --json --session s7)"
"$baton" ask text s7 >/dev/null 2>&1
check 'cleared: no text' 1 $?
# A transcript that shrank is read from the start.
fills s5 150000
check 'before' due "$(state s5)"
: >"$projects/p/s5.jsonl" && fills s5 1000
check 'after' armed "$(state s5)"

# ---- baton's own settings
mkdir -p "$HOME/.config/baton"
printf '{"roots":{"%s":{"headroom_tokens":10000,"max_fill_permille":950}}}' "$folder/root" >"$HOME/.config/baton/ask.json"
check 'another line' armed "$(state s4)"
echo broken >"$HOME/.config/baton/ask.json"
"$baton" ask watch 2>&1 >/dev/null | grep -q ask.json || fail 'broken settings: not said'
rm "$HOME/.config/baton/ask.json"

# ---- the mod
git init -q "$folder/repo" && cd "$folder/repo" || exit 1
mkdir -p .ai/repo sub && echo 'version: 1' >.ai/manifest.yaml
mod=.claude/skills/baton-handover
switch() { printf 'session:\n  handover_on_fill: %s\n' "$1" >.ai/repo/policy.yaml; }
gives() { # WORDS RESULT EXIT ARGS...
  local words=$1 result=$2 wanted=$3 got status
  shift 3
  got=$("$baton" ask "$@" 2>"$folder/err")
  status=$?
  check "$words" "$result" "$got"
  check "$words: exit" "$wanted" "$status"
}
gives 'off, and not there' would:not-written 0 install
grep -q 'the switch is off: ' "$folder/err" || fail 'off, and not there: it is not said why'
gives 'off, to be written' not-written 0 install --write
grep -q 'the switch is off: ' "$folder/err" || fail 'off, to be written: it is not said why'
"$baton" --readonly ask install --write >/dev/null 2>"$folder/err"
check 'read-only, and off' 1 $?
grep -q 'read-only' "$folder/err" || fail 'read-only, and off: not said'
switch true
gives 'a dry run' would:written 0 install
[ -e .claude ] && fail 'a dry run wrote'
(cd sub && "$baton" ask install --write >/dev/null)
[ -f $mod/hooks/register.ts ] || fail 'not installed at the root of the repository'
gives 'installed again' unchanged 0 install --write
check 'status' '{"schema":"baton/ask-status-v1","provider":"claude-code","aspect":"handover","state":"wired","reason":"mod:not-seen-loaded","switch":true,"switch_reason":"policy:true","path":".claude/skills/baton-handover"}' \
  "$("$baton" ask status --json)"
"$baton" ask status --check >/dev/null
check 'status --check' 0 $?
for odd in '"true"' "'true'" True TRUE yes on 1 '!!bool true' 'true#x' '|
    true' '&a true' '[true]' '{a: true}' 'true
    more' '' '~'; do
  switch "$odd"
  "$baton" ask status --json | grep -q '"switch":false' || fail "on by $odd"
done
switch true
rm .ai/manifest.yaml
"$baton" ask status --json | grep -q '"switch":false' || fail 'on without a manifest'
echo 'version: 1' >.ai/manifest.yaml
echo '// mine' >>$mod/hooks/register.ts
"$baton" ask status --check >/dev/null
check 'drifted' 3 $?
gives 'written again' rewritten 0 install --write
switch false
gives 'switched off' removed 0 install --write
[ -e .claude/skills/baton-handover ] && fail 'still there'
[ -d .claude/skills ] || fail 'more than ours was taken away'
switch true
"$baton" ask install --write >/dev/null
"$baton" ask remove --write 2>"$folder/err" >/dev/null
grep -q 'next' "$folder/err" || fail 'it is not said that it will come back'
mkdir -p .claude/skills/majordomus-handover/hooks && echo '// majordomus' >.claude/skills/majordomus-handover/hooks/register.ts
gives 'two would ask' refused:asks-twice 10 install --write
gives 'alongside' written 0 install --write --alongside
# One that is cut short, by a signal or by an error, leaves nothing half done that the next one takes for somebody else's.
leftovers() { find .claude -mindepth 1 ! -name skills | sort | tr '\n' ' '; }
for how in 'killed:-' 'full:trap "" XFSZ'; do
  rm -rf .claude
  (ulimit -c 0 -f 1 && { [ "${how#*:}" = - ] || eval "${how#*:}"; } && exec "$baton" ask install --write) >"$folder/out" 2>&1
  check "${how%%:*}: exit" no "$([ $? = 0 ] && echo yes || echo no)"
  [ -e $mod ] && fail "${how%%:*}: half a mod"
  gives "${how%%:*}: then whole" written 0 install --write
  echo '// mine' >>$mod/hooks/register.ts
  (ulimit -c 0 -f 1 && { [ "${how#*:}" = - ] || eval "${how#*:}"; } && exec "$baton" ask install --write) >"$folder/out" 2>&1
  gives "${how%%:*}: rewritten" rewritten 0 install --write
  gives "${how%%:*}: removed" removed 0 remove --write
  check "${how%%:*}: left" '' "$(leftovers)"
done
mkdir -p $mod/hooks $mod/.claude-plugin
gives 'folders without a file are nothing' written 0 install --write
echo precious >"$folder/precious" && ln -sf "$folder/precious" $mod/hooks/hooks.json
gives 'a link in the place of a file' rewritten 0 install --write
check 'what it pointed to' precious "$(cat "$folder/precious")"
mv $mod/.claude-plugin "$folder/plugin" && ln -s "$folder/plugin" $mod/.claude-plugin
switch false
gives 'the module goes, whatever stands beside it' removed 0 install --write
check 'behind the link' plugin.json "$(ls "$folder/plugin")"
check 'and the link stays' '.claude/skills/baton-handover .claude/skills/baton-handover/.claude-plugin ' "$(leftovers)"
switch true
rm -rf .claude && mkdir "$folder/elsewhere" && ln -s "$folder/elsewhere" .claude
gives 'a link in the path' refused:unsafe-path 10 install --write
check 'nothing went through the link' '' "$(ls -A "$folder/elsewhere")"
rm .claude && mkdir -p $mod/hooks && echo '// hers' >$mod/hooks/register.ts
gives 'what somebody else wrote' foreign-kept 0 install --write
check 'what somebody else wrote is as it was' '// hers' "$(cat $mod/hooks/register.ts)"
gives 'no adapter' refused:no-adapter 10 install --provider other --write
"$baton" ask status --provider $'\033[31m' | grep -q $'\033' && fail 'a word is printed as it came'
"$baton" --readonly ask install --write --root "$folder/root" >/dev/null 2>&1
cd "$folder/elsewhere" && "$baton" ask install >/dev/null 2>&1
check 'no repository' 1 $?

mkdir "$folder/none"
"$baton" ask watch --projects "$folder/none" 2>&1 | grep -q "^no session .*/none$" || fail 'nothing is said where there is nothing'

# What a code means, and what would turn it: beside the result, which is one line.
mkdir "$folder/told" && cd "$folder/told" && git init -q .
check 'not written: the result' would:not-written "$("$baton" ask install 2>"$folder/err")"
grep -q '^the switch is off: there is no .ai/manifest.yaml' "$folder/err" || fail "not said what is missing: $(cat "$folder/err")"
mkdir -p .ai/repo && touch .ai/manifest.yaml
"$baton" ask install 2>&1 | grep -q 'handover_on_fill: true' || fail 'the switch is not named'
"$baton" ask status | grep -q '^  the switch is off: there is no .ai/repo/policy.yaml' || fail 'status does not say why it is off'
printf 'session:\n  handover_on_fill: true\n' >.ai/repo/policy.yaml
"$baton" ask status | grep -q '^  .*ask install --write' || fail 'status does not say how it gets there'
"$baton" ask install 2>&1 >/dev/null | grep -q -- '--write' || fail 'a dry run is not called one'
check 'JSON stays alone' '' "$("$baton" ask install --json 2>&1 >/dev/null)"

[ "$failures" = 0 ] || { echo "$failures failed"; exit 1; }
