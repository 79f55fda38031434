# bench/part_transcripts.sh - reading transcripts, beside the tools that read the same bytes. Sourced by bench/run.sh.
# BATON_BENCH_TRANSCRIPT_MIB (one file), BATON_BENCH_STORE_FILES and BATON_BENCH_STORE_MIB (a store) set the sizes; everything is removed again.
transcript_mib=${BATON_BENCH_TRANSCRIPT_MIB:-100}
store_files=${BATON_BENCH_STORE_FILES:-5000}
store_mib=${BATON_BENCH_STORE_MIB:-2048}
store_cwd=$work/store-repo
mkdir -p "$store_cwd"

head_line "one transcript of $transcript_mib MiB, one line of 6 MB, warm cache"
"$build/bench/gen_transcripts" "$work/one.jsonl" $((transcript_mib * 1048576)) "$store_cwd" 6000000
sed -n 3p "$work/one.jsonl" >"$work/record"
cat "$work/one.jsonl" >/dev/null
row what baton other ratio goal
read -r pass_ms depth_ms _ rss < <("$build/bench/read_transcript" "$work/one.jsonl")
if command -v jq >/dev/null 2>&1; then
  jq_ms=$(median 3 jq -c .type "$work/one.jsonl")
  row 'full pass (jq -c .type)' "$pass_ms ms" "$jq_ms ms" "$(ratio "$jq_ms" "$pass_ms")x" '>= 4 times faster'
fi
wc_ms=$(median 5 wc -l "$work/one.jsonl")
row 'full pass (wc -l)' "$pass_ms ms" "$wc_ms ms" "$(ratio "$pass_ms" "$wc_ms")" '<= 10'
row 'peak memory of the full pass' "$rss KiB" '16384 KiB' "$(ratio "$rss" 16384)" '<= 1'
row 'depth scan of the last 8 MiB' "$depth_ms ms" '10 ms' "$(ratio "$depth_ms" 10)" '<= 1'
read -r _ _ refresh_ms _ < <("$build/bench/read_transcript" "$work/one.jsonl" "$work/record")
row 'refresh after one record, over 8 MiB' "$refresh_ms ms" '10 ms' "$(ratio "$refresh_ms" 10)" '<= 1'
"$build/bench/gen_transcripts" "$work/small.jsonl" 4194304 "$store_cwd"
read -r _ _ refresh_ms _ < <("$build/bench/read_transcript" "$work/small.jsonl" "$work/record")
row 'refresh after one record, 4 MiB' "$refresh_ms ms" '1 ms' "$(ratio "$refresh_ms" 1)" '<= 1'
rm -f "$work/one.jsonl" "$work/small.jsonl"

head_line "$store_files transcripts of $store_mib MiB together"
"$build/bench/gen_transcripts" --store "$work/claude" "$store_files" $((store_mib * 1048576)) "$store_cwd"
find "$work/claude" -name '*.jsonl' -exec cat {} + >/dev/null
row what baton other ratio goal
in_store() { (cd "$store_cwd" && CLAUDE_CONFIG_DIR=$work/claude "$@"); }
once_ms() { # one run, without a warm-up: the first is what counts here
  local begin end
  begin=$(date +%s%N)
  "$@" >/dev/null
  end=$(date +%s%N)
  awk -v ns=$((end - begin)) 'BEGIN { printf "%.1f", ns / 1e6 }'
}
# A ledger with sessions of its own, so that every key moves something from the first frame on: a key that draws nothing would be
# given the time of the next frame that the scan asks for.
"$build/bench/gen_ledger" "$store_cwd" 100
# Twenty sessions go on while all are read: each gets a record ten times a second.
mapfile -t growing < <(find "$work/claude" -name '*.jsonl' | sort | head -n 20)
touch "$work/growing"
(while [ -e "$work/growing" ]; do
  for file in "${growing[@]}"; do cat "$work/record" >>"$file"; done
  sleep 0.1
done) &
read -r first key_median key_p99 _ _ rss < <(in_store "$build/bench/keyframe" 120 36 300 0 -- "$baton" ui)
rm "$work/growing"
wait
rm -rf "$store_cwd/.adlc"
row 'first frame, nothing known yet' "$first ms" '100 ms' "$(ratio "$first" 100)" '<= 1'
row 'key to frame, all is read and 20 files grow, median' "$key_median ms" '' '' ''
row 'key to frame, all is read and 20 files grow, 99th p.' "$key_p99 ms" '16 ms' "$(ratio "$key_p99" 16)" '<= 1'
row 'peak memory of the dashboard meanwhile' "$rss KiB" '65536 KiB' "$(ratio "$rss" 65536)" '<= 1'
rm -rf "$XDG_CACHE_HOME/baton"
sum_ms=$(once_ms find "$work/claude" -name '*.jsonl' -exec sha256sum {} +)
cold_ms=$(once_ms in_store "$baton" list --json)
row 'every band known (sha256sum)' "$cold_ms ms" "$sum_ms ms" "$(ratio "$cold_ms" "$sum_ms")" '<= 0.5'
read -r warm_ms _ _ rss _ < <(in_store "$timeit" 3 -- "$baton" list --json)
row 'the same with a valid index' "$warm_ms ms" '1000 ms' "$(ratio "$warm_ms" 1000)" '<= 1'
row 'peak memory of list' "$rss KiB" '65536 KiB' "$(ratio "$rss" 65536)" '<= 1'
read -r _ _ _ cpu bytes rss < <(in_store "$build/bench/keyframe" 120 36 0 "$idle" -- "$baton" ui)
row "idle for $idle s, all known: CPU" "$cpu ms" '50 ms/min' '' '<= 50'
row 'peak memory of the dashboard, all known' "$rss KiB" '65536 KiB' "$(ratio "$rss" 65536)" '<= 1'
rm -rf "$work/claude" "$XDG_CACHE_HOME/baton"
