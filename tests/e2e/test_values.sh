#!/usr/bin/env bash
# What `list --json`, `show --json`, the plain table, `show` and the session's page say of a session is the same, and is what the
# golden cases want; for every transcript of theirs, in the store of its harness.
. "$(dirname "$0")/lib.sh" "$@"
command -v jq >/dev/null || { echo 'skipped: no jq'; exit 77; }
. "$root/tests/support/stores.sh"
signals=$root/tests/vectors/signals.json
home=$work/home repo=$work/repo
mkdir -p "$home" "$repo"
fill_stores "$signals" "$home"
fill_tree "$home"
run() { (cd "$repo" && env -i PATH="$PATH" HOME="$home" TZ=UTC LC_ALL=C.UTF-8 ASAN_OPTIONS="${ASAN_OPTIONS:-}" "$baton" "$@"); }

run list --all --json >"$work/list.json" || fail 'list --all --json'
run list --all --json >"$work/again.json" || fail 'list --all --json from the index'
check 'with the index the same is said as without' cmp -s <(jq -S 'del(.taken_at)' "$work/list.json") <(jq -S 'del(.taken_at)' "$work/again.json")
check 'nothing is left to be read' [ "$(jq .transcripts_pending "$work/list.json")" = 0 ]
check 'every harness is there' [ "$(jq -r '[.sessions[].harness] | unique | join(" ")' "$work/list.json")" = 'claude codex gemini opencode pi' ]

# ---- the golden values, by the file that they were read from (state has its own clock there, ages are not compared)
wanted='def ms: if . == null then null else (. / 1000 | floor | strftime("%Y-%m-%dT%H:%M:%S")) + "." + ("00\(. % 1000)"[-3:]) + "Z" end;
  def word: if type == "object" then null else . end;
  {depth, truncated, used: .pct_tokens_used, window, window_source, messages: [.user_messages, .assistant_messages], tools,
   pct: (if .pct_centi then .pct_centi / 100 else null end), cwd, last_cwd, branch: .git_branch, model, version, error,
   started: (.started_ms | ms), last: (.last_activity_ms | ms), tool: .last_tool, pending: .last_tool_pending, compactions,
   pre: .last_compaction.pre_tokens, post: .last_compaction.post_tokens, trigger: .last_compaction.trigger,
   sidechain: .sidechain_records, skipped: .skipped_lines, partial: .partial_tail, bytes,
   band: (if .depth == null then null else .host_band end)}'
found='{depth: .context.depth, truncated: .context.truncated, used: .context.used_tokens, window: .context.window_tokens,
   window_source: .context.window_source, messages: [.transcript.user_messages, .transcript.assistant_messages], tools: .transcript.tools,
   pct: .context.used_pct, cwd, last_cwd: .transcript.last_cwd, branch, model, version: .transcript.version, error: .transcript.error,
   started: .transcript.started, last: .transcript.last_activity, tool: .transcript.last_tool, pending: .transcript.last_tool_pending,
   compactions: .compactions.count, pre: .compactions.pre_tokens, post: .compactions.post_tokens, trigger: .compactions.trigger,
   sidechain: .transcript.sidechain_records, skipped: .transcript.skipped_lines, partial: .transcript.partial_tail,
   bytes: .transcript.size_bytes, band: .context.host_band}'
compared=0
while read -r number path; do
  session=$(jq -c --arg path "$home/$path" '.sessions[] | select(.transcript.path == $path)' "$work/list.json")
  if [ -z "$session" ]; then # a sub-agent's file is no session of its own
    check "$path is listed" [ "$(jq ".cases[$number].expected.is_subagent" "$signals")" = true ]
    continue
  fi
  check "$path: as the golden case $number" cmp -s <(jq -S ".cases[$number].expected | $wanted" "$signals") <(jq -S "$found" <<<"$session")
  compared=$((compared + 1))
