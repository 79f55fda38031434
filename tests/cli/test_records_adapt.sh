#!/usr/bin/env bash
# tests/cli/test_records_adapt.sh BATON - every adapter: its lines, that a grown source begins with the same lines, and that
# `build --from` equals `adapt` and `build --source`.
set -u
baton=$1
folder=$(mktemp -d "${TMPDIR:-/tmp}/baton-adapt.XXXXXX") || exit 1
trap 'rm -rf "$folder"' EXIT
command -v jq >/dev/null || { echo 'SKIPPED: jq is not installed'; exit 77; }
export HOME=$folder/home HANDOFFS_ROOT=$folder/store
unset CLAUDE_CONFIG_DIR CODEX_HOME GEMINI_CLI_HOME PI_CODING_AGENT_DIR XDG_DATA_HOME NO_COLOR
mkdir -p "$HOME"
cd "$folder" || exit 1
failures=0
fail() { printf 'FAIL %s\n' "$*"; failures=$((failures + 1)); }

# lines HARNESS FILE [FLAGS]: "seq role/kind text" of every line.
lines() { "$baton" records adapt --harness "$1" "${@:3}" "$2" 2>"$folder/err" | jq -r '"\(.seq) \(.role)/\(.kind) \(.text | gsub("\n"; "|"))"'; }
expect() { # WORDS HARNESS FILE < expected
  local wanted got
  wanted=$(cat)
  got=$(lines "$2" "$3" "${@:4}")
  [ "$wanted" = "$got" ] || fail "$1: wanted
$wanted
got
$got"
}
# grows HARNESS FILE: cut after each line and in the middle of each, the output is a beginning of the whole output.
grows() {
  local whole n count cut
  "$baton" records adapt --harness "$1" "$2" >"$folder/whole" 2>/dev/null
  count=$(wc -l <"$2")
  cp "$2" "$folder/kept"
  for n in $(seq 1 "$count"); do
    head -n "$n" "$folder/kept" >"$2"
    "$baton" records adapt --harness "$1" "$2" 2>/dev/null >"$folder/part"
    cmp -s -n "$(stat -c %s "$folder/part")" "$folder/part" "$folder/whole" || fail "$1: the output for $n lines is no beginning"
    cut=$(($(stat -c %s "$2") - 7))
    truncate -s "$cut" "$2"
    "$baton" records adapt --harness "$1" "$2" 2>/dev/null >"$folder/part"
    cmp -s -n "$(stat -c %s "$folder/part")" "$folder/part" "$folder/whole" || fail "$1: the output for half of line $n is no beginning"
  done
  cp "$folder/kept" "$2"
}
# same HARNESS FILE MODEL: build --from equals adapt and build --source.
same() {
  rm -rf "$folder/store" "$folder/a"
  "$baton" records build --from "$2" --harness "$1" >/dev/null 2>&1 || fail "$1: build --from"
  mv "$folder/store" "$folder/a"
  mkdir -p "$folder/lines"
  "$baton" records adapt --harness "$1" "$2" >"$folder/lines/adapted.jsonl" 2>/dev/null
  "$baton" records build --source "$folder/lines/adapted.jsonl" --harness "$1" --model "$3" >/dev/null 2>&1 || fail "$1: build --source"
  for file in timeline.jsonl TOOLS.md; do
    cmp -s "$folder"/a/projects/*/*/$file "$folder"/store/projects/*/*/$file || fail "$1: $file differs"
  done
  filter='del(.created_at, .updated_at, .source_paths, .manifest_sha256)'
  [ "$(jq -c "$filter" "$folder"/a/projects/*/*/manifest.json)" = "$(jq -c "$filter" "$folder"/store/projects/*/*/manifest.json)" ] ||
    fail "$1: the manifests differ"
  [ "$(jq -r '.source_paths[0]' "$folder"/a/projects/*/*/manifest.json)" = "$2" ] || fail "$1: source_paths"
  [ "$(jq -r '.raw_sha256' "$folder"/a/projects/*/*/manifest.json)" = "$(sha256sum <"$folder/lines/adapted.jsonl" | cut -d' ' -f1)" ] ||
    fail "$1: raw_sha256"
}

