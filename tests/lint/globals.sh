#!/usr/bin/env bash
# tests/lint/globals.sh BUILD - rule 7: no writable globals outside tui/term.c, and the library that core/base/digest.c has
# loaded. Read from the objects themselves.
set -u
cd "$1" || exit 1
status=0 seen=0
while IFS= read -r object; do
  case "$object" in */tui/term.c.o | */core/base/digest.c.o) continue ;; esac
  seen=$((seen + 1))
  found=$(nm -f sysv "$object" 2>/dev/null | awk -F'|' '$7 ~ /\.(bss|data)([.]|$)/ && $7 !~ /\.data\.rel\.ro/ && $4 ~ /OBJECT/ { gsub(/ /, "", $1); print $1 }')
  [ -z "$found" ] || { printf 'rule 7: %s has writable data: %s\n' "$object" "$found"; status=1; }
done < <(find CMakeFiles -path '*baton*.dir/*' -name '*.o')
[ "$seen" -gt 0 ] || { echo 'rule 7: no objects found'; status=1; }
exit $status
