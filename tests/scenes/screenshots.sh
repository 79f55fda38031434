#!/usr/bin/env bash
# tests/scenes/screenshots.sh ROOT BATON_FIXED - the text twins in screenshots/ are what the program shows now.
set -u
root=$1 binary=$2
fresh=$(mktemp -d "${TMPDIR:-/tmp}/baton-twins-XXXXXX") || exit 1
trap 'rm -rf "$fresh"' EXIT
bash "$root/tools/screenshots.sh" "$fresh" "$binary" --text-only > "$fresh/names" || { status=$?; cat "$fresh/names"; exit "$status"; }
rm "$fresh/names"
status=0
for twin in "$root"/screenshots/*.txt "$fresh"/*.txt; do
  name=$(basename "$twin")
  if ! diff -u "$root/screenshots/$name" "$fresh/$name"; then
    echo "screenshots/$name is not what the program shows (./dev screenshots takes the pictures anew)"
    status=1
  fi
done
exit $status
