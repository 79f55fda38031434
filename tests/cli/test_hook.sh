#!/usr/bin/env bash
# tests/cli/test_hook.sh BATON BATON_FAST - the gate as a harness calls it: documents of both, decisions, exit statuses, grants, time.
set -u
baton=$2 # given more time than a busy machine takes, but where the time itself is judged
documents=$(cd "$(dirname "$0")/../fixtures/hook" && pwd)
folder=$(mktemp -d "${TMPDIR:-/tmp}/baton-hook.XXXXXX") || exit 1
trap 'rm -rf "$folder"' EXIT
unset ADLC_MANIFEST_KEY ADLC_TICKET CLAUDE_PROJECT_DIR CLAUDE_CONFIG_DIR CODEX_HOME ADLC_HANDOFF_SUPERVISED
export HOME=$folder/home TZ=UTC ADLC_CONTEXT_ROT_HANDOFF_ENABLED=1 BATON_TEST_BUDGET=60000
failures=0
fail() { printf 'FAIL %s\n' "$*"; failures=$((failures + 1)); }
check() { [ "$2" = "$3" ] || fail "$1: wanted [$2], got [$3]"; }
root=$folder/r
fresh() { rm -rf "$root"; mkdir -p "$root/.adlc" "$root/src" "$HOME"; }
depth() { # N: a transcript with so many calls
  local i
  : >"$folder/t.jsonl"
  for ((i = 0; i < $1; i++)); do printf '{"message":{"content":[{"type":"tool_use"}]}}\n'; done >>"$folder/t.jsonl"
}
document() { # NAME [COMMAND]
  sed "s|@SESSION@|${session:-s1}|g; s|@TRANSCRIPT@|${transcript-$folder/t.jsonl}|g; s|@ROOT@|$root|g; s|@COMMAND@|${2:-ls}|g" \
    "$documents/$1.json"
}
# ask NAME [COMMAND]: the exit status; output in $folder/out and $folder/err
ask() {
  document "$@" | "$baton" hook pre-tool ${harness:+--harness "$harness"} >"$folder/out" 2>"$folder/err"
  local status=$?
  case $status in
    0) [ ! -s "$folder/out" ] || echo 'output of an allowed call;' ;;
    2) [ "$(wc -l <"$folder/out")" = 1 ] || echo 'not one line;' ;;
  esac
  echo $status
}
has() { grep -qF -- "$2" "$folder/err" && grep -qF -- "$2" "$folder/out" || fail "$1: $2 is not among the reasons"; }
lacks() { ! grep -qF -- "$2" "$folder/err" || fail "$1: $2 is among the reasons"; }
tree() { (cd "$root" && find . -type f -exec sha256sum {} + | sort) | sha256sum; }

# ---- off, and who can switch it
fresh; depth 50
for off in '' 0 true ' 1' 11; do
  check "off with [$off]" 0 "$(ADLC_CONTEXT_ROT_HANDOFF_ENABLED=$off ask claude-edit)"
  grep -q 'ADLC_CONTEXT_ROT_HANDOFF_ENABLED' "$folder/err" || fail 'off: it does not say which switch'
done
printf '{"env":{"ADLC_CONTEXT_ROT_HANDOFF_ENABLED":"1"}}' >"$root/.adlc/config.json"
check 'no file switches it' 0 "$(ADLC_CONTEXT_ROT_HANDOFF_ENABLED='' ask claude-edit)"
check 'off: nothing read' 0 "$(printf '{' | ADLC_CONTEXT_ROT_HANDOFF_ENABLED=0 "$baton" hook pre-tool >/dev/null 2>&1; echo $?)"