cat >claude.jsonl <<'X'
{"type":"summary","summary":"An earlier talk","leafUuid":"1"}
{"type":"user","sessionId":"s-1","cwd":"/home/mara/lantern","timestamp":"2025-01-01T00:00:00Z","isSidechain":false,"message":{"role":"user","content":"Light the lamps"}}
not json
{"type":"assistant","sessionId":"s-1","timestamp":"2025-01-01T00:00:01Z","message":{"role":"assistant","model":"<synthetic>","content":[{"type":"thinking","thinking":"how"},{"type":"redacted_thinking","data":"x"},{"type":"text","text":"I will"},{"type":"tool_use","id":"t","name":"Bash","input":{"command":"ls"}},{"type":"strange"}]}}
{"type":"user","sessionId":"s-1","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]},{"type":"image","source":{}},{"type":"document"}]}}
{"type":"user","isMeta":true,"message":{"role":"user","content":"caveat"}}
{"type":"user","isCompactSummary":true,"message":{"role":"user","content":"so far"}}
{"type":"assistant","isSidechain":true,"message":{"role":"assistant","content":"elsewhere"}}
{"type":"assistant","isApiErrorMessage":true,"message":{"role":"assistant","model":"m-9","content":[{"type":"text","text":"API error"}]}}
{"type":"system","content":"compacted","timestamp":"2025-01-01T00:00:09Z"}
{"type":"progress","data":{"message":"again"}}
{"type":"brand-new"}
{"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"   "}]}}
X
expect 'claude' claude-code claude.jsonl <<'X'
0 system/summary An earlier talk
1 user/text Light the lamps
2 assistant/thinking how
3 assistant/text I will
4 assistant/tool_use tool_use Bash {"command":"ls"}
5 tool/tool_result a|b
6 user/text [image]
7 user/text [file]
8 system/meta caveat
9 system/summary so far
10 system/meta API error
11 system/meta compacted
X
grep -q '1 records that do not parse and 2 of an unknown kind' "$folder/err" || fail "claude: counts: $(cat "$folder/err")"
printf '%s\n' '{"type":"assistant","isCompactSummary":true,"message":{"role":"assistant","content":"mine"}}' >compact.jsonl
expect 'claude: only a user record is a summary' claude-code compact.jsonl <<<'0 assistant/text mine'
first=$("$baton" records adapt --harness claude-code claude.jsonl 2>/dev/null | sed -n 2p)
[ "$first" = '{"seq":1,"ts":"2025-01-01T00:00:00Z","harness":"claude-code","source":"claude.jsonl","session":"s-1","thread":"claude-code/--home-mara-lantern--","role":"user","kind":"text","text":"Light the lamps"}' ] ||
  fail "claude: the canonical line: $first"
grows claude-code claude.jsonl
same claude-code claude.jsonl m-9

cat >codex.jsonl <<'X'
{"timestamp":"t0","type":"session_meta","payload":{"id":"c-1","cwd":"/w/kelp","git":{}}}
{"timestamp":"t1","type":"session_meta","payload":{"id":"c-0","cwd":"/w/parent"}}
{"timestamp":"t2","type":"turn_context","payload":{"cwd":"/w/kelp","model":"gx-5"}}
{"timestamp":"t3","type":"response_item","payload":{"type":"message","role":"developer","content":[{"type":"input_text","text":"rules"}]}}
{"timestamp":"t4","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"one"},{"type":"input_image","image_url":"data:"},{"type":"input_text","text":"two"}]}}
{"timestamp":"t5","type":"response_item","payload":{"type":"reasoning","summary":[{"type":"summary_text","text":"first"},{"type":"summary_text","text":"second"}],"encrypted_content":"x"}}
{"timestamp":"t6","type":"response_item","payload":{"type":"reasoning","summary":[],"content":[{"type":"reasoning_text","text":"inner"}]}}
{"timestamp":"t7","type":"response_item","payload":{"type":"reasoning","summary":[],"encrypted_content":"x"}}
{"timestamp":"t8","type":"response_item","payload":{"type":"function_call","name":"shell","arguments":"{\"command\":[\"ls\"]}","call_id":"1"}}
{"timestamp":"t9","type":"response_item","payload":{"type":"function_call_output","call_id":"1","output":"done"}}
{"timestamp":"t10","type":"response_item","payload":{"type":"local_shell_call","action":{"type":"exec"}}}
{"timestamp":"t11","type":"response_item","payload":{"type":"custom_tool_call_output","output":{"content":"body","success":true}}}
{"timestamp":"t12","type":"response_item","payload":{"type":"custom_tool_call_output","output":{"exit":0}}}
{"timestamp":"t13","type":"event_msg","payload":{"type":"agent_message","message":"again"}}
{"timestamp":"t14","type":"compacted","payload":{"message":"in short"}}
{"timestamp":"t15","type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"there"}]}}
X
expect 'codex' codex codex.jsonl <<'X'
0 system/text rules
1 user/text one|[image]|two
2 assistant/reasoning first||second
3 assistant/reasoning inner
4 assistant/tool_use function_call shell {"command":["ls"]}
5 tool/tool_result done
6 assistant/tool_use local_shell_call {"type":"exec"}
7 tool/tool_result body
8 tool/tool_result {"exit":0}
9 system/summary in short
10 assistant/text there
X
grows codex codex.jsonl
same codex codex.jsonl gx-5
printf '%s\n' '{"timestamp":"t","type":"response_item","payload":{"type":"function_call","name":"sh","arguments":null,"input":"later"}}' >null.jsonl
expect 'codex: arguments that are null are none' codex null.jsonl <<<'0 assistant/tool_use function_call sh later'
printf '%s\n' '{"id":"old-1","timestamp":"t"}' '{"record_type":"state"}' '{"type":"message","role":"user","content":"hi"}' >old.jsonl
[ "$("$baton" records adapt --harness codex old.jsonl 2>/dev/null | jq -r '.session + " " + .text')" = 'old-1 hi' ] || fail 'codex: the oldest files'

mkdir -p g/chats && printf '/home/x/my.Rig\n' >g/.project_root
cat >g/chats/session-2025-01-01T00-00-abcdef01.jsonl <<'X'
{"sessionId":"g-1","projectHash":"h","startTime":"t"}
{"id":"1","timestamp":"t1","type":"user","content":[{"text":"hello"},{"inlineData":{"mimeType":"image/png","data":"x"}}]}
{"id":"2","timestamp":"t2","type":"gemini","model":"gem","content":"","thoughts":[{"subject":"S","description":"D"}]}
{"id":"2","timestamp":"t3","type":"gemini","content":"answer","thoughts":[{"subject":"S","description":"D"},{"subject":"S2","description":"D2"}],"toolCalls":[{"id":"c","name":"ls","args":{"p":1},"status":"executing"}]}
{"id":"2","timestamp":"t3","type":"gemini","content":"answer","toolCalls":[{"id":"c","name":"ls","args":{"p":1},"status":"success","result":[{"functionResponse":{"response":{"output":""}}}]}]}
{"id":"2","timestamp":"t4","type":"gemini","content":"answer","toolCalls":[{"id":"c","name":"ls","args":{"p":1},"status":"success","result":[{"functionResponse":{"response":{"output":"files"}}}]},{"id":"d","name":"rm","args":{},"status":"error","result":[{"functionResponse":{"response":{"error":"no"}}}]}]}
{"id":"3","timestamp":"t5","type":"info","content":"note"}
{"$rewindTo":"2"}
{"$set":{"summary":"x"}}
X
expect 'gemini' gemini-cli g/chats/session-2025-01-01T00-00-abcdef01.jsonl <<'X'
0 user/text hello|[image]
1 assistant/thinking S|D
2 assistant/thinking S2|D2
3 assistant/text answer
4 assistant/tool_use tool_use ls {"p":1}
5 tool/tool_result files
6 assistant/tool_use tool_use rm {}
7 tool/tool_result no
8 system/meta note
9 system/meta [rewound to 2]
X
grows gemini-cli g/chats/session-2025-01-01T00-00-abcdef01.jsonl
same gemini-cli g/chats/session-2025-01-01T00-00-abcdef01.jsonl gem
[ "$("$baton" records adapt --harness gemini-cli g/chats/session-*.jsonl | jq -r .thread | sort -u)" = 'gemini-cli/--home-x-my-Rig--' ] || fail 'gemini: thread'
printf '%s\n' '{"$rewindTo":"2","timestamp":"t6"}' >g/chats/rewound.jsonl
[ "$("$baton" records adapt --harness gemini-cli g/chats/rewound.jsonl | jq -r .ts)" = t6 ] || fail 'gemini: the stamp of a rewind'
printf '{"sessionId":"g-2","messages":[{"id":"1","type":"user","content":"a"},{"id":"2","type":"gemini","content":"b"}]}' >g/chats/session-x.json
expect 'gemini, one document' gemini-cli g/chats/session-x.json <<<'0 user/text a'
expect 'gemini, one document that is over' gemini-cli g/chats/session-x.json --over <<<'0 user/text a
1 assistant/text b'

cat >open.json <<'X'
{"info":{"id":"ses_1","directory":"/w/buoy"},"messages":[
 {"info":{"id":"msg_2","role":"assistant","modelID":"oc","time":{"created":1700,"completed":1800}},"parts":[
  {"id":"p3","type":"tool","tool":"bash","state":{"status":"completed","input":{"c":"ls"},"output":"out"}},
  {"id":"p1","type":"step-start"},{"id":"p2","type":"reasoning","text":"why"},{"id":"p4","type":"text","text":"said"},
  {"id":"p5","type":"tool","tool":"web","state":{"status":"running","input":{}}}]},
 {"info":{"id":"msg_1","role":"user","time":{"created":1600}},"parts":[{"id":"p","type":"text","text":"ask"},{"id":"q","type":"text","text":"s","synthetic":true},{"id":"r","type":"file","mime":"text/plain"}]},
 {"info":{"id":"msg_3","role":"assistant","summary":true,"time":{"created":1,"completed":2}},"parts":[{"id":"a","type":"text","text":"sum"}]},
 {"info":{"id":"msg_4","role":"assistant","time":{"created":1900}},"parts":[{"id":"a","type":"text","text":"not yet"}]},
 {"info":{"id":"msg_5","role":"user","time":{"created":2000}},"parts":[{"id":"a","type":"text","text":"later"}]}]}
X
expect 'opencode' opencode open.json <<'X'
0 user/text ask
1 system/meta s
2 user/text [file]
3 assistant/thinking why
4 assistant/tool_use tool_use bash {"c":"ls"}
5 tool/tool_result out
6 assistant/text said
7 assistant/tool_use tool_use web {}
8 system/summary sum
X
[ "$("$baton" records adapt --harness opencode open.json 2>/dev/null | sed -n 4p | jq -r '.ts + " " + .session + " " + .thread')" = '1700 ses_1 opencode/--w-buoy--' ] || fail 'opencode: stamp'
tree=$HOME/.local/share/opencode/storage
mkdir -p "$tree/session/p" "$tree/message/ses_9" "$tree/part/msg_1" "$tree/part/msg_2"
echo '{"id":"stale","directory":"/w/buoy"}' >"$tree/session/p/ses_9.json"
echo '{"id":"msg_1","role":"user","time":{"created":5}}' >"$tree/message/ses_9/msg_1.json"
echo '{"id":"msg_2","role":"assistant","modelID":"oc2","time":{"created":6,"completed":7}}' >"$tree/message/ses_9/msg_2.json"
echo '{"id":"prt_1","type":"text","text":"in the tree"}' >"$tree/part/msg_1/prt_1.json"
echo '{"id":"prt_2","type":"text","text":"an answer"}' >"$tree/part/msg_2/prt_2.json"
expect 'opencode, tree' opencode "$tree/session/p/ses_9.json" <<<'0 user/text in the tree
1 assistant/text an answer'
[ "$("$baton" records adapt --harness opencode "$tree/session/p/ses_9.json" | jq -r .session | sort -u)" = ses_9 ] || fail 'opencode: the id is the path'"'"'s'

cat >pi.jsonl <<'X'
{"type":"session","id":"pi-1","cwd":"/w/reef","timestamp":"t0"}
{"type":"message","id":"a","timestamp":"t1","message":{"role":"user","content":[{"type":"text","text":"look"},{"type":"image","data":"x"}]}}
{"type":"message","id":"b","timestamp":"t2","message":{"role":"assistant","model":"pm","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"ok"},{"type":"toolCall","name":"read","arguments":{"path":"x"}}]}}
{"type":"message","id":"c","timestamp":"t3","message":{"role":"toolResult","content":[{"type":"text","text":"r1"},{"type":"text","text":"r2"}]}}
{"type":"message","id":"d","message":{"role":"bashExecution","content":"note"}}
{"type":"compaction","summary":"short"}
{"type":"label","x":1}
X
expect 'pi' pi pi.jsonl <<'X'
0 user/text look|[image]
1 assistant/thinking hm
2 assistant/text ok
3 assistant/tool_use tool_use read {"path":"x"}
4 tool/tool_result r1|r2
5 system/meta note
6 system/summary short
X
grows pi pi.jsonl
same pi pi.jsonl pm

cat >events.jsonl <<'X'
{"type":"session.start","timestamp":"t0","data":{"sessionId":"cp-1","context":{"cwd":"/w/quay"}}}
{"type":"assistant.message","timestamp":"t1","data":{"model":"a model that only spoke first","content":""}}
{"type":"session.model_change","timestamp":"t1","data":{"newModel":"cm"}}
{"type":"user.message","timestamp":"t2","data":{"content":"go"}}
{"type":"assistant.message","timestamp":"t3","data":{"reasoningText":"mm","content":"gone","toolRequests":[{}]}}
{"type":"tool.execution_start","timestamp":"t4","data":{"toolName":"bash","arguments":{"command":"ls"}}}
{"type":"tool.execution_complete","timestamp":"t5","data":{"result":{"content":"listing"}}}
{"type":"tool.execution_complete","timestamp":"t6","data":{"error":{"message":"broken"}}}
{"type":"user.message","agentId":"sub","data":{"content":"not this"}}
{"type":"system.message","data":{"content":"sys"}}
X
expect 'copilot' copilot-cli events.jsonl <<'X'
0 user/text go
1 assistant/thinking mm
2 assistant/text gone
3 assistant/tool_use tool_use bash {"command":"ls"}
4 tool/tool_result listing
5 tool/tool_result broken
6 system/meta sys
X
grows copilot-cli events.jsonl
same copilot-cli events.jsonl cm

cat >export.json <<'X'
{"messages":[{"role":"system","content":"be brief"},{"role":"user","content":[{"type":"text","text":"q"},{"type":"image_url","image_url":{}}]},
{"role":"assistant","content":null,"tool_calls":[{"id":"1","type":"function","function":{"name":"f","arguments":"{\"a\": 1}"}}]},{"role":"tool","content":"res"}]}
X
expect 'openai' openai export.json <<'X'
0 system/text be brief
1 user/text q|[image]
2 assistant/tool_use function f {"a": 1}
3 tool/tool_result res
X
jq .messages export.json >list.json
expect 'openai, a list' openai list.json < <(lines openai export.json)

cat >.aider.chat.history.md <<'X'

# aider chat started at 2025-02-03 04:05:06

> Model: x
> Repo: y

#### add a light
#### and a lamp

I added both.

> Applied edit to lamp.c

#### thanks
X
expect 'aider' aider .aider.chat.history.md --over <<'X'
0 tool/tool_result Model: x|Repo: y
1 user/text add a light|and a lamp
2 assistant/text I added both.
3 tool/tool_result Applied edit to lamp.c
4 user/text thanks
X
[ "$("$baton" records adapt --harness aider .aider.chat.history.md 2>/dev/null | jq -r .ts | sort -u)" = '2025-02-03 04:05:06' ] || fail 'aider: stamp'
grows aider .aider.chat.history.md

# By id, out of the stores.
mkdir -p "$HOME/.claude/projects/-home-mara-lantern"
sed 's/s-1/0a1b2c3d-4e5f-6789-abcd-ef0123456789/' claude.jsonl >"$HOME/.claude/projects/-home-mara-lantern/0a1b2c3d-4e5f-6789-abcd-ef0123456789.jsonl"
"$baton" records build --from 0a1b2c3d 2>/dev/null | grep -q 'built 0a1b2c3d-4e5f-6789-abcd-ef0123456789 project=' || fail 'a session by the beginning of its id'
"$baton" records build --from ses_9 2>/dev/null | grep -q 'built ses_9 project=buoy turns=2 ' || fail 'an OpenCode session by its id'
"$baton" records build --from nobody >/dev/null 2>"$folder/err"; [ $? = 4 ] || fail 'a session that is not there'
"$baton" records build --from claude.jsonl >/dev/null 2>"$folder/err"; [ $? = 2 ] || fail 'a path in no store without --harness'
"$baton" records adapt --harness dsh x >/dev/null 2>"$folder/err"; [ $? = 2 ] || fail 'an adapter that is not supported'
grep -q 'not supported' "$folder/err" || fail 'an adapter that is not supported says so'
"$baton" records adapt --harness pi "$folder" >/dev/null 2>&1; [ $? = 1 ] || fail 'a folder'
mkfifo fifo && { timeout 10 "$baton" records adapt --harness pi fifo >/dev/null 2>&1; [ $? = 1 ] || fail 'a FIFO'; }
# A file's name is told in its visible form.
printf '{}\n' >$'o\e[31m.jsonl'
"$baton" records adapt --harness claude-code $'o\e[31m.jsonl' >/dev/null 2>"$folder/err"
grep -q '^handoff: no lines came of o^\[\[31m.jsonl$' "$folder/err" || fail "a hostile name: $(cat -v "$folder/err")"
# Native lines given to build have no text: nothing is guessed.
"$baton" records build --source pi.jsonl --project raw >/dev/null 2>&1; [ $? = 4 ] || fail 'native lines are not guessed'
printf '{"a":1}\n{"record_type":"state"}\n\302\240\n' >odd.jsonl
"$baton" records adapt --harness codex odd.jsonl 2>&1 | grep -q 'passed over 0 records that do not parse and 1 of an unknown kind' || fail 'codex: what is passed over is counted'
[ "$failures" = 0 ] || { printf '%s failures\n' "$failures"; exit 1; }
