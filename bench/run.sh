#!/usr/bin/env bash
# bench/run.sh BUILD - every timing beside a named public tool or a physical limit, measured in the same run.
# Prints one line each: what, ours, the other, the ratio, the goal. Judges nothing by its exit status.
set -u
build=$(cd "$1" && pwd)
baton=$build/baton
timeit=$build/bench/timeit
runs=${BATON_BENCH_RUNS:-60}
work=$(mktemp -d "${TMPDIR:-/tmp}/baton-bench.XXXXXX")
trap 'rm -rf "$work"' EXIT
export XDG_STATE_HOME=$work/state XDG_CACHE_HOME=$work/cache XDG_CONFIG_HOME=$work/config HOME=$work/home
mkdir -p "$HOME"
# A harness's own transcripts must not leak into the numbers.
unset XDG_DATA_HOME CLAUDE_CONFIG_DIR CODEX_HOME PI_CODING_AGENT_DIR GEMINI_CLI_HOME
unset HANDOFFS_ROOT BATON_HANDOFF_STORE AGENT_HANDOFF_GLOBAL_DIR ADLC_MANIFEST_KEY ADLC_TICKET

median() { "$timeit" "$1" -- "${@:2}" | cut -d' ' -f1; }
ratio() { awk -v a="$1" -v b="$2" 'BEGIN { if (b > 0) printf "%.2f", a / b; else printf "?" }'; }
head_line() { printf '\n%s\n' "$1"; }
row() { printf '  %-52s %12s %14s %10s   %s\n' "$@"; }

"$baton" sample "$work/sample" >/dev/null || exit 1
sample=$work/sample/.adlc
blocked=$("$baton" list --dir "$sample" --json | jq -r '[.sessions[] | select(.state == "BLOCKED")][0].id')

if command -v node >/dev/null 2>&1; then
  head_line 'one command, sample ledger (goal: at least 12 times faster than node -e 0)'
  row what baton 'node -e 0' 'times faster' goal
  node_ms=$(median 20 node -e 0)
  faster() { # NAME ARGS...
    local ours
    ours=$(median "$runs" "$baton" "${@:2}")
    row "$1" "$ours ms" "$node_ms ms" "$(ratio "$node_ms" "$ours")x" '>= 12'
  }
  faster 'list --json' list --dir "$sample" --json
  faster 'unlock, dry run' unlock --dir "$sample" --session x --pid 1 --started-at x --host x --nonce x
  faster 'bypass, dry run' bypass --dir "$sample" --session "$blocked"
  faster 'write, dry run' write --dir "$sample" --session "$blocked"
  faster 'repair, dry run' repair --dir "$sample" --session "$blocked" --ticket T-1 --content-hash abc
  faster 'resume, dry run' resume --dir "$sample" --session next --deny-session "$blocked"
  faster 'log --json' log --dir "$sample" --json
  faster 'why' why "$blocked" --dir "$sample"
else
  echo 'node is not installed: the side-by-side rows against node -e 0 are left out'
fi

head_line 'continue, dry run, in a git repository (goal: within 1.5 times of the smallest libgit2 status program)'
mkdir -p "$work/repo" && (cd "$work/repo" && git init -q -b main && git -c user.name=b -c user.email=b@example.com commit -q --allow-empty -m 1 && echo x >a)
cp -r "$sample" "$work/repo/.adlc"
bound=7f3a91c2-auth # open, bound, with a brief: the whole way to the dry run
floor=$(median "$runs" "$build/bench/libgit2_min" "$work/repo")
ours=$(cd "$work/repo" && median "$runs" "$baton" continue --deny-session "$bound")
row what baton 'libgit2 floor' ratio goal
row "continue --deny-session $bound" "$ours ms" "$floor ms" "$(ratio "$ours" "$floor")" '<= 1.5'