# ---- bands
for harness in '' claude-code; do
  fresh; depth 29
  check 'below the band' 0 "$(ask claude-edit)"
  check 'nothing written' '' "$(ls "$root/.adlc")"
  depth 30
  check 'the band' 2 "$(ask claude-edit)"
  has band D2:denier_session
  has band D3:unauthorized_open:s1
  grep -q '"permissionDecision":"deny"' "$folder/out" || fail 'no decision'
  grep -q '"host": "claude-code"' "$root/.adlc/handoffs/denies/s1.json" || fail 'the marker names no host'
  grep -q 'bypass --session s1 --write' "$folder/err" || fail 'no way out is shown'
  depth 0
  check 'the marker stays' 2 "$(ask claude-notebook)"
  check 'a tool that is not gated' 0 "$(ask claude-read)"
  check 'a tool of the future' 0 "$(ask claude-future)"
  check 'the shell is closed' 2 "$(ask claude-bash ls)"
  has shell bash_fail_closed_under_deny
  check 'pwd' 0 "$(ask claude-bash pwd)"
  check 'pwd with more' 2 "$(ask claude-bash 'pwd ')"
done
harness=
printf '"T-7"' >"$root/.adlc/current-ticket.json"
depth 30
session=s7
check 'another session' 2 "$(ask claude-edit)"
grep -q '"ticket_id": "T-7"' "$root/.adlc/handoffs/denies/s7.json" || fail 'the active ticket is not bound'
session=s1

# ---- transcripts
fresh
transcript=$folder/none.jsonl
check 'no transcript file, Claude Code' 0 "$(ask claude-edit)"
check 'no transcript file, Codex' 2 "$(ask codex-shell)"
fresh
transcript=''
check 'no transcript' 0 "$(ask codex-shell)"
transcript=$folder
check 'a folder' 2 "$(ask claude-edit)"
has 'a folder' incomplete_scan_lower_bound
transcript=$folder/big.jsonl
head -c 9000000 /dev/zero | tr '\0' x >"$transcript"
fresh
check 'too long to be seen whole' 2 "$(ask claude-edit)"
has 'too long' incomplete_scan_lower_bound
[ ! -e "$root/.adlc/handoffs" ] || fail 'an unfinished scan writes a marker'
mkfifo "$folder/fifo"
transcript=$folder/fifo
check 'a pipe is not waited for' 2 "$(ask claude-edit)"
transcript=$folder/t.jsonl

# ---- paths
fresh; depth 1
check 'targets' 2 "$(ask claude-multi-edit)"
has targets path_protected:.adlc/handoffs/denies/x.json
lacks targets bash_fail
! grep -q 'handoff is active' "$folder/err" || fail 'a protected path is no handoff'
grep -q 'final message must be a summary' "$folder/err" || fail 'a protected path: nothing is said for when it cannot go on'
check 'a patch' 2 "$(ask codex-patch)"
has patch path_protected:.adlc/handoffs/content/x.md
check 'a command' 2 "$(ask codex-shell 'cat .adlc/tickets.json')"
has command path_protected_shell:.adlc
check 'commands' 2 "$(ask codex-parallel 'rm -r .adlc/handoffs')"
has commands path_protected_shell:.adlc/handoffs
check 'nothing written for paths' '' "$(ls "$root/.adlc")"

# ---- the way out
fresh; depth 30; ask claude-edit >/dev/null; depth 0
before=$(tree)
for tool in claude-bash codex-shell; do
  check "$tool: recovery" 0 "$(ask $tool "$baton bypass --session s1 --write")"
  check "$tool: recovery, quoted" 0 "$(ask $tool "'$baton' repair --write --session s1 --ticket T --content-hash h")"
  check "$tool: another session's" 2 "$(ask $tool "$baton bypass --session s2 --write")"
  check "$tool: another program" 2 "$(ask $tool "/bin/true bypass --session s1 --write")"
  check "$tool: another folder" 2 "$(ask $tool "$baton bypass --session s1 --write --dir /x/.adlc")"
  check "$tool: continue is none" 2 "$(ask $tool "$baton continue --session s1 --write")"
  has "$tool: continue" bash_fail_closed_under_deny
