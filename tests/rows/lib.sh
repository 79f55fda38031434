# tests/rows/lib.sh - one named check for each thing that operators expect of a dashboard, run in the real program.
# Called as `bash rows_NAME.sh ROOT BATON`. Each check prints `row N: what was run -> what it printed: ok|FAIL`; the numbers are
# those of the table of expectations, and `tools/rows.sh` makes a table of all of them. A row may have several checks.
. "$(dirname "${BASH_SOURCE[0]}")/../e2e/lib.sh" "$1" '' "$2"
command -v jq > /dev/null || { echo 'skipped: no jq'; exit 77; }
baton=$(cd "$(dirname "$baton")" && pwd)/$(basename "$baton")
tools=$(dirname "$baton")/bench # the generators of the build
mkdir -p "$work/bin" "$work/home"
ln -s "$baton" "$work/bin/baton"
export PATH=$work/bin:$PATH HOME=$work/home TZ=UTC LC_ALL=C.UTF-8 TERM=dumb
unset XDG_CONFIG_HOME XDG_STATE_HOME XDG_CACHE_HOME XDG_DATA_HOME CLAUDE_CONFIG_DIR CODEX_HOME PI_CODING_AGENT_DIR GEMINI_CLI_HOME
unset BATON_PLAIN EDITOR LINES COLUMNS
state=$HOME/.local/state/baton failures=0 now=0

# row NUMBER COMMAND WANTED: all that COMMAND prints, on one line, must match the extended expression as a whole.
row() {
  local said verdict=FAIL command
  now=$1
  [ -z "${FIX:-}" ] || cd "$FIX" || exit 1
  { eval "$2"; } > "$work/said" 2>&1 < /dev/null
  said=$(tr -s '\n\t ' ' ' < "$work/said" | LC_ALL=C tr -d '\000-\011\013-\037')
  said=${said% }
  said=${said# }
  [[ $said =~ ^($3)$ ]] && verdict=ok
  [ -n "$said" ] || said='(all was seen)' # the check was made of steps that each must come
  command=$(printf '%s' "$2" | tr -s '\n\t ' ' ')
  printf 'row %s: %s -> %s: %s\n' "$1" "$command" "${said:0:300}" "$verdict"
  [ -z "${ROWS_TABLE:-}" ] || printf '%s\t%s\t%s\t%s\n' "$1" "$command" "${said:0:160}" "$verdict" >> "$ROWS_TABLE"
  [ $verdict = ok ] && return
  failures=$((failures + 1))
  printf '    wanted: %s\n' "$3"
  [[ $2 =~ (see|gone|pick|S|SE|K)\  ]] && screen | sed 's/^/    | /'
  return 1
}
# A row whose check cannot be made on this machine.
cannot() { # NUMBER REASON
  printf 'row %s: skipped: %s\n' "$1" "$2"
  [ -z "${ROWS_TABLE:-}" ] || printf '%s\t-\t%s\tskipped\n' "$1" "$2" >> "$ROWS_TABLE"
}
finish() {
  [ "$failures" = 0 ] && { echo 'all rows ok'; exit 0; }
  echo "$failures checks failed"
  head -n 60 "$work"/asan* 2> /dev/null
  exit 1
}
# Within a check a step that does not come says so, and so the check fails; the others go on.
fail() { printf 'NOT SEEN: %s ' "$*"; return 1; }

# ---- a fresh sample ledger: $FIX, its folder; $H, its handoffs ----
fixture() {
  FIX=$work/f$((fixtures = ${fixtures:-0} + 1))/${1:-payments-api}
  mkdir -p "$FIX" && cd "$FIX" && baton sample . > /dev/null || exit 1
  H=.adlc/handoffs
}
key() { export ADLC_MANIFEST_KEY='a key of these checks'; }
field() { sed -n "s/.*\"$2\": *\"\{0,1\}\([^\",}]*\).*/\1/p" "$1" | head -n 1; } # FILE NAME: the first value of a JSON file
proofs() { # SESSION: the four fields of its lock as flags
  local lock=$H/$1.lock
  printf -- '--session %s --pid %s --started-at %s --host %s --nonce %s' "$1" "$(field "$lock" pid)" "$(field "$lock" started_at)" \
    "$(field "$lock" host)" "$(field "$lock" nonce)"
}
add_deny() { # ID: an open deny, written as a writer does, by renaming into place
  sed "s/\"session_id\": \"[^\"]*\"/\"session_id\": \"$1\"/" "$FIX/$H/denies/sess-1.json" > "$work/new.json"
  mv "$work/new.json" "$FIX/$H/denies/$1.json"
}
lock() { # SESSION PID STARTED_AT HOST
  printf '{"schema":1,"session_id":"%s","pid":%s,"started_at":"%s","host":"%s","nonce":"00112233aabbccdd"}\n' "$@" > "$H/$1.lock"
}
ledger() { (cd "$FIX" && find .adlc -type f -exec sha256sum {} + | sort -k 2); } # every byte of it
ago() { date -u -d "-$1" +%Y-%m-%dT%H:%M:%S.000Z; } # `ago '9 minutes'`
dead_pid() { echo 4194301; }

# ---- the dashboard under tmux: B opens it, K types, S is the screen, SE the screen with its attributes ----
# `W`, `H_`, `TERM_`, `LC_` and `ENV` (more environment) may be set before; B itself waits for the first screen.
B() {
  mux kill-server 2> /dev/null
  run=$((${run:-0} + 1)) socket=rows$run
  mux new-session -d -x "${W:-120}" -y "${H_:-36}" "cd '$FIX' && env -i PATH='$PATH' HOME='$HOME' TMPDIR='$work' TZ=UTC \
    TERM=${TERM_-tmux-256color} LC_ALL=${LC_:-C.UTF-8} ${ENV:-} ASAN_OPTIONS='${ASAN_OPTIONS:-}:log_path=$work/asan' bash --norc -c \
    'baton $*; echo \"left with \$?\"; stty -a; exec cat'" || { echo 'skipped: tmux cannot start'; exit 77; }
  mux set-option -g escape-time 0
  mux set-option -g set-clipboard on
  await '(enter open|\? help|small|left with)' || fail 'the first screen'
}
K() { mux send-keys "$@"; }
S() { screen; }
SE() { mux capture-pane -e -p; }
see() { await "$@" || fail "$@"; }
gone() { await ! "$1" || fail "gone: $1"; }
soon() { until_true "$@" || fail "$*"; }
pick() { K / C-u; text "$1"; K Enter; see "^(▸|>).*$1"; }
selected() { screen | sed -n 's/^[▸>] *\([!x~*^?] \)\{0,1\} *[A-Z-]* *\([^ ]*\).*/\2/p' | head -n 1; }
flag() { mux display -p "#{$1}"; }
process() { # of the dashboard
  local shell
  shell=$(mux display -p '#{pane_pid}')
  pgrep -P "$shell" -x baton
}
leave() { K q; see 'left with 0'; }
