# tests/e2e/lib.sh - a dashboard under tmux, looked at until a deadline and never slept upon.
# Called as `bash test_NAME.sh ROOT BATON_FIXED BATON`. Exit 77 says that it cannot run here, with the reason.
set -u
root=$1 fixed=$2 baton=${3:-}
command -v tmux > /dev/null || { echo 'skipped: no tmux'; exit 77; }
work=$(mktemp -d "${TMPDIR:-/tmp}/baton-e2e-XXXXXX") || exit 1
export TMUX_TMPDIR=$work HISTFILE=
unset TMUX NO_COLOR BATON_ASCII ADLC_MANIFEST_KEY ADLC_TICKET ESCDELAY PAGER
socket=e2e
checks=0
mux() { tmux -L "$socket" -f /dev/null "$@"; }
clean_up() {
  local server
  for server in "$work"/tmux-*/*; do tmux -S "$server" kill-server 2> /dev/null; done
  for _ in 1 2 3 4 5 6 7 8 9 10; do # what was just ended may still be writing
    rm -rf "$work" 2> /dev/null && return
    sleep 0.1
  done
}
trap clean_up EXIT
trap 'exit 130' INT TERM HUP
# Killed outright (a time limit), it cannot tidy up itself.
{ trap '' INT HUP; tail --pid=$$ -f /dev/null; clean_up; } > /dev/null 2>&1 < /dev/null &
disown

# How long a thing may take, in looks of 50 ms; slow machines and sanitizers get ten seconds.
patience=${BATON_E2E_PATIENCE:-200}

# The first failure ends the scenario: what follows would only show its consequences.
fail() { printf 'FAILED after %s checks: %s\n' "$checks" "$*"; screen | sed 's/^/    | /'; head -n 60 "$work"/asan* 2> /dev/null; exit 1; }
check() { # WORDS COMMAND...
  local words=$1; shift
  checks=$((checks + 1))
  "$@" || fail "$words"
}
finish() { printf '%s checks passed\n' "$checks"; exit 0; }

screen() { mux capture-pane -p 2> /dev/null; }
shows() { screen | grep -qE -- "$1"; }
# Until the screen matches the expression (or no longer does, with `!` before it).
await() {
  local wanted=0 tries=0
  [ "$1" = '!' ] && { wanted=1; shift; }
  while [ "$tries" -lt "$patience" ]; do
    shows "$1"
    [ $? = "$wanted" ] && return 0
    sleep 0.05
    tries=$((tries + 1))
  done
  return 1
}
see() { checks=$((checks + 1)); await "$@" || fail "the screen never showed: $*"; }
until_true() { # COMMAND... within the same patience
  local tries=0
  while [ "$tries" -lt "$patience" ]; do
    "$@" && return 0
    sleep 0.05
    tries=$((tries + 1))
  done
  return 1
}
settled() { # PID: a second without a tick of CPU; what it was asked for before is done
  local before
  before=$(awk '{ print $14 + $15 }' "/proc/$1/stat")
  sleep 1
  [ "$before" = "$(awk '{ print $14 + $15 }' "/proc/$1/stat")" ]
}

# start FOLDER [FLAGS...]: the dashboard on the ledger of FOLDER. `width`, `height`, `terminal`, `locale` and `extra`
# (more environment) may be set before.
start() {
  local folder=$1; shift
  mkdir -p "$folder"
  mux kill-server 2> /dev/null
  run=$((${run:-0} + 1))
  socket=e2e$run # a server that is still going down does not matter
  mux new-session -d -x "${width:-120}" -y "${height:-36}" \
    "env -i PATH='$PATH' HOME='$work' TMPDIR='$work' TZ=UTC TERM=${terminal-tmux-256color} LC_ALL=${locale:-C.UTF-8} ${extra:-} \
     ASAN_OPTIONS='${ASAN_OPTIONS:-}:log_path=$work/asan' bash --norc -c '\"$fixed\" \"$folder\" ui $*; echo \"left with \$?\"; stty -a; exec cat'" \
    || { echo 'skipped: tmux cannot start'; exit 77; }
  mux set-option -g escape-time 0
}
ready() { see '(enter open|\? help|small|worst first)'; } # a message may be where the keys are told
filled() { see ' 18 sessions '; } # the sample, and each of its transcripts is known
pid() { pgrep -f "^$fixed $1 ui" | head -n 1; }
keys() { mux send-keys "$@"; }
text() { mux send-keys -l -- "$1"; }
paste() { mux set-buffer -- "$1"; mux paste-buffer -p; }
# Selects a session by its filter, as a person does.
pick() { keys / C-u; text "$1"; keys Enter; see "^(▸|>).*$1"; }

# Names, kinds, modes and bytes of everything below.
# Without the cache: an index of transcripts may be written there at any moment, and tells nothing of the ledger.
tree() {
  (
    cd "$1" || exit 1
    find . -name .cache -prune -o -type f -exec sha256sum {} + | sort -k 2
    find . -name .cache -prune -o ! -type f -printf '%y %p %l\n' | sort -k 2
  )
}