done
check 'two commands' 2 "$(ask codex-parallel pwd)"
ln -s "$baton" "$folder/link"
check 'recovery through a link' 0 "$(ask claude-bash "$folder/link bypass --session s1 --write")"
check 'asking changed nothing' "$before" "$(tree)"

# ---- grants
(cd "$root" && ADLC_MANIFEST_KEY=k "$baton" bypass --session s1 --write >/dev/null) || fail 'no grant could be made'
check 'a grant is nothing without the key' 2 "$(ask claude-edit)"
[ -e "$root/.adlc/handoffs/s1.bypass-grant.json" ] || fail 'it was spent without the key'
check 'another key' 2 "$(ADLC_MANIFEST_KEY=x ask claude-edit)"
check 'the grant' 0 "$(ADLC_MANIFEST_KEY=k ask claude-edit)"
check 'once' 2 "$(ADLC_MANIFEST_KEY=k ask claude-edit)"
check 'spent' no "$([ -e "$root/.adlc/handoffs/s1.bypass-grant.json" ] && echo yes || echo no)"

# ---- an authorization counts only with the key
fresh; depth 30; printf '"T-1"' >"$root/.adlc/current-ticket.json"; ask claude-edit >/dev/null; depth 0
session=s2
(cd "$root" && ADLC_MANIFEST_KEY=k "$baton" write --session s1 --ticket T-1 --write >/dev/null &&
  ADLC_MANIFEST_KEY=k "$baton" resume --session s2 --deny-session s1 --write >/dev/null) || fail 'resume'
sed -i 's/"consumed"/"open"/' "$root/.adlc/handoffs/denies/s1.json"
check 'the successor without the key' 2 "$(ask claude-edit)"
has 'without the key' resume_auth_unverifiable:no_manifest_key
check 'the successor' 0 "$(ADLC_MANIFEST_KEY=k ask claude-edit)"
session=s1

# ---- which root
mkdir -p "$folder/elsewhere"
real=$root root=$folder/elsewhere
check 'no ledger' 0 "$(cd "$folder/elsewhere" && ask claude-edit)"
check 'the project of the environment' 2 "$(cd "$folder/elsewhere" && CLAUDE_PROJECT_DIR=$real/src ask claude-edit)"
check 'the working directory' 2 "$(cd "$real/src" && ask claude-edit)"
root=$real
rm -rf "$folder/elsewhere"

# ---- in doubt it is closed
closed() { check "$1" 2 "$2"; grep -q '"permissionDecision":"deny"' "$folder/out" || fail "$1: no decision"; }
gate() { "$baton" hook pre-tool "$@" >"$folder/out" 2>"$folder/err"; echo $?; }
closed 'no JSON' "$(printf '{' | gate)"
closed 'nothing' "$(printf '' | gate)"
closed 'a list' "$(printf '[]' | gate)"
closed 'no tool' "$(printf '{"cwd":"/"}' | gate)"
closed 'a flag that is none' "$(document claude-edit | gate --harnes x)"
closed 'a harness that is none' "$(document claude-edit | gate --harness x)"
closed 'a ledger that cannot be judged' "$(rm -rf "$root"/.adlc/{handoffs,.deny-store} && ln -s /nowhere "$root/.adlc/.deny-store" && document claude-edit | gate)"
mkdir "$folder/gone"
closed 'no working directory' "$(cd "$folder/gone" && rmdir "$folder/gone" && printf '{' | gate)"
closed 'an id that can name no file' "$(fresh; depth 40; session=$(printf 'x%.0s' {1..300}); document claude-edit | gate)"

