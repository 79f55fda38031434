#!/usr/bin/env bash
# tests/cli/test_verbs.sh BATON - the verbs that change the ledger, as scripts call them: flags, exit statuses, who speaks
# where, what stays unchanged, and what never appears anywhere.
set -u
baton=$1
folder=$(mktemp -d "${TMPDIR:-/tmp}/baton-verbs.XXXXXX") || exit 1
trap 'rm -rf "$folder"' EXIT
unset ADLC_TICKET NO_COLOR XDG_STATE_HOME
secret='a key that must be found nowhere'
export HOME=$folder/home ADLC_MANIFEST_KEY=$secret
failures=0
fail() { printf 'FAIL %s\n' "$*"; failures=$((failures + 1)); }
# check WORDS WANTED GOT
check() { [ "$2" = "$3" ] || fail "$1: wanted [$2], got [$3]"; }
tree() { (cd "$1" && find . -exec stat -c '%n %f %s' {} + | sort && find . -type f -exec sha256sum {} + | sort) | sha256sum; }
log=$HOME/.local/state/baton/log
# refuses STATUS WORDS ARGS... - exit status, nothing on stdout, something on stderr, the ledger as before
refuses() {
  local status=$1 words=$2 before
  shift 2
  before=$(tree .)
  "$baton" "$@" >"$folder/out" 2>"$folder/err"
  check "$words" "$status" $?
  [ -s "$folder/out" ] && fail "$words: writes to stdout"
  [ -s "$folder/err" ] || fail "$words: says nothing"
  if [ "$status" = 1 ]; then
    grep -q '^error: ' "$folder/err" || fail "$words: no error prefix"
  else
    grep -q '^error: ' "$folder/err" && fail "$words: a refusal has no prefix"
  fi
  check "$words: the ledger" "$before" "$(tree .)"
}
accepts() {
  local words=$1
  shift
  "$baton" "$@" >"$folder/out" 2>"$folder/err"
  check "$words" 0 $?
  [ -s "$folder/err" ] && fail "$words: $(cat "$folder/err")"
}
mkdir -p "$folder/home" "$folder/repo" && cd "$folder/repo" || exit 1

# ---- flags, left to right (the rules of the other program on this ledger)
refuses 1 'no such flag' write --session s --colour
refuses 1 'a short flag' write -s x
refuses 1 'a flag without its value' write --session
refuses 1 'an ambiguous value' write --session --json
refuses 1 'a boolean with a value' write --session s --json=yes
refuses 1 'an abbreviation' write --sess s
refuses 1 'a negation' write --session s --no-json
refuses 1 'an error before --help' write --colour --help
refuses 1 'an error behind --help' write --help --colour
refuses 1 'an unknown command' frobnicate
refuses 1 'a flag in place of a command' --json write --session s
refuses 1 'an own verb below the umbrella' handoff list
accepts 'help' write --help
grep -q -- '--session' "$folder/out" || fail 'the help does not name the flags'
accepts 'help of all' --help
accepts 'help below the umbrella' handoff help
accepts 'the umbrella' handoff write --session s --json
accepts 'joined values, the last one wins, positionals are ignored' write x - --session=a --session=b --json y -- --colour
grep -q '"session_id": "b"' "$folder/out" || fail 'the last --session does not win'
accepts 'a value that starts with a dash' write --session=-x
accepts 'a lone dash as value' write --session -
check 'a dry run writes nothing' '' "$(ls -A)"

