#!/usr/bin/env bash
# tests/lint/install.sh BUILD CMAKE ROOT - installing puts down what a package needs, uninstalling leaves nothing of it.
set -u
build=$1 cmake=$2 root=$3
prefix=$(mktemp -d "${TMPDIR:-/tmp}/baton-install-XXXXXX") || exit 1
trap 'rm -rf "$prefix"' EXIT
status=0
fail() { echo "$*"; status=1; }
mkdir -p "$prefix/usr/share/man/man1" && touch "$prefix/usr/share/man/man1/other.1" # somebody else's
before=$(find "$prefix" | sort)
"$cmake" --install "$build" --prefix "$prefix/usr" >/dev/null || fail 'the installation fails'
for file in bin/baton share/man/man1/baton.1 share/man/man5/baton-keymap.5 share/bash-completion/completions/baton \
  share/zsh/site-functions/_baton share/fish/vendor_completions.d/baton.fish; do
  [ -s "$prefix/usr/$file" ] || fail "not installed: $file"
done
"$prefix/usr/bin/baton" --version >/dev/null || fail 'the installed program does not run'
"$cmake" -DBUILD="$build" -P "$root/cmake/uninstall.cmake" >/dev/null 2>&1 || fail 'uninstalling fails'
after=$(find "$prefix" | sort)
[ "$before" = "$after" ] || { diff <(echo "$before") <(echo "$after"); fail 'something is left behind, or too much was taken'; }
"$cmake" -DBUILD="$build" -P "$root/cmake/uninstall.cmake" >/dev/null 2>&1 && fail 'uninstalling twice succeeds'
exit $status