# ---- whatever becomes of the answer, the exit status is one
fresh; depth 40
mkfifo "$folder/unread"
exec 7<>"$folder/unread" 8>"$folder/unread"
exec 7<&- # nobody reads what is written there
check 'no reader of the decision' 2 "$(document claude-edit | "$baton" hook pre-tool 2>/dev/null >&8; echo $?)"
check 'no reader of the reason' 2 "$(document claude-edit | "$baton" hook pre-tool 2>&8 >/dev/null; echo $?)"
exec 8>&-
check 'no place for the decision' 2 "$(document claude-edit | "$baton" hook pre-tool 2>/dev/null >/dev/full; echo $?)"
check 'no standard output' 2 "$(document claude-edit | "$baton" hook pre-tool 2>/dev/null >&-; echo $?)"
fresh
check 'no file may be written' 2 "$(ulimit -f 0; document claude-edit | "$baton" hook pre-tool >/dev/null 2>&1; echo $?)"
closed 'read-only' "$(document claude-edit | "$baton" --readonly hook pre-tool >"$folder/out" 2>"$folder/err"; echo $?)"
mkdir "$folder/gone"
closed 'read-only, no working directory' "$(cd "$folder/gone" && rmdir "$folder/gone" &&
  document claude-edit | "$baton" --readonly hook pre-tool >"$folder/out" 2>"$folder/err"; echo $?)"

# ---- in time
fresh; depth 50
mkfifo "$folder/in"
exec 9<>"$folder/in" # both ends are held: the document never ends
document claude-edit >&9
check 'a harness that never ends its document' 2 "$(timeout 60 "$1" hook pre-tool <"$folder/in" >"$folder/out" 2>"$folder/err"; echo $?)"
has 'never ends' incomplete_scan_lower_bound
[ ! -e "$root/.adlc/handoffs" ] || fail 'a marker was written after the time was up'

fresh; depth 50 # with less time than a marker may take, none is begun
check 'no time to write' 2 "$(BATON_TEST_BUDGET=50 ask claude-edit)"
has 'no time to write' incomplete_scan_lower_bound
check 'no time to write: nothing is written' '' "$(ls "$root/.adlc")"

# ---- the key is seen by nobody
ADLC_MANIFEST_KEY=secret-of-the-test ADLC_ADMIN_KEY=other-secret "$baton" hook pre-tool <"$folder/in" >/dev/null 2>&1 9>&- &
hook=$!
seen='' tries=0
while [ $tries -lt 2000 ] && kill -0 $hook 2>/dev/null; do # it waits for its document
  tries=$((tries + 1))
  [ "$(readlink "/proc/$hook/exe")" = "$(realpath "$baton")" ] || continue
  environ=$(tr '\0' '\n' <"/proc/$hook/environ" 2>/dev/null)
  case $environ in *secret*) seen=secret ;; *HOME=*) seen=clean; break ;; esac
done
check 'its environment' clean "$seen"
exec 9>&-
wait $hook

# ---- without the library of the digests: closed where one is needed, and not needed for a clean ledger
mkdir "$folder/broken"
: >"$folder/broken/libcrypto.so.3"
hidden() { LD_LIBRARY_PATH=$folder/broken "$@"; }
if hidden "$baton" --version | grep -q 'libcrypto.so.3 (missing)'; then
  fresh; depth 1
  check 'no library, a clean ledger' 0 "$(document claude-edit | hidden "$baton" hook pre-tool >/dev/null 2>&1; echo $?)"
  depth 30
  check 'no library, denied' 2 "$(document claude-edit | hidden "$baton" hook pre-tool >/dev/null 2>&1; echo $?)"
  (cd "$root" && ADLC_MANIFEST_KEY=k "$baton" bypass --session s1 --write >/dev/null) || fail 'no grant could be made'
  check 'no library, a grant' 2 "$(document claude-edit | ADLC_MANIFEST_KEY=k hidden "$baton" hook pre-tool >/dev/null 2>&1; echo $?)"
  sed -i 's/"schema": 1/"content_kind": "capture", "schema": 1/; s/"content_hash": null/"content_hash": "abc"/' "$root/.adlc/handoffs/denies/s1.json"
  mkdir -p "$root/.adlc/handoffs/content"; echo brief >"$root/.adlc/handoffs/content/s1.md"
  check 'no library, a brief' 2 "$(document claude-edit | hidden "$baton" hook pre-tool >/dev/null 2>"$folder/err"; echo $?)"
  grep -q 'libcrypto.so.3 cannot be loaded' "$folder/err" || fail 'the library is not named'
  check 'no library, list' 1 "$(cd "$root" && hidden "$baton" list >/dev/null 2>"$folder/err"; echo $?)"
  grep -q 'error: .*libcrypto.so.3 cannot be loaded' "$folder/err" || fail 'list: the library is not named'
  check 'no library, session start' 0 "$(document session-start | hidden "$baton" hook session-start >/dev/null 2>&1; echo $?)"
