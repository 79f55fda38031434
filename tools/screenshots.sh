#!/usr/bin/env bash
# tools/screenshots.sh OUTDIR BINARY [--text-only] - pictures of the dashboard, driven by keys under tmux.
#
# BINARY is tests/e2e/baton_fixed: baton's own objects in a world whose clock, host and processes never change, so the
# pictures are the same everywhere. Writes NAME.txt (what tmux shows), NAME.svg and, where rsvg-convert is there,
# NAME.png for each screen. It looks until a screen shows what it must and has stopped changing; it never sleeps for luck.
# Exit 77: it cannot run here; the reason is printed.
set -u
[ $# -ge 2 ] || { echo 'usage: tools/screenshots.sh OUTDIR BINARY [--text-only]' >&2; exit 1; }
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
out=$1 binary=$(realpath "$2") text_only=${3:-}
command -v tmux > /dev/null || { echo 'skipped: no tmux'; exit 77; }
work=$(mktemp -d "${TMPDIR:-/tmp}/baton-pictures-XXXXXX") || exit 1
mkdir -p "$out" || exit 1
export TMUX_TMPDIR=$work
unset TMUX
patience=${BATON_E2E_PATIENCE:-200} # looks of 50 ms
socket=pictures
mux() { tmux -L "$socket" -f /dev/null "$@"; }
clean_up() { mux kill-server 2> /dev/null; rm -rf "$work"; }
trap clean_up EXIT
die() { printf 'screenshots: %s\n' "$*" >&2; screen | sed 's/^/    | /' >&2; exit 1; }
screen() { mux capture-pane -p 2> /dev/null; }

if [ -z "$text_only" ]; then
  "${CC:-cc}" -std=c11 -O1 -o "$work/ansi2svg" "$top/tools/ansi2svg.c" || exit 1
fi

# Until the screen matches, and then until two looks in a row are the same.
see() {
  local tries=0 before='' now
  while [ "$tries" -lt "$patience" ]; do
    now=$(screen)
    if [ "$now" = "$before" ] && grep -qE -- "$1" <<< "$now"; then return 0; fi
    before=$now
    sleep 0.05
    tries=$((tries + 1))
  done
  die "never seen: $1"
}

# start COLUMNS ROWS [LOCALE]: a fresh ledger each time, so that no picture depends on the one before.
run=0
start() {
  columns=$1 rows=$2
  run=$((run + 1))
  mux kill-server 2> /dev/null
  socket=pictures$run
  mkdir -p "$work/ledger$run" || exit 1
  mux new-session -d -x "$columns" -y "$rows" \
    "env -i PATH='$PATH' HOME='$work' TMPDIR='$work' TZ=UTC TERM=tmux-256color LC_ALL=${3:-C.UTF-8} BATON_FIXED_PATHS=1 \
     '$binary' '$work/ledger$run' ui" || { echo 'skipped: tmux cannot start'; exit 77; }
  mux set-option -g escape-time 0
  see '\? help'
}
keys() { mux send-keys "$@"; }
text() { mux send-keys -l -- "$1"; }
pick() { keys / ; see 'filter:'; text "$1"; keys Enter; see "^[▸>].*$1"; }

# The files that a script of the scenes writes, below the ledger's folder.
write_files() { # STEPS
  local word path words
  while read -r word path words; do
    [ "$word" = write ] || continue
    words=${words//\\\\/$'\x01'}; words=${words//\\n/$'\n'}
    mkdir -p "$(dirname "$work/ledger$run/payments-api/$path")" && printf '%s' "${words//$'\x01'/\\}" > "$work/ledger$run/payments-api/$path"
  done < "$1"
}

# shot NAME EXPRESSION: waits for the expression, then keeps the screen.
shot() {
  see "$2"
  screen | sed 's/[[:space:]]*$//' > "$out/$1.txt"
  if [ -z "$text_only" ]; then
    mux capture-pane -e -N -p | "$work/ansi2svg" --columns "$columns" --rows "$rows" --title "baton  $columns x $rows" > "$out/$1.svg" ||
      die "no picture of $1"
    if command -v rsvg-convert > /dev/null; then
      rsvg-convert "$out/$1.svg" -o "$out/$1.png" || die "no PNG of $1"
    fi
  fi
  printf '%s\n' "$1"
}

start 120 36
keys j
shot list '^▸ . BLOCKED +7f3a91c2.* 83.0%'
keys Enter
shot session '1 overview'
keys 2
see 'sha256'
keys /
see 'search:'
text rotat
keys Enter
shot brief 'line [0-9]+-[0-9]+/[0-9]+'
keys 4
shot evidence 'SIGNATURE'
keys Escape
see 'worst first'
keys w
shot why 'what would clear it'
keys Escape
see 'worst first'
keys e
shot log 'signatures [0-9]+ ok'
keys Escape
see 'worst first'
keys l
see 'by verdict'
keys g
shot locks '^▸ x STALE'
keys '?'
shot help 'keymap|more lines? below'

start 120 36
pick 7f3a91c2
keys c
shot continue-brief '\[>\] 2 brief'
keys m
shot continue '\[>\] 5 confirm'
keys Escape
see 'worst first'
keys '\'
see 'c0de4471'
keys l
see 'by verdict'
keys g u
shot unlock 'Unlock 91ab77e0'

start 120 36
pick d00dfeed
keys r
shot repair '[Rr]epair'
keys Escape
see 'worst first'
keys '\'
see 'c0de4471'
pick a81f3c55
keys b
shot bypass 'One-shot bypass'

start 120 36
write_files "$top/tests/scenes/records.steps"
keys a
shot records 'PASS +unchanged'

start 80 24
shot list-80x24 '7f3a91c2-auth claude 83.0%'
keys l
shot locks-80x24 'by verdict'

start 80 24 C
shot list-ascii '7f3a91c2-auth claude 83.0%'