head_line '1,000 sessions'
"$build/bench/gen_ledger" "$work/big" 1000
row what baton other ratio goal
cat_ms=$(median 10 find "$work/big/.adlc" -type f -exec cat {} +)
list_ms=$(median 20 "$baton" list --dir "$work/big/.adlc")
read -r first key_median key_p99 _ _ rss < <("$build/bench/keyframe" 120 36 300 0 -- "$baton" ui --dir "$work/big/.adlc")
row 'list (find -exec cat)' "$list_ms ms" "$cat_ms ms" "$(ratio "$list_ms" "$cat_ms")" '<= 3'
row 'first screen (find -exec cat)' "$first ms" "$cat_ms ms" "$(ratio "$first" "$cat_ms")" '<= 3'
row 'key to frame, median' "$key_median ms" '' '' ''
row 'key to frame, 99th percentile' "$key_p99 ms" '16 ms' "$(ratio "$key_p99" 16)" '<= 1'
row 'peak memory of the dashboard' "$rss KiB" '32768 KiB' "$(ratio "$rss" 32768)" '<= 1'

idle=${BATON_BENCH_IDLE:-60}
head_line "idle for $idle s, sample ledger without a live grant (goal: under 50 ms of CPU a minute, nothing written)"
rm -f "$sample"/handoffs/*.bypass-grant.json
read -r _ _ _ cpu bytes _ < <("$build/bench/keyframe" 120 36 0 "$idle" -- "$baton" ui --dir "$sample")
row 'CPU' "$cpu ms" '50 ms/min' '' '<= 50'
row 'bytes to the terminal (one clock redraw a minute)' "$bytes" '' '' ''

head_line 'evidence'
"$build/bench/gen_ledger" "$work/long" 1 100000
row what baton other ratio goal
sum_ms=$(median 10 sha256sum "$work/long/.adlc/manifest.jsonl")
verify_ms=$(ADLC_MANIFEST_KEY=test-key median 5 "$baton" verify --dir "$work/long/.adlc")
row 'verify, 100,000 entries (sha256sum)' "$verify_ms ms" "$sum_ms ms" "$(ratio "$verify_ms" "$sum_ms")" '<= 8'
append_ms=$(ADLC_MANIFEST_KEY=test-key median 5 "$baton" bypass --dir "$work/long/.adlc" --session sess-00000 --write)
row 'bypass --write onto it (verify is what 12.3 forces)' "$append_ms ms" "$verify_ms ms" "$(ratio "$append_ms" "$verify_ms")" 'about 1'
rss_long=$(ADLC_MANIFEST_KEY=test-key "$timeit" 1 -- "$baton" verify --dir "$work/long/.adlc" | cut -d' ' -f4)
"$build/bench/gen_ledger" "$work/short" 1 1000
rss_short=$(ADLC_MANIFEST_KEY=test-key "$timeit" 1 -- "$baton" verify --dir "$work/short/.adlc" | cut -d' ' -f4)
row 'verify memory, 100,000 against 1,000 entries' "$rss_long KiB" "$rss_short KiB" "$(ratio "$rss_long" "$rss_short")" 'about 1'

head_line 'one write, plain repository (goal: dry run plus fsyncs, and under 2 ms)'
row what baton other ratio goal
dry_ms=$(median "$runs" "$baton" write --dir "$work/short/.adlc" --session w1)
"$build/bench/gen_ledger" "$work/w" 1 5
write_ms=$(ADLC_MANIFEST_KEY=test-key median "$runs" "$baton" write --dir "$work/w/.adlc" --session w1 --write)
sync_note=''
if command -v strace >/dev/null 2>&1; then
  sync_note=$(ADLC_MANIFEST_KEY=test-key strace -f -c -w -e trace=fsync,fdatasync "$baton" write --dir "$work/w/.adlc" --session w1 --write 2>&1 >/dev/null |
    awk '/sync/ { printf "%s fsyncs, %.3f ms together", $4, $2 * 1000 }')
fi
row 'write --write (dry run)' "$write_ms ms" "$dry_ms ms" "$(ratio "$write_ms" "$dry_ms")" "${sync_note:-fsyncs not counted: strace is not installed}"

for part in "$(dirname "${BASH_SOURCE[0]}")"/part_*.sh; do
  # shellcheck disable=SC1090
  [ -f "$part" ] && . "$part"
done
exit 0