# ---- write, unlock, undo
refuses 1 '--dir with another name' write --session s --dir state --write
refuses 1 'without a session' write --write
refuses 1 'a session with a path' write --session ../s --write
ADLC_MANIFEST_KEY='' refuses 1 'without a key' write --session s --write
accepts 'write' write --session s1 --ticket T-1 --write
check 'one line for people' 1 "$(wc -l <"$folder/out")"
refuses 1 'write drops the ticket' write --session s1 --write
refuses 1 'a plan that writes' write --session s1 --plan --write
lock() { # SESSION PID STARTED HOST
  printf '{"schema":1,"session_id":"%s","pid":%s,"started_at":"%s","host":"%s","nonce":"00112233aabbccdd"}\n' "$1" "$2" "$3" "$4" \
    >".adlc/handoffs/$1.lock"
}
host=$(uname -n)
sleep 0 & dead=$!; wait "$dead"
lock k1 "$dead" 2031-01-01T00:00:00.000Z "$host"
proofs=(--pid "$dead" --started-at 2031-01-01T00:00:00.000Z --host "$host" --nonce 00112233aabbccdd)
accepts 'unlock is a dry run' unlock --session k1 "${proofs[@]}"
grep -q 'dry-run' "$folder/out" || fail 'the dry run does not say so'
refuses 2 'another nonce' unlock --session k1 "${proofs[@]}" --nonce ffff --write
refuses 2 'another time' unlock --session k1 "${proofs[@]}" --started-at 2030-01-01T00:00:00.000Z --write
refuses 1 'no proof' unlock --session k1 --write
refuses 1 'a pid that is none' unlock --session k1 "${proofs[@]}" --pid 0 --write
tail -n 1 "$log" | grep -q '"verb":"unlock","session":"k1","verdict":"refused"' || fail 'a refusal is not in the action log'
tail -n 1 "$log" | grep -q '"uid":'"$(id -u)"',.*"host":"'"$host"'"' || fail 'the action log lacks uid or host'
check 'the action log is private' 600 "$(stat -c %a "$log")"
sum=$(sha256sum <.adlc/handoffs/k1.lock)
ADLC_MANIFEST_KEY='' accepts 'unlock needs no key' unlock --session k1 "${proofs[@]}" --write
[ -e .adlc/handoffs/k1.lock ] && fail 'the lock is still there'
accepts 'undo' undo --write
check 'undo brings the same bytes back' "$sum" "$(sha256sum <.adlc/handoffs/k1.lock)"
refuses 1 'undo twice' undo --write
accepts 'unlock again' unlock --session k1 "${proofs[@]}" --pid "$dead.0" --write
lock k1 1 2031-01-01T00:00:00.000Z "$host"
refuses 2 'undo does not write over a new lock' undo --write
refuses 2 'a living process' unlock --session k1 "${proofs[@]}" --pid 1 --write
refuses 2 'nothing proves a reused pid' unlock --session k1 "${proofs[@]}" --pid 1 --pid-reused --write
rm .adlc/handoffs/k1.lock
lock k2 1 2001-01-01T00:00:00.000Z "$host"
reused=(--session k2 --pid 1 --started-at 2001-01-01T00:00:00.000Z --host "$host" --nonce 00112233aabbccdd)
refuses 2 'a reused pid without the flag' unlock "${reused[@]}" --write
if [ -r /proc/1/stat ]; then
  accepts 'a reused pid with the flag' unlock "${reused[@]}" --pid-reused --write
else
  echo 'skipped: a reused pid, /proc/1 cannot be read'
  rm .adlc/handoffs/k2.lock
fi
lock k3 "$dead" 2031-01-01T00:00:00.000Z elsewhere.example
refuses 2 'a lock of another host' unlock --session k3 "${proofs[@]}" --host elsewhere.example --write
rm .adlc/handoffs/k3.lock
mkdir .adlc/handoffs/k3.lock
refuses 1 'a folder in the place of a lock' unlock --session k3 "${proofs[@]}" --write
check 'it is named by its errno' 'error: lock EISDIR: k3' "$(<"$folder/err")"
rmdir .adlc/handoffs/k3.lock
printf '{"version":1,"token":"tok","pid":%s,"hostname":"%s","startedAt":"2031-01-01T00:00:00.000Z"}\n' "$dead" "$host" \
  >.adlc/manifest.jsonl.lock
ledger=(--ledger-lock manifest.jsonl --pid "$dead" --started-at 2031-01-01T00:00:00.000Z --host "$host")
refuses 1 'a manifest lock stops a verb and is named' bypass --session s9 --write
grep -q 'manifest.jsonl.lock' "$folder/err" || fail 'the manifest lock is not named'
refuses 2 'a manifest lock with another token' unlock "${ledger[@]}" --nonce other --write
accepts 'a manifest lock' unlock "${ledger[@]}" --nonce tok --write --json
grep -q '"ledger_lock": "manifest.jsonl"' "$folder/out" || fail 'the payload does not name the manifest lock'
refuses 1 'no such manifest lock' unlock "${ledger[@]}" --ledger-lock ../manifest.jsonl --nonce tok --write

