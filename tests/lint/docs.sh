#!/usr/bin/env bash
# tests/lint/docs.sh ROOT BATON - manual pages, completions and the README's table of keys say what the program says.
set -u
root=$1 baton=$2
fresh=$(mktemp -d "${TMPDIR:-/tmp}/baton-docs-test-XXXXXX") || exit 1
trap 'rm -rf "$fresh"' EXIT
status=0
bash "$root/tools/docs.sh" "$baton" "$fresh" || exit 1
for made in man/baton.1 man/baton-keymap.5 completions/baton.bash completions/_baton completions/baton.fish; do
  [ -s "$fresh/$made" ] || { echo "$made is empty"; status=1; }
  diff -u "$root/docs/$made" "$fresh/$made" | head -n 40
  cmp -s "$root/docs/$made" "$fresh/$made" || { echo "docs/$made is not what the program says: ./dev docs makes it anew"; status=1; }
done
cmp -s "$root/README.md" "$fresh/README.md" || { diff -u "$root/README.md" "$fresh/README.md" | head -n 40; echo 'the keys in README.md are not those of the program: ./dev docs'; status=1; }

# The pages are pages, and the shells can read their completions.
grep -q '^\.SH SYNOPSIS' "$fresh/man/baton.1" || { echo 'no SYNOPSIS'; status=1; }
if command -v groff >/dev/null; then
  for page in "$fresh"/man/*; do
    said=$(groff -man -Tutf8 -ww -z "$page" 2>&1)
    [ -z "$said" ] || { printf '%s: %s\n' "$page" "$said"; status=1; }
  done
else
  echo 'SKIPPED: the manual pages are not formatted: no groff'
fi
bash -n "$fresh/completions/baton.bash" || status=1
for shell in zsh fish; do
  file=$fresh/completions/$([ $shell = zsh ] && echo _baton || echo baton.fish)
  if command -v $shell >/dev/null; then $shell -n "$file" || status=1; else echo "SKIPPED: $file is not parsed: no $shell"; fi
done

# A flag that takes nothing is offered as such in each shell, with its words in their place.
grep -qF "'--readonly[change nothing, whatever is asked for]'" "$fresh/completions/_baton" || { echo 'zsh: --readonly takes a value or has no words'; status=1; }
grep -qE -- "-l readonly -d 'change nothing" "$fresh/completions/baton.fish" || { echo 'fish: --readonly takes a value or has no words'; status=1; }
grep -nF '[]' "$fresh/completions/_baton" && { echo 'zsh: flags without words'; status=1; }
grep -nE -- "-d ''\$" "$fresh/completions/baton.fish" && { echo 'fish: flags without words'; status=1; }

# The bash completion at work.
complete_it() { # WORDS...: what is offered for the last one
  bash --norc -c 'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _baton; printf "%s\n" "${COMPREPLY[@]}"' _ "$fresh/completions/baton.bash" "$@"
}
offers() { local wanted=$1; shift; complete_it "$@" | grep -qx -- "$wanted" || { echo "completion of [$*] does not offer $wanted"; status=1; }; }
offers unlock baton un
offers --write baton unlock --
offers --nonce baton handoff unlock --n
offers cb baton --theme c
offers vim baton keys --keymap v
offers install baton hook in
offers --help baton hook install --h
exit $status
