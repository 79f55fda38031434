# bench/part_records.sh - session records against public tools. Sourced by bench/run.sh, which has the helpers.
# The transcript is the generator's, turned into canonical lines by the adapter. `--full` builds 2 GB as well.

records_folder=$work/records
records_runs=${BATON_BENCH_RECORDS_RUNS:-3}
mkdir -p "$records_folder"
records_make() { # FILE BYTES: canonical lines of about so many bytes
  "$build/bench/gen_transcripts" "$records_folder/native.jsonl" "$2" /w/bench 6000000 &&
    "$baton" records adapt --harness claude-code "$records_folder/native.jsonl" >"$1" 2>/dev/null
}
records_shell() { "$timeit" "$records_runs" -- bash -c "$1" | cut -d' ' -f1,4; } # median ms, peak KiB
records_build="exec '$baton' records build --project bench --source"
records_syncs() { # what the fsyncs of a first build take, apart
  command -v strace >/dev/null 2>&1 || { echo 'not counted: strace is not installed'; return; }
  HANDOFFS_ROOT=$records_folder/syncs strace -f -c -w -e trace=fsync,fdatasync "$baton" records build --source "$1" --project bench 2>&1 >/dev/null |
    awk '/sync/ { count += $4; seconds += $2 } END { printf "%d, %.0f ms", count, seconds * 1000 }'
  rm -rf "$records_folder/syncs"
}

if command -v jq >/dev/null 2>&1; then
  export HANDOFFS_ROOT=$records_folder/store
  records_file=$records_folder/t.jsonl
  records_make "$records_file" 104857600
  head_line "session records, a transcript of $(($(stat -c %s "$records_file") / 1000000)) MB"
  row what baton other ratio goal
  read -r records_jq _ < <(records_shell "jq -c . '$records_file' | sha256sum")
  read -r records_sum _ < <(records_shell "exec sha256sum '$records_file'")
  read -r records_first records_kib < <(records_shell "rm -rf '$HANDOFFS_ROOT'; $records_build '$records_file'")
  row 'first build (jq -c . FILE | sha256sum)' "$records_first ms" "$records_jq ms" "$(ratio "$records_first" "$records_jq")" '<= 1'
  row 'its peak memory' "$records_kib KiB" '49152 KiB' "$(ratio "$records_kib" 49152)" '<= 1'
  row 'its fsyncs' "$(records_syncs "$records_file")" '' '' 'apart'
  read -r records_same _ < <(records_shell "$records_build '$records_file'")
  row 'unchanged (sha256sum)' "$records_same ms" "$records_sum ms" "$(ratio "$records_same" "$records_sum")" '<= 1.5'
  head -n 1000 "$records_file" | jq -c 'del(.seq)' >"$records_folder/more.jsonl" # then the line's own number counts
  read -r records_grown records_kib < <(records_shell "cat '$records_folder/more.jsonl' >>'$records_file'; $records_build '$records_file'")
  row '1,000 lines appended (first build)' "$records_grown ms" "$records_first ms" "$(ratio "$records_grown" "$records_first")" '<= 1'
  row 'its peak memory' "$records_kib KiB" '49152 KiB' "$(ratio "$records_kib" 49152)" '<= 1'
  read -r records_from records_kib < <(records_shell "rm -rf '$HANDOFFS_ROOT'; exec '$baton' records build --harness claude-code --from '$records_folder/native.jsonl'")
  row 'first build --from the native file' "$records_from ms" '' '' ''
  row 'its peak memory' "$records_kib KiB" '49152 KiB' "$(ratio "$records_kib" 49152)" '<= 1'
  case " $* " in
  *' --full '*)
    records_runs=1
    records_make "$records_file" 2147483648
    read -r records_first records_kib < <(records_shell "rm -rf '$HANDOFFS_ROOT'; $records_build '$records_file'")
    row "first build, $(($(stat -c %s "$records_file") / 1000000)) MB" "$records_first ms" '' '' ''
    row 'its peak memory' "$records_kib KiB" '49152 KiB' "$(ratio "$records_kib" 49152)" '<= 1'
    ;;
  esac
  unset HANDOFFS_ROOT
else
  echo 'jq is not installed: the rows of session records are left out'
fi
rm -rf "$records_folder"
