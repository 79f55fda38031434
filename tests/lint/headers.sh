#!/usr/bin/env bash
# tests/lint/headers.sh ROOT CC - every header compiles alone.
set -u
cd "$1" || exit 1
status=0
for header in $(find core views keymaps tui cli -name '*.h' | sort); do
  printf '#include "%s"\n' "$header" |
    "$2" -std=c11 -D_POSIX_C_SOURCE=200809L -Wall -Wextra -Werror -I. -x c -fsyntax-only - || { printf 'alone: %s\n' "$header"; status=1; }
done
exit $status