done <"$home/cases"
check "$compared cases were compared" [ "$compared" -ge 40 ]
tree=$(jq -c '.sessions[] | select(.id == "ses_tree")' "$work/list.json")
check 'a session in pieces' [ "$(jq -r '[.title, .context.used_tokens, .transcript.user_messages, .transcript.last_tool] | join(" ")' <<<"$tree")" = 'In pieces 1324 1 edit' ]
check 'a named thread' [ "$(jq -r '.sessions[] | select(.id | endswith("-8000-000000000036")) | .title' "$work/list.json")" = 'A named thread' ]

# ---- the same object from show, the same words in the tables
# A session's lines as `show` and the page must have them, from its JSON.
lines='def tenth: (. * 10 + 0.000001 | floor) as $t | "\($t / 10 | floor).\($t % 10)%";
  def used: if .used_pct == null then "?" elif .used_pct >= 100 then (if .over_window then ">100%" else "100%" end) else .used_pct | tenth end;
  def commas: tostring | [while(length > 0; .[:-3]) | .[-3:]] | reverse | join(",");
  def maybe: if . then "" else null end;
  .context as $c | .transcript as $t | .compactions as $k |
  (if $c.depth == null then null else "\(if $c.truncated then "at least " else "" end)\($c.depth) tool calls" end) as $depth'
