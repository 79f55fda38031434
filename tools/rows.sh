#!/usr/bin/env bash
# tools/rows.sh BATON - the table of what operators expect, as markdown: row, what was run, what it printed, the verdict.
# tools/rows.sh --missing - names each row that has no check; the exit status says whether there is one.
# The checks are those of tests/rows; they run here at full length. The exit status is 0 only if no check failed.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
waits=' 57 99 ' # clearing an orphaned deny, and many hosts: decided to wait
has_check() { cat "$root"/tests/rows/rows_*.sh | grep -qE "^ *(row|cannot) $1 "; }
missing() {
  local row none=0
  for row in $(seq 106); do
    case $waits in *" $row "*) continue ;; esac
    has_check "$row" || { echo "row $row has no check"; none=1; }
  done
  return $none
}
[ "${1:-}" = --missing ] && { missing; exit; }
[ -x "${1:-}" ] || { echo 'usage: tools/rows.sh BATON | --missing' >&2; exit 1; }

folder=$(mktemp -d "${TMPDIR:-/tmp}/baton-rows.XXXXXX") || exit 1
trap 'rm -rf "$folder"' EXIT
export ROWS_TABLE=$folder/table BATON_ROWS_LONG=1
: > "$ROWS_TABLE"
for script in "$root"/tests/rows/rows_*.sh; do
  printf '%s\n' "${script##*/}" >&2
  bash "$script" "$root" "$1" > "$folder/out" 2>&1
  case $? in
    0) ;;
    77) grep -h '^skipped:' "$folder/out" >&2 ;;
    *) cat "$folder/out" >&2 ;;
  esac
done
echo '| row | command | printed | verdict |'
echo '|---|---|---|---|'
sort -s -n -k 1,1 "$ROWS_TABLE" | sed -e 's/&/\&amp;/g' -e 's/</\&lt;/g' -e 's/>/\&gt;/g' -e 's/|/\\|/g' -e "s#$folder#DIR#g" -e 's#/[^ ]*/baton-e2e-[A-Za-z0-9]*#WORK#g' |
  awk -F '\t' '{ gsub(/`/, "\\&#96;"); printf "| %s | <code>%s</code> | %s | %s |\n", $1, $2, $3, $4 }'
awk -F '\t' '{ checks++; rows[$1] = 1; if ($4 == "FAIL") failed++; if ($4 == "skipped") skipped++ }
  END { n = 0; for (row in rows) n++; printf "\n%d checks of %d rows: %d failed, %d skipped. Rows 57 and 99 wait.\n", checks, n, failed, skipped; exit failed > 0 }' "$ROWS_TABLE"