else
  echo 'skipped: the library of the digests cannot be hidden from the program'
fi

# ---- a ledger of thousands that the sentinel does not know yet: what it costs is bounded, and the next call finds it done
fresh; mkdir -p "$root/.adlc/handoffs/denies"; transcript=
for ((i = 6000; i > 0; i--)); do
  printf '{"schema":1,"session_id":"q%d","status":"consumed","since":"2026-01-01T00:00:00.000Z"}' $i \
    >"$root/.adlc/handoffs/denies/q$i.json"
done
check 'thousands of records' 0 "$(ulimit -t 3; ask claude-edit)"
check 'thousands of records: registered in order' '{"schema":1,"sessions":["q1","q10","q100","q1000"' \
  "$(cut -d, -f1-5 <"$root/.adlc/.deny-store")"
check 'thousands of records: each once' 6000 "$(grep -o '"q[0-9]*"' "$root/.adlc/.deny-store" | sort -u | wc -l)"
unset transcript

# ---- session start
fresh
start() { document session-start | "$baton" hook session-start >"$folder/out" 2>"$folder/err"; echo $?; }
check 'session start: nothing to say' '0 0' "$(start) $(wc -c <"$folder/out")"
depth 30; printf '"T-1"' >"$root/.adlc/current-ticket.json"; ask claude-edit >/dev/null
session=s9
check 'session start: a deny waits' 0 "$(start)"
grep -q 'handoff continue --deny-session s1 --write' "$folder/out" || fail 'session start: no line'
(cd "$root" && ADLC_MANIFEST_KEY=k "$baton" continue --deny-session s1 --session s9 --write >/dev/null) || fail 'continue'
check 'session start: a brief' 0 "$(start)"
grep -q '"additionalContext":"This session may possibly be a continuation' "$folder/out" || fail 'session start: no brief'
check 'session start: supervised' '0 0' "$(ADLC_HANDOFF_SUPERVISED=1 start) $(wc -c <"$folder/out")"
before=$(tree)
check 'session start: off' 0 "$(ADLC_CONTEXT_ROT_HANDOFF_ENABLED=0 start)"
check 'session start: no document' 0 "$(printf '{' | "$baton" hook session-start >"$folder/out" 2>/dev/null; echo $?)"

# ---- bootstrap
boot() { (cd "$root" && "$baton" bootstrap "$@" >"$folder/out" 2>"$folder/err"; echo $?); }
check 'bootstrap without the key' 1 "$(boot s9)"
export ADLC_MANIFEST_KEY=k
check 'bootstrap' 0 "$(boot s9)"
head -c 36 "$folder/out" | grep -q '^You are the continuation of session' || fail 'bootstrap: not the verified form'
[ -n "$(tail -c 1 "$folder/out")" ] || fail 'bootstrap: a line end at the end'
check 'bootstrap: nobody' 1 "$(boot s8)"
check 'bootstrap: another key' 2 "$(ADLC_MANIFEST_KEY=x boot s9)"
check 'bootstrap: no id' 1 "$(boot a/b)"
check 'asking changed nothing' "$before" "$(tree)"
cp "$root/.adlc/handoffs/denies/s1.json" "$folder/marker"
sed -i 's/"status": *"consumed"/"status": "open"/' "$root/.adlc/handoffs/denies/s1.json"
check 'bootstrap: a deny that is open again' 2 "$(boot s9)"
cp "$folder/marker" "$root/.adlc/handoffs/denies/s1.json"
echo more >>"$root/.adlc/handoffs/content/s1.md"
check 'bootstrap: another brief' 2 "$(boot s9)"
check 'bootstrap: stdout stays empty' 0 "$(wc -c <"$folder/out")"