# ---- the printed command runs from anywhere
odd="$folder/it's a \$(place)/.adlc"
accepts 'an odd folder' write --session "$(printf 'a \033b')" --dir "$odd" --write
accepts 'its plan' write --session "$(printf 'a \033b')" --ticket "T'1" --dir "$odd" --plan
grep -q "$(printf '\033')" "$folder/out" && fail 'the plan writes an escape'
command=$(sed -n 's/^  baton write/write/p' "$folder/out")
(cd / && sh -c "'$baton' $command") >/dev/null 2>"$folder/err" || fail "the printed command does not run: $command: $(cat "$folder/err")"
grep -q "T'1" "$odd/handoffs/finals/$(printf 'a \033b').json" || fail 'the printed command did something else'

# ---- the command that a refusal names is one that can be pasted
mkdir -p "$folder/paste/.adlc/handoffs/denies" && cd "$folder/paste" || exit 1
# unbound ID WORDS - a deny of ID without a ticket is refused, and the words for --session stand in the command
unbound() {
  printf '{"session_id":"%s","status":"open","ticket_id":null}' "$1" >".adlc/handoffs/denies/$1.json"
  "$baton" continue "--deny-session=$1" 2>"$folder/err"
  check "no ticket: $1" 2 $?
  case $(<"$folder/err") in *"adlc handoff repair $2 --ticket <id> --content-hash <hash> --write") ;; *) false ;; esac ||
    fail "the command for $1 cannot be pasted: $(cat "$folder/err")"
}
unbound plain-1 '--session plain-1'
unbound '$(touch pwned)' "--session '\$(touch pwned)'"
unbound "it's" "--session 'it'\\''s'"
unbound -x '--session=-x'
unbound "$(printf 'w%.0s' {1..250})" "--session $(printf 'w%.0s' {1..250})"
cd "$folder/repo" || exit 1

# ---- read-only, plan
refuses 1 '--readonly' --readonly bypass --session s9 --write
accepts '--readonly leaves dry runs' --readonly bypass --session s9
accepts 'the plan of a continuation' continue --deny-session s1 --session s2 --plan --json
check 'it lists eight steps' 8 "$(grep -c '^      "step": ' "$folder/out")"

# ---- a link, a FIFO or a folder in the place of a record is refused, never followed
mkdir -p hostile/.adlc/handoffs/denies outside && echo keep >outside/target
for kind in link dangling fifo folder; do
  place=hostile/.adlc/handoffs/denies/h.json
  case $kind in
    link) ln -s "$PWD/outside/target" $place ;;
    dangling) ln -s "$PWD/outside/new" $place ;;
    fifo) mkfifo $place ;;
    folder) mkdir $place ;;
  esac
  before=$(tree outside)
  timeout 10 "$baton" write --session h --dir hostile/.adlc --write >/dev/null 2>"$folder/err"
  check "write over a $kind" 1 $?
  timeout 10 "$baton" continue --deny-session h --dir hostile/.adlc --write >/dev/null 2>&1
  check "continue of a $kind" 2 $?
  check "the $kind is not followed" "$before" "$(tree outside)"
  [ -e hostile/.adlc/handoffs/finals/h.json ] && fail "write over a $kind leaves its final"
  rm -rf $place
done
mkdir elsewhere && mv hostile/.adlc elsewhere/real && mv elsewhere/real elsewhere/.adlc && ln -s "$PWD/elsewhere/.adlc" hostile/.adlc
accepts '.adlc itself may be a link' write --session h --dir hostile/.adlc --write

# ---- two continuations into one successor: one wins
for n in 1 2 3 4 5 6; do
  "$baton" write --session "race-$n" --ticket T-1 --write >/dev/null || fail "cannot set race-$n up"
done
for n in 1 2 3 4 5 6; do
  "$baton" continue --deny-session "race-$n" --session one --write >/dev/null 2>"$folder/race.$n" &
  pids[n]=$!
