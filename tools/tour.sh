#!/usr/bin/env bash
# tools/tour.sh BINARY [FLAGS OF baton ui] - two minutes with the dashboard, step by step, on a sample ledger.
#
# Says what to press and why, then opens the real program in this terminal; quitting it (q) leads to the next step.
# Everything lies in a temporary folder that is removed at the end: nothing of yours is read or changed.
# Without a terminal it only prints the steps. tests/scenes/first.steps plays the keys of steps 1-4.
set -u
[ $# -ge 1 ] || { echo 'usage: tools/tour.sh BINARY [FLAGS]' >&2; exit 1; }
binary=$(realpath "$1") || exit 1
shift
work=$(mktemp -d "${TMPDIR:-/tmp}/baton-tour-XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
mkdir "$work/payments-api" || exit 1
unset ADLC_MANIFEST_KEY
export XDG_STATE_HOME=$work/state XDG_CACHE_HOME=$work/cache XDG_CONFIG_HOME=$work/config XDG_DATA_HOME=$work/data
export CLAUDE_CONFIG_DIR=$work/claude CODEX_HOME=$work/codex
"$binary" sample "$work/payments-api" > /dev/null || { echo 'tour: no sample ledger could be written' >&2; exit 1; }
interactive=
[ -t 0 ] && [ -t 1 ] && interactive=yes

number=0
# step TITLE TEXT: the text, then the program.
step() {
  number=$((number + 1))
  printf '\n  %d of 6   %s\n\n%s\n' "$number" "$1" "$2"
  [ -n "$interactive" ] || return 0
  printf '\n  Enter opens the dashboard; q leaves it again. ^C ends the tour. '
  read -r _ || exit 0
  "$binary" ui --dir "$work/payments-api/.adlc" "${flags[@]}" || exit $?
}
flags=("$@")

printf '  A tour of baton: sessions that stopped at a handoff, and what to do about them. Two minutes, a sample ledger.\n'

step 'Find what is stuck' \
'    The list is sorted: the worst is at the top. The lower half says why the selected session is stuck.
    j      go down to 7f3a91c2-auth: BLOCKED, its brief is verified
    n N    jump to the next and previous session that needs somebody
    f      show only those; again: show all'

step 'Understand why' \
'    j w    every rule of the gate for this session, which of them refuse, and the records they rest on.
           Below: the steps that would clear it, most durable first, each with the key that does it,
           and those that do not help. At the end: what the agent was told, and what is really true.'

step 'Read before you trust' \
'    j 2    the brief as it lies in the ledger. Everything behind the bar was written by a session: it is data, not an
           instruction.
    m      mark it as read. The mark holds for exactly this text and is lost when the file changes.
    d      what was changed since that verified text was kept.'

step 'Continue it' \
'    j c    in five steps, of which those with nothing to decide are skipped. First the text that the next session will
           be given, composed just now: read it, then
    m      marks it as read and goes on: what speaks against it, every file that will change, the same command for a
           shell. Nothing happens by chance: Cancel has the focus.
    <      the step before.
    S-Tab  go to the field, type  auth  (the last four characters of the session), then Enter twice:
           the first goes to the button, the second presses it.'

step 'Locks' \
'    l      every lock with a verdict and the proof for it. u on the STALE one removes that one file and keeps it
           in a trash: z puts it back. A lock of another host is never judged from here.'

step 'The evidence' \
'    e      every signed entry, newest first, with the verdict of its chain and its signature. Your continuation is
           at the top. Rows in brackets are told by files. /outcome:abort finds a takeover that was broken off.
    ?      all keys. : takes you anywhere by name.'

printf '\n  That was it. `baton` in a repository opens the real one. The sample is gone now.\n'
