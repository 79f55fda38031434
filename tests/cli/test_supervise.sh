#!/usr/bin/env bash
# tests/cli/test_supervise.sh BATON BATON_FAST - supervise carries a stand-in harness from session to session, and leaves it alone
# when it cannot.
set -u
baton=$2
harness=$(cd "$(dirname "$0")" && pwd)/harness.sh
folder=$(mktemp -d "${TMPDIR:-/tmp}/baton-supervise.XXXXXX") || exit 1
started=''
clean_up() {
  local pid
  for pid in $started; do kill -9 "$pid" 2>/dev/null; done
  for pid in $(sed -n 's/^pid //p' "$folder"/*/logs/[0-9]* 2>/dev/null); do kill -9 "$pid" 2>/dev/null; done
  chattr -R -i "$folder" 2>/dev/null
  rm -rf "$folder"
}
trap clean_up EXIT
for name in $(compgen -e | grep -E '^(CLAUDE|ADLC|CODEX|BATON)'); do unset "$name"; done
# Poll, quiescence and grace. A session that ends by itself is not waited for, so `patient` costs nothing there; where it
# stays, `quick` hands it on after its last words; `still` never does.
quick='50 1000 2000' patient='50 60000 400' still=$patient
export TZ=UTC BATON=$baton BATON_TEST_TIMES=$quick BATON_TEST_BUDGET=60000
key=key-that-nobody-may-see
failures=0
fail() { printf 'FAIL %s\n' "$*"; failures=$((failures + 1)); }
check() { [ "$2" = "$3" ] || fail "$1: wanted [$2], got [$3]"; }
await() { # WORDS COMMAND...: within twenty seconds
  local words=$1 tries=0
  shift
  until "$@"; do
    tries=$((tries + 1))
    [ $tries -lt 400 ] || { fail "$words: never came"; return 1; }
    sleep 0.05
  done
}
world() { # NAME: a fresh repository and home
  where=$folder/$1
  mkdir -p "$where/r/.adlc" "$where/home" "$where/logs"
  export HOME=$where/home LOGS=$where/logs
  cd "$where/r" || exit 1
  printf '"T-1"' >.adlc/current-ticket.json
}
supervise() { ADLC_MANIFEST_KEY=$key "$baton" supervise --json -- "$harness" "$@" >"$where/out" 2>"$where/err"; echo $?; }
launch() { # in the background, in a process group of its own as a shell would make one
  set -m
  ADLC_MANIFEST_KEY=$key ADLC_ADMIN_KEY=$key CLAUDECODE=1 CLAUDE_CODE_CHILD_SESSION=x CLAUDE_CODE_SESSION_ID=y \
    CLAUDE_CODE_ENTRYPOINT=z CLAUDE_CODE_FOO=kept ADLC_HANDOFF_SUPERVISED=no \
    "$baton" supervise --json -- "$harness" >"$where/out" 2>"$where/err" &
  wrapper=$!
  set +m
  started="$started $wrapper"
}
value() { sed -n "s/^  \"$1\": \"\{0,1\}\([^\",]*\)\"\{0,1\},\{0,1\}$/\1/p" "$where/out"; }
sessions() { sed -n '/"sessions": \[/,/\]/s/^    "\(.*\)",\{0,1\}$/\1/p' "$where/out"; }
first() { sed -n 's/^session //p' "$LOGS/1"; }
child() { sed -n 's/^pid //p' "$LOGS/${1:-1}"; }
alive() { [ -d "/proc/$1" ] && ! grep -q '^State:.[ZX]' "/proc/$1/status" 2>/dev/null; }
gone() { ! alive "$1"; }
denied() { grep -q '"open"' .adlc/handoffs/denies/*.json 2>/dev/null; }
denied_is() { grep -l "\"status\": \"$1\"" .adlc/handoffs/denies/*.json 2>/dev/null | wc -l; }
verify() { ADLC_MANIFEST_KEY=$key "$baton" verify >/dev/null 2>&1; echo $?; }
nothing_consumed() {
  check "$1: consumed denies" 0 "$(denied_is consumed)"
  check "$1: authorizations" 0 "$(ls .adlc/handoffs/*.resume-auth.json 2>/dev/null | wc -l)"
}
explained() { "$baton" list --json >"$where/list" && grep -q '"state"' "$where/list" || fail "$1: the dashboard cannot tell"; }

# ---- three successions
world three
status=$(supervise)
check 'three: exit' 0 "$status"
check 'three: reason' child_exited "$(value reason)"
check 'three: continuations' 3 "$(value continuations)"
check 'three: sessions are those that ran' "$(for n in 1 2 3 4; do sed -n 's/^session //p' "$LOGS/$n"; done)" "$(sessions)"
check 'three: consumed' 3 "$(denied_is consumed)"
check 'three: authorizations' 3 "$(ls .adlc/handoffs/*.resume-auth.json | wc -l)"
check 'three: briefs' 3 "$(ls .adlc/handoffs/content/*.md | wc -l)"
check 'three: evidence' 3 "$(grep -c context-handoff-continue .adlc/manifest.jsonl)"
check 'three: it verifies' 0 "$(verify)"
check 'three: no locks' 0 "$(find .adlc -name '*.lock' | wc -l)"
check 'three: no abnormal end' '[]' "$(sed -n 's/^  "abnormalExits": \(.*\),$/\1/p' "$where/out")"
grep -q '^prompt You are the continuation of session '"$(first)" "$LOGS/2" || fail 'three: the successor has no prompt'
check 'three: the prompt is one argument' 3 "$(sed -n 's/^arguments //p' "$LOGS/2")"
check 'three: the first has none' 2 "$(sed -n 's/^arguments //p' "$LOGS/1")"
grep -q 'summary of session 1' .adlc/handoffs/content/"$(first)".md || fail 'three: the summary is not in the brief'
check 'three: supervised' 4 "$(grep -lx 'ADLC_HANDOFF_SUPERVISED=1' "$LOGS"/? | wc -l)"
check 'three: the state file is gone' 0 "$(ls "$HOME/.local/state/baton/supervise" | wc -l)"
! grep -rqF "$key" "$where" || fail 'three: the key is in a file'
[ "$failures" = 0 ] || exit 1 # nothing below can hold

# ---- what a session ends with
world behave
for behave in exit busy; do
  rm -rf .adlc/handoffs .adlc/.deny-store .adlc/manifest.jsonl "$LOGS"/*
  BATON_TEST_TIMES=$patient
  [ $behave = exit ] || BATON_TEST_TIMES=$quick
  check "$behave: exit" 0 "$(BEHAVE=$behave LAST=2 supervise)"
  check "$behave: continuations" 1 "$(value continuations)"
done
grep -q 'still busy 10' .adlc/handoffs/content/*.md || fail 'busy: it was not waited until the transcript was quiet'
world deaf
BATON_TEST_TIMES='50 1000 400'
check 'deaf: exit' 0 "$(BEHAVE=deaf LAST=2 supervise)"
grep -q 'SIGKILL' "$where/err" || fail 'deaf: SIGKILL is not told'
gone "$(child)" || fail 'deaf: it lives'
world crash
BATON_TEST_TIMES=$patient
check 'crash: exit' 0 "$(BEHAVE=crash LAST=3 supervise)"
check 'crash: both are told' 2 "$(grep -c '"signal": "SIGSEGV"' "$where/out")"
check 'crash: continuations' 2 "$(value continuations)"
world fails
BATON_TEST_TIMES='50 150 400' # nobody reads the last words
check 'fails: exit' 3 "$(LAST=2 LAST_STATUS=5 supervise)"
check 'fails: reason' child_failed "$(value reason)"
world dark
check 'no transcript: exit' 0 "$(NO_TRANSCRIPT=1 LAST=2 supervise)"
grep -q 'WARNING' "$where/err" || fail 'no transcript: not told'

# ---- no automatic continuation: the session is left alone and nothing is consumed
degrades() { # NAME: `launch` has been made able to fail before
  launch
  await "$1: the message" grep -q 'cannot be continued automatically' "$where/err" || return
  alive "$wrapper" || fail "$1: the wrapper is gone"
  alive "$(child)" || fail "$1: the session is gone"
  grep -q 'still running and still denied. Nothing was consumed' "$where/err" || fail "$1: what became of it is not told"
  grep -q "handoff continue --deny-session $(first) --write" "$where/err" || fail "$1: no line to copy"
  nothing_consumed "$1"
  explained "$1"
  sleep 0.3
  alive "$(child)" || fail "$1: the session was ended"
  kill -9 "$(child)"
  wait "$wrapper"
  check "$1: exit" 2 $?
  check "$1: reason" degraded "$(value reason)"
  check "$1: one message" 1 "$(grep -c 'cannot be continued' "$where/err")"
  ! grep -q context-handoff-continue .adlc/manifest.jsonl 2>/dev/null || fail "$1: evidence of what was not done"
}
world unbound; rm .adlc/current-ticket.json; degrades unbound
world conflict; export ADLC_TICKET=T-9; printf '"T-1"' >.adlc/current-ticket.json
degrades conflict
unset ADLC_TICKET
world evidence; echo 'not a manifest' >.adlc/manifest.jsonl; degrades evidence
world brief; mkdir -p .adlc/handoffs; echo file >.adlc/handoffs/content; degrades brief
world locked
sleep 300 & holder=$!
started="$started $holder"
export AWAIT=$where/locked
( # the lock of a living process appears as soon as the session is known
  until [ -s "$LOGS/1" ]; do sleep 0.05; done
  mkdir -p .adlc/handoffs
  printf '{"schema":1,"session_id":"x","pid":%s,"started_at":"2026-01-01T00:00:00.000Z","host":"%s","nonce":"00"}' \
    "$holder" "$(uname -n)" >".adlc/handoffs/$(sed -n 's/^session //p' "$LOGS/1").lock"
  : >"$AWAIT"
) &
degrades locked
unset AWAIT
kill "$holder" 2>/dev/null

# The brief changes between the continue step and the look at it: nobody is started with it, and what is told is what is true.
world tamper
BATON_TEST_TAMPER=1 launch
await 'tamper: the message' grep -q 'cannot be continued automatically: the brief of .* does not verify' "$where/err"
successor=$(basename "$(ls .adlc/handoffs/*.resume-auth.json)" .resume-auth.json)
grep -q "still running and still denied. Its deny was consumed: $successor may go on with its work" "$where/err" ||
  fail 'tamper: what became of it is not told'
! grep -q 'Nothing was consumed' "$where/err" || fail 'tamper: it was consumed'
sleep 0.3
alive "$wrapper" && alive "$(child)" || fail 'tamper: the session was ended'
check 'tamper: nobody else was started' 1 "$(ls "$LOGS" | wc -l)"
check 'tamper: consumed' 1 "$(denied_is consumed)"
check 'tamper: no prompt of it' 2 "$(ADLC_MANIFEST_KEY=$key "$baton" bootstrap "$successor" >/dev/null 2>&1; echo $?)"
explained tamper
kill -9 "$(child)"
wait "$wrapper"
check 'tamper: exit' 2 $?
check 'tamper: reason' degraded "$(value reason)"
check 'tamper: sessions' "$(first)" "$(sessions)"
brief=.adlc/handoffs/content/$(first).md
sed -i '$d' "$brief" # as it was
ADLC_MANIFEST_KEY=$key "$baton" bootstrap "$successor" | grep -q '^You are the continuation' || fail 'tamper: no way on'

# ---- signals
BATON_TEST_TIMES=$still
world once
launch
await 'once: denied' denied
kill -INT -- -"$wrapper" # as a terminal does: to the whole group
wait "$wrapper"
status=$?
check 'once: exit' 0 $status
case $(value reason) in
  interrupted) ;;
  *) fail "once: $(value reason)" ;;
esac
check 'once: no locks' 0 "$(find .adlc -name '*.lock' | wc -l)"
explained once

world watching # before any deny: the harness waits for something else
cat >"$where/idle.sh" <<'IDLE'
#!/usr/bin/env bash
count=0
trap 'count=$((count + 1)); echo $count >"$LOGS/interrupts"; [ $count -lt 4 ] || exit 0' INT
echo "pid $$" >"$LOGS/1"
while :; do sleep 0.05; done
IDLE
chmod +x "$where/idle.sh"
real_harness=$harness harness=$where/idle.sh
passed_on() { [ "$(cat "$LOGS/interrupts" 2>/dev/null)" = "$1" ]; }
launch
await 'twice: it runs' test -s "$LOGS/1"
for count in 1 2 3; do
  alive "$wrapper" || fail 'twice: the wrapper left its session'
  kill -INT "$wrapper"
  await "twice: $count is passed on" passed_on $count
done
sleep 0.2
alive "$wrapper" || fail 'twice: the wrapper left its session'
kill -INT "$wrapper"
wait "$wrapper"
check 'twice: exit' 0 $?
check 'twice: reason' interrupted "$(value reason)"
harness=$real_harness

for signal in TERM HUP KILL; do
  world "dies-$signal"
  launch
  await "$signal: denied" denied
  await "$signal: its state is told" grep -q quiet "$HOME"/.local/state/baton/supervise/*.json
  "$baton" supervise --list --json | grep -q "$(first)" || fail "$signal: not in the list"
  "$baton" list --json | grep -q '"supervised": \[$' || fail "$signal: not in the dashboard"
  kill -"$signal" "$wrapper"
  await "$signal: the wrapper ends" gone "$wrapper"
  wait "$wrapper" 2>/dev/null
  alive "$(child)" || fail "$signal: the session went with the wrapper"
  nothing_consumed "$signal"
  check "$signal: nobody believes the state file" 1 "$("$baton" supervise --list | wc -l)"
  explained "$signal"
  ADLC_MANIFEST_KEY=$key "$baton" continue --deny-session "$(first)" --session by-hand --write >/dev/null 2>"$where/err" ||
    fail "$signal: it cannot be handed on by hand: $(cat "$where/err")"
  kill -9 "$(child)"
done

# Killed at any moment: whatever lock is left can be taken, and the ledger is one that can be explained.
BATON_TEST_TIMES='50 150 400'
export LAST=1000 # however late this script looks, a session is still denied
handed_on() { # every session that is denied now; one that a successor just begun will run into is not waited for
  local marker id
  [ -z "$(find .adlc -name '*.lock')" ] || return 1 # a continue step that was under way comes to its own end
  for marker in .adlc/handoffs/denies/*.json; do
    grep -q '"open"' "$marker" || continue
    id=$(basename "$marker" .json)
    ADLC_MANIFEST_KEY=$key "$baton" continue --deny-session "$id" --session "after-$id" --write >/dev/null 2>"$where/err" ||
      return 1
  done
}
for delay in 0.05 0.2 0.25 0.3 0.4; do
  world "kill-$delay"
  launch
  await "kill $delay: denied" denied
  sleep "$delay"
  kill -9 "$wrapper"
  await "kill $delay: the wrapper ends" gone "$wrapper"
  wait "$wrapper" 2>/dev/null
  await "kill $delay: handed on by hand, unless it was already" handed_on || cat "$where/err"
  explained "kill $delay"
  case $(verify) in 0) ;; *) fail "kill $delay: the evidence does not hold" ;; esac
  for log in "$LOGS"/[0-9]*; do kill -9 "$(sed -n 's/^pid //p' "$log")" 2>/dev/null; done
done
unset LAST

# ---- who sees the key, and the marks of another session
BATON_TEST_TIMES=$still
world secret
launch
await 'secret: denied' denied
for who in "$wrapper" "$(child)"; do
  environ=$(tr '\0' '\n' <"/proc/$who/environ")
  [ -n "$environ" ] || fail 'secret: nothing to look at'
  case $environ in *"$key"*) fail 'secret: the key is in an environment' ;; esac
done
environ=$(cat "$LOGS/1")
for name in CLAUDECODE CLAUDE_CODE_CHILD_SESSION CLAUDE_CODE_SESSION_ID CLAUDE_CODE_ENTRYPOINT ADLC_MANIFEST_KEY ADLC_ADMIN_KEY; do
  ! grep -q "^$name=" <<<"$environ" || fail "secret: $name reaches the session"
done
grep -qx 'CLAUDE_CODE_FOO=kept' <<<"$environ" || fail 'secret: a name that only looks like one is gone'
check 'secret: the mark' 1 "$(grep -c '^ADLC_HANDOFF_SUPERVISED=1$' <<<"$environ")"
check 'secret: one process group' "$(ps -o pgid= -p "$wrapper" | tr -d ' ')" "$(ps -o pgid= -p "$(child)" | tr -d ' ')"
for argv in "/proc/$wrapper/cmdline" "/proc/$(child)/cmdline"; do
  ! tr '\0' ' ' <"$argv" | grep -qF "$key" || fail 'secret: the key is an argument'
done
kill -INT -- -"$wrapper"
wait "$wrapper"
[ "$failures" = 0 ]
