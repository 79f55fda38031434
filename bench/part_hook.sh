# bench/part_hook.sh - the gate in a harness, and a supervisor at rest. Sourced by bench/run.sh, which has the helpers.

hook_runs=${BATON_BENCH_HOOK_RUNS:-200}
hook_document() { # ROOT TRANSCRIPT: of one edit
  printf '{"session_id":"bench","transcript_path":"%s","cwd":"%s","hook_event_name":"PreToolUse","tool_name":"Edit","tool_input":{"file_path":"%s/src/a.c","old_string":"a","new_string":"b"}}' "$2" "$1" "$1"
}
hook_calls() { # FILE BYTES: a transcript of so many bytes, with a call in every line
  awk -v bytes="$2" 'BEGIN {
    pad = sprintf("%900s", ""); gsub(/ /, "x", pad)
    line = "{\"type\":\"assistant\",\"message\":{\"content\":[{\"type\":\"tool_use\",\"name\":\"Edit\",\"input\":\"" pad "\"}]}}"
    for (n = 0; n < bytes; n += length(line) + 1) print line
  }' >"$1"
}
hook_timed() { # NAME DOCUMENT MEDIAN-GOAL P99-GOAL
  local middle slowest
  read -r middle _ slowest _ < <(ADLC_CONTEXT_ROT_HANDOFF_ENABLED=1 "$timeit" "$hook_runs" -i "$2" -- "$baton" hook pre-tool)
  row "$1, median" "$middle ms" "$3 ms" "$(ratio "$middle" "$3")" '<= 1'
  row "$1, 99th percentile" "$slowest ms" "$4 ms" "$(ratio "$slowest" "$4")" '<= 1'
  hook_median=$middle
}

head_line 'the gate in a harness (goal: clean repository 4 and 10 ms; a deny, 50 records and a 100 MiB transcript 12 and 20 ms)'
row what baton limit ratio goal
mkdir -p "$work/hook-clean/.adlc" "$work/hook-clean/src"
hook_calls "$work/hook-short.jsonl" 4000
hook_document "$work/hook-clean" "$work/hook-short.jsonl" >"$work/hook-clean.json"
hook_timed 'hook pre-tool, clean repository' "$work/hook-clean.json" 4 10
if command -v node >/dev/null 2>&1; then
  hook_node=$(median 20 node -e 0)
  row 'hook pre-tool, clean repository (node -e 0)' "$hook_median ms" "$hook_node ms" "$(ratio "$hook_node" "$hook_median")x" '>= 12'
fi

mkdir -p "$work/hook-denied/.adlc/handoffs/denies"
for ((i = 0; i < 50; i++)); do
  printf '{"session_id":"old-%s","ticket_id":"T-1","content_hash":"abc","status":"%s","since":"2026-01-01T00:00:00.000Z","host":"claude-code","schema":1}\n' \
    "$i" "$([ $((i % 2)) = 0 ] && echo open || echo consumed)" >"$work/hook-denied/.adlc/handoffs/denies/old-$i.json"
done
printf '{"schema":1,"sessions":[%s]}\n' "$(printf '"old-%s"\n' {0..49} | LC_ALL=C sort | paste -sd,)" >"$work/hook-denied/.adlc/.deny-store"
hook_calls "$work/hook-long.jsonl" 104857600
hook_document "$work/hook-denied" "$work/hook-long.jsonl" >"$work/hook-denied.json"
hook_syncs='not counted: strace is not installed'
if command -v strace >/dev/null 2>&1; then
  hook_syncs=$(ADLC_CONTEXT_ROT_HANDOFF_ENABLED=1 strace -f -c -e trace=fsync,fdatasync "$baton" hook pre-tool <"$work/hook-denied.json" 2>&1 >/dev/null |
    awk '/sync/ { count += $4; seconds += $2 } END { printf "%d, %.3f ms together", count, seconds * 1000 }')
fi
hook_timed 'hook pre-tool, denied' "$work/hook-denied.json" 12 20
row 'fsyncs of the first deny (marker and sentinel)' "$hook_syncs" '' '' 'apart'
rm -f "$work/hook-long.jsonl"

hook_idle=${BATON_BENCH_SUPERVISE_IDLE:-20}
head_line "supervise, a session at rest for $hook_idle s (goal: under 0.1 % of a core)"
row what baton limit ratio goal
printf '#!/bin/sh\nexec sleep %s\n' "$((hook_idle + 5))" >"$work/hook-rest.sh"
chmod +x "$work/hook-rest.sh"
(cd "$work/hook-clean" && ADLC_MANIFEST_KEY=k exec "$baton" supervise -- "$work/hook-rest.sh") >/dev/null 2>&1 &
hook_pid=$!
hook_ticks() { awk '{ sub(/.*\) /, ""); print $12 + $13 }' "/proc/$hook_pid/stat"; }
sleep 1
hook_before=$(hook_ticks)
sleep "$hook_idle"
hook_after=$(hook_ticks)
hook_share=$(awk -v a="$hook_before" -v b="$hook_after" -v s="$hook_idle" -v hz="$(getconf CLK_TCK)" 'BEGIN { printf "%.3f", (b - a) * 100 / hz / s }')
row 'CPU of the supervisor' "$hook_share %" '0.1 %' "$(ratio "$hook_share" 0.1)" '<= 1'
kill -INT "$hook_pid" 2>/dev/null
wait "$hook_pid" 2>/dev/null