plain="$lines | \"CONTEXT     \(\$c | used) USED, band \(.band)\(if .band_by then \" by \" + .band_by else \"\" end)\",
  (if \$c.used_tokens == null and \$c.window_tokens == null then empty elif \$c.window_tokens == null then \"TOKENS      \(\$c.used_tokens) of ?\"
   else \"TOKENS      \(\$c.used_tokens // \"?\") of \(\$c.window_tokens) (window: \(\$c.window_source)\(if \$c.window_is_guess then \", may be larger\" else \"\" end))\" end),
  (if \$depth then \"DEPTH       \" + \$depth + \", host band \" + \$c.host_band else empty end),
  \"MODEL       \(.model // \"?\")\", \"FOLDER      \(.cwd // \"?\")\", \"BRANCH      \(.branch // \"?\")\",
  \"MESSAGES    \(\$t.user_messages) of the user, \(\$t.assistant_messages) of the agent, \(\$t.tools) tool calls\(if \$t.last_tool then \", the last \" + \$t.last_tool else \"\" end)\(if \$t.last_tool_pending then \" (no result yet)\" else \"\" end)\",
  (if \$k.count > 0 then \"COMPACTED   \(\$k.count) time\" else empty end), \"AGENT       \(.agent_state)\(if \$t.error then \" after an error\" else \"\" end), last seen\""
page="$lines | \"\(\$c | used) used  \(.band)\",
  (if \$c.used_tokens == null and \$c.window_tokens == null then empty else \"tokens  \(if \$c.used_tokens then \$c.used_tokens | commas else \"?\" end) / \(if \$c.window_tokens then \$c.window_tokens | commas else \"?\" end)\" end),
  (if \$c.window_source then \"(window: \(\$c.window_source)\" else empty end),
  (if \$depth then \"depth   \" + \$depth + \"   host band \" + \$c.host_band else empty end),
  (if .band_by then \"by      \" + .band_by else empty end),
  \"AGENT     \(.agent_state)\(if \$t.error then \" after an error\" else \"\" end)   last record\",
  \"talk    \(\$t.user_messages) user, \(\$t.assistant_messages) agent, \(\$t.tools) tool calls\",
  (if \$t.last_tool then \"tool    \" + \$t.last_tool + (if \$t.last_tool_pending then \" (no result yet)\" else \"\" end) else empty end),
  (if \$k.count > 0 then \"compact \(\$k.count) time\" else empty end)"
has_lines() { # FILE LINES: every one of them is in the file
  local line
  while IFS= read -r line; do grep -qF -- "$line" "$1" || { printf 'missing: [%s]\n' "$line"; return 1; }; done <"$2"
}

run list --all >"$work/list.txt"
heads='["schema_version","taken_at","ledger","project","host","key_loaded","key_is_sample","evidence_problem","sample","foreign_owner","owner_uid"]'
jq -r '.sessions[].id' "$work/list.json" >"$work/ids"
while read -r id; do
  jq -S --arg id "$id" '.sessions[] | select(.id == $id)' "$work/list.json" >"$work/one.json"
  run show --all "$id" --json | jq -S "with_entries(select(.key as \$k | $heads | index(\$k) | not))" >"$work/shown.json"
  check "$id: list and show" cmp -s "$work/one.json" "$work/shown.json"
  jq -r "$plain" "$work/one.json" >"$work/wanted"
  run show --all "$id" >"$work/shown"
  check "$id: show and show --json" has_lines "$work/shown" "$work/wanted"
  row=$(jq -r "$lines | [.id, .harness, \"-\", (\$c | used), .band, (.band_by // \"-\")] | join(\" \")" "$work/one.json")
  check "$id: the table" grep -qF -- "$row" <(tr -s ' ' <"$work/list.txt")
done <"$work/ids"

# ---- the page of each session, one after the other
mux new-session -d -x 200 -y 60 "cd '$repo' && env -i PATH='$PATH' HOME='$home' TZ=UTC TERM=tmux-256color LC_ALL=C.UTF-8 \
  ASAN_OPTIONS='${ASAN_OPTIONS:-}:log_path=$work/asan' '$baton' ui --all --utc" || { echo 'skipped: tmux cannot start'; exit 77; }
see "worst first.*$(wc -l <"$work/ids") sessions"
see '!' 'still to be read|unread'
keys Enter
see "1 of $(wc -l <"$work/ids")"
shown_page() { screen >"$work/screen" && has_lines "$work/screen" "$work/wanted" >"$work/missing"; }
total=$(wc -l <"$work/ids")
for ((at = 1; at <= total; at++)); do
  see "$at of $total"
  id=$(screen | sed -n 's/^ SESSION   \([^ ]*\).*/\1/p')
  jq -r --arg id "$id" ".sessions[] | select(.id == \$id) | $page" "$work/list.json" >"$work/wanted"
  check "$id has a page" [ -s "$work/wanted" ]
  until_true shown_page || fail "$id: the page and list --json: $(cat "$work/missing")"
  checks=$((checks + 1))
  keys ']'
done

# The last words of a session in pieces.
keys q; see 'enter open'
keys /; text ses_tree; keys Enter; see 'ses_tree'; keys Enter; see 'SESSION   ses_tree'; keys 3
see 'Tidy it'
see 'call edit'
see 'done so'
see 'It is tidy'
mux kill-server

# A session at its hard depth: the page says what `why` says, rule by rule.
id=5b1f0c3e-1111-4a2b-8c3d-000000000999
mkdir -p "$home/.claude/projects/-here"
for ((at = 0; at < 41; at++)); do
  printf '{"type":"assistant","cwd":"%s","uuid":"u%s","timestamp":"%s","message":{"model":"m","content":[{"type":"tool_use","id":"t%s","name":"Bash"}]}}\n' \
    "$repo" "$at" "$(date -u +%FT%TZ)" "$at"
done >"$home/.claude/projects/-here/$id.jsonl"
run why "$id" >"$work/why"
check 'why refuses at the hard depth' [ "$?" = 2 ]
sed -n 's/^\([?! ]\) \([A-Za-z0-9]*\) *\(UNKNOWN\|REFUSE\|pass\) .*/\1 \2 \3/p' "$work/why" | tr -s ' ' >"$work/wanted"
check 'rules are named' grep -q '^! D2 REFUSE' "$work/wanted"
socket=why
mux new-session -d -x 200 -y 60 "cd '$repo' && env -i PATH='$PATH' HOME='$home' TZ=UTC TERM=tmux-256color LC_ALL=C.UTF-8 \
  ASAN_OPTIONS='${ASAN_OPTIONS:-}:log_path=$work/asan' '$baton' ui --utc"
see "^.*${id%%-*} .*HARD"
keys w
see 'rules, in the order'
page_of_why() { screen | tr -s ' ' | sed 's/^ *\([?!]\) /\1 /; s/^ \([^ ]\)/ \1/' >"$work/screen" && has_lines "$work/screen" "$work/wanted" >"$work/missing"; }
until_true page_of_why || fail "why and its page: $(cat "$work/missing")"
checks=$((checks + 1))
see "$(sed -n 's/^ANSWER *\(.*\)/ANSWER +\1/p' "$work/why")"
finish
