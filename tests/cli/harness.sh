#!/usr/bin/env bash
# tests/cli/harness.sh - a stand-in for a coding agent: called as `harness.sh --session-id ID [PROMPT]` by supervise.
#
# Writes a transcript, asks the gate before every tool call, and once it is denied writes a summary and does what BEHAVE says:
# stop (wait until told to end), exit, crash, deaf (takes no notice of SIGTERM), busy (goes on writing for a second).
# Every start leaves $LOGS/N: the session, its environment, and the first line of its prompt. The LAST start works and ends.
# With AWAIT it begins to work only when a file of that name is there.
set -u
# A shell whose child ends well while SIGINT arrives would go on.
trap 'trap - INT; kill -INT $$' INT
[ "${BEHAVE:-}" != deaf ] || trap '' TERM
[ "${1:-}" = --session-id ] || exit 90
session=$2 prompt=${3:-}
number=$(($(ls "$LOGS" | grep -c '^[0-9]*$') + 1))
{
  echo "session $session"
  printf 'prompt %s\n' "${prompt%%$'\n'*}"
  echo "arguments $#"
  echo "pid $$"
  tr '\0' '\n' <"/proc/$$/environ"
} >"$LOGS/$number.part"
mv "$LOGS/$number.part" "$LOGS/$number"
folder=$HOME/.claude/projects/$(pwd | tr '/.' '--')
[ -n "${NO_TRANSCRIPT:-}" ] && folder=$LOGS/hidden
mkdir -p "$folder"
transcript=$folder/$session.jsonl
say() { printf '{"type":"assistant","timestamp":"%s","message":{"content":[{"type":"text","text":"%s"}]}}\n' "$(date -u +%FT%TZ)" "$1" >>"$transcript"; }
say "session $number begins"
if [ "$number" -ge "${LAST:-4}" ]; then
  say 'all done'
  exit "${LAST_STATUS:-0}"
fi
until [ -z "${AWAIT:-}" ] || [ -e "$AWAIT" ]; do sleep 0.05; done
allowed() {
  printf '{"type":"assistant","message":{"content":[{"type":"tool_use","name":"Edit"}]}}\n' >>"$transcript"
  printf '{"session_id":"%s","transcript_path":"%s","cwd":"%s","tool_name":"Edit","tool_input":{"file_path":"%s/work.c"}}' \
    "$session" "$transcript" "$PWD" "$PWD" | ADLC_CONTEXT_ROT_HANDOFF_ENABLED=1 "$BATON" hook pre-tool >/dev/null 2>&1
}
calls=0
while allowed; do
  calls=$((calls + 1))
  echo "$session $calls" >>work.c
  [ $calls -lt 100 ] || exit 91 # the gate never closed
done
say "summary of session $number"
case ${BEHAVE:-stop} in
  exit) exit 0 ;;
  crash) kill -SEGV $$ ;;
  busy) for i in 1 2 3 4 5 6 7 8 9 10; do sleep 0.1; say "still busy $i"; done ;;
esac
while :; do sleep 0.1; done