done
won=0
for n in 1 2 3 4 5 6; do
  wait "${pids[n]}"
  status=$?
  [ "$status" = 0 ] && won=$((won + 1))
  [ "$status" = 0 ] || [ "$status" = 2 ] || fail "race-$n: exit $status: $(cat "$folder/race.$n")"
done
check 'continuations into one successor that succeed' 1 "$won"
check 'denies that are consumed' 1 "$(grep -l '"consumed"' .adlc/handoffs/denies/race-*.json | wc -l)"

# ---- twenty writers at once: all of them are recorded, and none is forgotten by the sentinel
mkdir "$folder/crowd" && cd "$folder/crowd" || exit 1
writers=()
for n in {1..20}; do
  "$baton" write --session "w$n" --write >/dev/null 2>"$folder/crowd.$n" &
  writers+=($!)
done
for n in {1..20}; do
  wait "${writers[n - 1]}" || fail "writer $n: $(cat "$folder/crowd.$n")"
done
check 'twenty entries' 20 "$(wc -l <.adlc/manifest.jsonl)"
check 'twenty registered sessions' 20 "$(grep -o '"w[0-9]*"' .adlc/.deny-store | sort -u | wc -l)"
cd "$folder/repo" || exit 1
check 'locks left' '' "$(find .adlc -name '*.lock')"
accepts 'the evidence verifies' verify
accepts 'the prompt of the successor' bootstrap one
grep -q '<<<UNTRUSTED-CAPTURE-DATA' "$folder/out" || fail 'the prompt has no brief'

# ---- the key
grep -rqF "$secret" "$folder" && fail "the key is in a file: $(grep -rlF "$secret" "$folder")"
printf '{"version":1,"token":"tok","pid":1,"hostname":"%s","startedAt":"2031-01-01T00:00:00.000Z"}\n' "$host" >.adlc/manifest.jsonl.lock
"$baton" bypass --session waits --write >/dev/null 2>&1 & waiting=$! # about two seconds for the manifest's lock
for _ in 1 2 3 4 5 6 7 8 9 10; do
  [ -e .adlc/handoffs/waits.bypass-grant.json ] && break
  sleep 0.05
done
for file in environ cmdline; do
  if ! tr '\0' '\n' <"/proc/$waiting/$file" >"$folder/proc" 2>/dev/null; then
    echo "skipped: /proc/PID/$file cannot be read"
  elif grep -qF "$secret" "$folder/proc"; then
    fail "the key is in /proc/PID/$file"
  fi
  rm -f "$folder/proc"
done
wait "$waiting"
check 'a busy manifest' 1 $?
[ -e .adlc/handoffs/waits.bypass-grant.json ] && fail 'a grant without evidence is left'
rm .adlc/manifest.jsonl.lock

# ---- a full disk and a folder that takes nothing: as before, and said
if unshare -m true 2>/dev/null; then
  unshare -m bash -s "$baton" "$folder" <<'FULL' || failures=$((failures + 1))
    baton=$1 disk=$2/disk
    mkdir "$disk" && mount -t tmpfs -o size=64k tmpfs "$disk" && cd "$disk" || { echo 'skipped: a full disk, no tmpfs'; exit 0; }
    "$baton" write --session d1 --ticket T-1 --write >/dev/null || exit 1
    "$baton" write --session d2 --ticket T-1 --write >/dev/null || exit 1
    head -c 100000 /dev/zero >filler 2>/dev/null
    sum() { find .adlc -type f ! -name .deny-store -exec sha256sum {} + | sort; }
    before=$(sum) status=0
    for words in 'continue --deny-session d1 --session d9' 'repair --session d2 --ticket T-2 --content-hash x' 'bypass --session d3' \
      'resume --session d9 --deny-session d2'; do
      # shellcheck disable=SC2086
      "$baton" $words --write >/dev/null 2>&1 && { echo "FAIL on a full disk: $words succeeds"; status=1; }
      [ "$before" = "$(sum)" ] || { echo "FAIL on a full disk: $words changed the ledger"; status=1; before=$(sum); }
    done
    # nothing can be created any more, but a lock that is there is still a lock that is held
    rm filler
    printf '{"schema":1,"session_id":"d2","pid":1,"started_at":"x","host":"%s","nonce":"n"}' "$(uname -n)" >.adlc/handoffs/d2.lock
    mount -o remount,ro "$disk" || { echo 'skipped: a read-only disk'; exit $status; }
    "$baton" repair --session d2 --ticket T-2 --content-hash x --write >/dev/null 2>&1
    [ $? = 2 ] || { echo 'FAIL on a read-only disk: a held lock is not seen'; status=1; }
    "$baton" repair --session d1 --ticket T-2 --content-hash x --write >/dev/null 2>&1
    [ $? = 1 ] || { echo 'FAIL on a read-only disk: not an operational failure'; status=1; }
    exit $status
