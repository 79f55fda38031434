#!/usr/bin/env bash
# tests/lint/globals.sh BUILD - rule 7: no writable globals outside tui/term.c, and the library that core/base/digest.c has
# loaded. Read from the objects themselves.
set -u
cd "$1" || exit 1
objects=$(find CMakeFiles -path '*baton*.dir/*' -name '*.o' ! -path '*/tui/term.c.o' ! -path '*/core/base/digest.c.o')
[ -n "$objects" ] || { echo 'rule 7: no objects found'; exit 1; }
# One line a symbol, behind the object's name: nm -A -f sysv.
printf '%s\n' "$objects" | xargs nm -A -f sysv 2>/dev/null |
  awk -F'|' '
    $7 ~ /\.(bss|data)([.]|$)/ && $7 !~ /\.data\.rel\.ro/ && $4 ~ /OBJECT/ {
      gsub(/ +$/, "", $1)
      print "rule 7: writable data: " $1
      status = 1
    }
    { seen++ }
    END { if (!seen) { print "rule 7: no symbols found"; status = 1 } exit status }'