# ---- wiring, on the command line
unset ADLC_MANIFEST_KEY
export HOME=$folder/home2 CODEX_HOME=$folder/codex
mkdir -p "$HOME/.claude"
settings=$HOME/.claude/settings.json
printf '{\n   "model": "m",\n   "hooks": {"PreToolUse": []}\n}' >"$settings"
cp "$settings" "$folder/original"
check 'install: which harness' 1 "$("$baton" hook install >/dev/null 2>&1; echo $?)"
check 'install: dry run' 0 "$("$baton" hook install --harness claude-code >/dev/null; echo $?)"
cmp -s "$settings" "$folder/original" || fail 'a dry run writes'
check 'status: unwired' unwired "$("$baton" hook status --harness claude-code | awk 'NR == 1 { print $2 }')"
"$baton" hook install --harness claude-code --write >/dev/null || fail 'install'
check 'status: wired' wired "$("$baton" hook status --harness claude-code | awk 'NR == 1 { print $2 }')"
cmp -s "$settings.before-baton" "$folder/original" || fail 'no copy of what was there'
cp "$settings" "$folder/wired"
"$baton" hook install --harness claude-code --write >/dev/null || fail 'install again'
cmp -s "$settings" "$folder/wired" || fail 'install is not idempotent'
"$baton" hook remove --harness claude-code --write >/dev/null || fail 'remove'
cmp -s "$settings" "$folder/original" || fail 'remove does not give back what was there'
printf '{"a":' >"$settings"
check 'install: unreadable' 1 "$("$baton" hook install --harness claude-code --write >/dev/null 2>"$folder/err"; echo $?)"
check 'unreadable: as it was' '{"a":' "$(cat "$settings")"
"$baton" hook install --harness codex --write >/dev/null || fail 'install for Codex'
"$baton" hook status --harness codex | grep -q 'wired, trust unknown' || fail 'Codex: trust is not said to be unknown'
check 'Codex has no project' 1 "$("$baton" hook install --harness codex --project >/dev/null 2>&1; echo $?)"
(cd "$root/src" && "$baton" hook install --harness claude-code --project --write >/dev/null) || fail 'install in the project'
[ -f "$root/.claude/settings.json" ] || fail 'the project is not the ledger'"'"'s root'
status() { (cd "$root/src" && "$baton" hook status --harness claude-code | awk 'NR == 1 { print $2 }'); }
rm -f "$settings"
fresh; depth 50; mkdir -p "$root/src" "$root/.claude"
check 'a denied session' 2 "$(ask claude-edit)"
"$baton" hook install --harness claude-code --write >/dev/null || fail 'install for the user'
echo '{"disableAllHooks": true}' >"$root/.claude/settings.json"
check 'switched off by the project' unwired "$(status)"
(cd "$root" && "$baton" hook install --harness claude-code) | grep -q 'It will not run' || fail 'install does not say that hooks are off'
(cd "$root" && "$baton" list --json) | grep -q 'switched off by disableAllHooks' || fail 'the list takes hooks that are off for a gate'
echo '{"disableAllHooks": false}' >"$root/.claude/settings.local.json"
check 'switched on again nearer to the work' wired "$(status)"
rm -f "$root/.claude/"*
cp "$settings" "$folder/wired"
sed -i '0,/"type": "command"/s//"async": true, &/' "$settings"
check 'a hook that nobody waits for is no gate' outdated "$(status)"
"$baton" hook install --harness claude-code --write >/dev/null || fail 'install over one that nobody waits for'
check 'wired in its place' wired "$(status)"
"$baton" --readonly hook install --harness codex --write >/dev/null 2>&1 && fail 'read-only and it writes'
[ "$failures" = 0 ]
