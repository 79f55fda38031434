#!/usr/bin/env bash
# tests/vectors/selftest/driver.sh RUN_VECTORS - the driver says what it found, and exits 0 only if nothing failed.
set -u
run=$1
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
status=0
expect() { # WHAT EXPECTED ACTUAL
  [ "$2" = "$3" ] || { printf '%s: expected\n%s\nbut got\n%s\n' "$1" "$2" "$3"; status=1; }
}

cat > "$dir/canonical_json.json" <<'EOF'
{"area": "canonical_json", "cases": [
 {"name": "good", "input": {"text": "{\"b\":1,\"a\":2}"}, "expected": {"ok": true, "canonical": "{\"a\":2,\"b\":1}"}}]}
EOF
printf '{"cases": [{"name": "x"}], "others": [1, 2]}' > "$dir/novelty.json"
expect 'all good' $'canonical_json: 1/1\nnovelty: 0/3 (3 skipped)\n1 passed, 0 failed, 3 skipped' "$("$run" "$dir" 2>/dev/null)"
"$run" "$dir" >/dev/null 2>&1 || { echo 'exit status of a clean run is not 0'; status=1; }
expect 'one area' $'canonical_json: 1/1\n1 passed, 0 failed, 0 skipped' "$("$run" "$dir" --area canonical_json 2>/dev/null)"
expect 'no such case' '0 passed, 0 failed, 0 skipped' "$("$run" "$dir" --case nowhere 2>/dev/null | tail -n 1)"

sed -i 's/"a\\":2,\\"b\\":1}"}}/"a\\":2}"}}/; s/{\\"a\\":2,\\"b\\":1}/{}/' "$dir/canonical_json.json"
expect 'one wrong' '0 passed, 1 failed, 3 skipped' "$("$run" "$dir" 2>/dev/null | tail -n 1)"
"$run" "$dir" >/dev/null 2>"$dir/said" && { echo 'exit status of a failed run is 0'; status=1; }
grep -q 'canonical_json: good: differs: canonical' "$dir/said" || { echo 'a failure does not name its case'; status=1; }

# Every failing case is told of, however many there are.
{ printf '{"area": "canonical_json", "cases": ['
  for i in $(seq 40); do printf '%s{"name": "bad %s", "input": {"text": "1"}, "expected": {"ok": false}}' "${comma-}" "$i"; comma=,; done
  printf ']}'; } > "$dir/canonical_json.json"
expect 'cases told of' 40 "$("$run" "$dir" 2>&1 >/dev/null | grep -c differs)"

echo '{' > "$dir/broken.json"
"$run" "$dir" --area nothing >/dev/null 2>&1 && { echo 'a file that cannot be read does not fail the run'; status=1; }
"$run" >/dev/null 2>&1
expect 'no folder' 2 $?
exit $status
