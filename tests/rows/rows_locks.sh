#!/usr/bin/env bash
# tests/rows/rows_locks.sh ROOT BATON - rows 18-26: locks and their verdicts, living processes, other programs' sessions.
. "$(dirname "$0")/lib.sh"
fixture
verdict() { baton locks --json | jq -r ".locks[] | select(.name == \"$1\").verdict"; }

row 18 'baton locks --json | jq -r .locks[].verdict | sort -u' 'FOREIGN LIVE PID-REUSE STALE UNREADABLE'
sleep 300 & sleeper=$!
sleepers=("$sleeper")
trap 'kill "${sleepers[@]}" 2> /dev/null; clean_up' EXIT
disown
row 19 'lock k1 $sleeper "$(ago "1 hour")" "$(uname -n)"; verdict k1; lock k1 $sleeper "$(ago "-1 second")" "$(uname -n)";
  verdict k1' 'PID-REUSE LIVE'
row 20 'lock k2 $sleeper "$(date -u +%FT%T.999Z)" "$(uname -n)"; touch -d "10 days ago" $H/k2.lock; verdict k2;
  baton locks --json | jq -r ".locks[] | select(.name == \"k2\").mtime[0:10]"; date -u -d "10 days ago" +%F' \
  'LIVE ([0-9-]+) ([0-9-]+)'
row 21 'verdict 2b77aa90; baton unlock $(proofs 2b77aa90) --write 2>&1; echo "rc $?"; ls $H/2b77aa90.lock' \
  'FOREIGN .*(another host|other host|build-03).* rc 2 .*2b77aa90.lock'
row 21 'baton unlock $(proofs 2b77aa90) --foreign --write > /dev/null 2>&1; echo "rc $?"; ls $H/2b77aa90.lock' \
  'rc 1 .*2b77aa90.lock'
git -C "$FIX" init -q 2> /dev/null && touch "$FIX/.git/index.lock" && echo '{}' > "$FIX/.adlc/fleet.lock"
printf '{"version":1,"token":"t","pid":4194301,"hostname":"%s","startedAt":"%s"}\n' "$(uname -n)" "$(ago '2 hours')" > "$FIX/.adlc/tickets.json.lock"
row 22 'baton locks --json | jq -r ".locks[] | select(.kind != \"session\") | [.kind, .view_only] | join(\" \")" | sort' \
  '(fleet true )?git true.*'
row 22 'B; K l; see "index.lo"; K /; text index.lock; K Enter; see "^▸.*index.lo"; K u; see "only shown"; S | grep -c Cancel;
  ls .git/index.lock' '0 .git/index.lock'

# ---- Claude Code's register of living sessions, checked against /proc and the transcript ----
projects=$HOME/.claude/projects/$(printf %s "$FIX" | tr -c 'A-Za-z0-9' -)
mkdir -p "$projects" "$HOME/.claude/sessions"
talk() { # FILE SESSION
  printf '{"type":"user","sessionId":"%s","cwd":"%s","timestamp":"%s","message":{"role":"user","content":"go"}}\n' "$2" "${3:-$FIX}" "$(date -u +%FT%T.000Z)" > "$1"
}
living() { # PID SESSION: an entry of the register
  printf '{"pid":%s,"sessionId":"%s","cwd":"%s","startedAt":%s}\n' "$1" "$2" "$FIX" "$(date +%s000)" > "$HOME/.claude/sessions/$1.json"
}
one=11111111-2222-4333-8444-555555555555 two=22222222-2222-4333-8444-555555555555
talk "$projects/$one.jsonl" $one; talk "$projects/$two.jsonl" $two
living "$(dead_pid)" $one
row 23 'baton show $one --json | jq -c "[.state, .flags]"; baton show $one | grep -ioE "registry[ _]stale|register[^.]*"' \
  '\["(IDLE|WARN)",\["registry_stale"\]\].*'
sleep 300 & sleepers+=($!); disown
living "$sleeper" $two
row 23 'baton show $two --json | jq -c "[.state, .flags]"' '\["RUN",\[\]\]'
living "${sleepers[1]}" $two
row 24 'baton show $two --json | jq -c .flags' '\["double_writer"\]'
row 24 'B; pick 22222222; K Enter; see "double.writer|two (living )?process|2 (living )?process"' ''

# ---- sessions that nobody announced ----
row 25 'baton list --all --json | jq -r ".sessions[].id" | grep -c "$one"' 1
other=33333333-2222-4333-8444-555555555555
mkdir -p "$work/elsewhere/projects/-somewhere" "$work/codex/sessions/2026/01/02"
talk "$work/elsewhere/projects/-somewhere/$other.jsonl" $other /somewhere
row 26 'baton list --all --json | jq -r .sessions[].id | grep -c $other;
  CLAUDE_CONFIG_DIR=$work/elsewhere baton list --all --json | jq -r .sessions[].id | grep -cE "$other|$one"' '0 1'
codex=44444444-2222-4333-8444-555555555555
printf '{"timestamp":"%s","type":"session_meta","payload":{"id":"%s","cwd":"%s","cli_version":"1"}}\n' "$(date -u +%FT%T.000Z)" $codex "$FIX" > "$work/codex/sessions/2026/01/02/rollout-2026-01-02T03-04-05-$codex.jsonl"
row 26 'CODEX_HOME=$work/codex baton list --all --json | jq -r ".sessions[] | select(.id == \"$codex\").harness"' codex

# ---- several at once ----
fixture
row 63 'B; pick 91ab77e0; K Space; see "1 marked"; K "\\"; pick c0de4471; K Space; see "2 marked"; K U;
  see "STALE +91ab77e0 +would be removed"; see "LIVE +c0de4471 +refused"; K Enter; ls $H/91ab77e0.lock; K U;
  see "would be removed"; K Tab; see "▸. unlock 1"; K Enter; see "91ab77e0 +removed"; see "c0de4471 +refused";
  see "locks: 1 removed, 1 refused"; ls $H/91ab77e0.lock 2>&1; ls $H/c0de4471.lock' \
  '.adlc/handoffs/91ab77e0.lock .*(No such file|cannot access).* .adlc/handoffs/c0de4471.lock'
fixture
for i in 0 1 2 3 4 5 6 7 8 9; do lock gone-$i "$(dead_pid)" "$(ago '1 hour')" "$(uname -n)"; done
if chattr +i "$FIX/$H" 2> /dev/null; then
  row 64 'rm -f $state/log; B; K l /; text gone-; K Enter; see "10 of"; K "*"; see "10 marked"; K U;
    see "10 would be removed"; K Tab; see "▸. unlock 10"; K Enter; see "3 failed, 7 not tried";
    grep -c "\"verb\":\"unlock\"" $state/log; ls $H/gone-*.lock | wc -l' '3 10'
  chattr -i "$FIX/$H"
else
  cannot 64 'chattr +i does not work here'
fi
finish
