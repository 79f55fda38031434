#!/usr/bin/env bash
# tests/lint/dev_lint.sh ROOT - `./dev lint` fails when any of its parts finds something, says what, and runs the others too.
set -u
root=$(cd "$1" && pwd) || exit 1
work=$(mktemp -d "${TMPDIR:-/tmp}/baton-lint.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
command -v git >/dev/null || { echo 'skipped: no git'; exit 77; }
mkdir -p "$work/tree/tests/lint" "$work/tree/core" "$work/bin" && cd "$work/tree" || exit 1
cp "$root/dev" . && printf 'int a;\n' > core/a.c
printf 'exit "${RULES:-0}"\n' > tests/lint/rules.sh
git init -q . && git add -A || exit 1
# Tools that find what they are told to; the exit status is a second way of telling.
tool() { printf '#!/bin/sh\n%s\n' "$2" > "$work/bin/$1" && chmod +x "$work/bin/$1"; }
for name in clang-format cppcheck clang-tidy; do
  tool "$name" "case \" \$FOUND \" in *\" $name \"*) echo \"core/a.c:1:1: warning: seen by $name\" >&\${TO:-1} ;; esac
case \" \$FAILED \" in *\" $name \"*) echo \"$name cannot go on\" >&2; exit 3 ;; esac"
done
tool cmake 'exit 0'
for name in gcc make pkg-config; do tool "$name" 'exit 0'; done
export PATH=$work/bin:$PATH FOUND FAILED RULES TO
status=0
check() { # WANTED EXIT, WHAT IT MUST SAY
  ./dev lint > "$work/said" 2>&1
  local got=$? text
  [ "$got" = "$1" ] || { printf 'exit %s, wanted %s, with FOUND=%s FAILED=%s RULES=%s\n' "$got" "$1" "$FOUND" "$FAILED" "$RULES"; status=1; }
  for text in "${@:2}"; do
    grep -qF "$text" "$work/said" || { printf 'not said: %s; but:\n' "$text"; cat "$work/said"; status=1; }
  done
}
FOUND='' FAILED='' RULES=0 TO=1
check 0 'clang-format found nothing' 'cppcheck found nothing' 'clang-tidy found nothing'
for TO in 1 2; do
  for FOUND in clang-format cppcheck clang-tidy; do
    check 1 "core/a.c:1:1: warning: seen by $FOUND" "$FOUND, 1 findings"
  done
done
FOUND='clang-format clang-tidy'
check 1 'seen by clang-format' 'cppcheck found nothing' 'seen by clang-tidy'
FOUND=''
for FAILED in clang-format cppcheck clang-tidy; do
  check 1 "$FAILED cannot go on"
done
FAILED='' RULES=1
check 1 'the dependency rules are broken' 'clang-tidy found nothing'
exit $status