FULL
else
  echo 'skipped: a full disk, unshare -m is not allowed'
fi
if chattr +i .adlc/handoffs/finals 2>/dev/null; then
  refuses 1 'an immutable folder' repair --session s1 --ticket T-2 --content-hash x --write
  chattr -i .adlc/handoffs/finals
else
  echo 'skipped: an immutable folder, chattr is not allowed'
fi
if setpriv --reuid 65534 --clear-groups true 2>/dev/null; then
  chmod -R go+rX "$folder"
  before=$(tree .adlc)
  HOME=/nonexistent setpriv --reuid 65534 --clear-groups "$baton" repair --session s1 --ticket T-2 --content-hash x --write \
    >/dev/null 2>"$folder/err"
  check 'another user' 1 $?
  check 'another user: the ledger' "$before" "$(tree .adlc)"
else
  echo 'skipped: another user, setpriv is not allowed'
fi

# ---- bind fields in a form that only write accepts: every plan says so before anybody confirms it
mkdir -p "$folder/odd" && cd "$folder/odd" || exit 1
accepts 'a marker' write --session whole --ticket T-1 --write
odd_marker() { printf '{"session_id":"odd","status":"open","since":"2026-01-01T00:00:00.000Z","host":"x","schema":1%s}' "$1" >.adlc/handoffs/denies/odd.json; }
odd_marker ''
accepts 'repair of such a marker, planned' repair --session odd --ticket T-1 --content-hash x --plan
grep -q 'this will refuse, only .write. accepts them' "$folder/out" || fail 'the plan of repair does not foresee its refusal'
refuses 2 'repair of such a marker' repair --session odd --ticket T-1 --content-hash x --write
accepts 'bypass beside such a marker, planned' bypass --session odd --plan
grep -q 'durable instead: write odd anew' "$folder/out" || fail 'bypass recommends what always refuses'
grep -q 'repair odd' "$folder/out" && fail 'bypass recommends repair'
odd_marker ',"ticket_id":" T-1 ","content_hash":"x"'
accepts 'continue of such a marker, planned' continue --deny-session odd --session next --plan
grep -q 'this will refuse, only .write. accepts them' "$folder/out" || fail 'the plan of continue does not foresee its refusal'
refuses 2 'continue of such a marker' continue --deny-session odd --session next --write
accepts 'continue of another one, planned' continue --deny-session whole --session next --plan
grep -q 'odd still blocks this repository: its deny is open and malformed (write it anew first)' "$folder/out" ||
  fail 'the plan of continue does not name what is wrong with the other one'
accepts 'write accepts it' write --session odd --ticket T-1 --write
accepts 'repair then' repair --session odd --ticket T-1 --content-hash x --plan
grep -q 'this will refuse' "$folder/out" && fail 'a marker in normal form is foreseen to be refused'

# ---- ids as long as an argument can be
long_folder=$folder/long
mkdir -p "$long_folder/.adlc/handoffs" && cd "$long_folder" || exit 1
long=$(head -c 100000 /dev/zero | tr '\0' A)
refuses 1 'an overlong session id' write --session "$long" --write
grep -q ENAMETOOLONG "$folder/err" || fail 'an overlong id: not the error of the system'
refuses 2 'an overlong denied id' continue --deny-session "$long"

[ "$failures" = 0 ] && echo 'all as expected'
exit $((failures > 0))
