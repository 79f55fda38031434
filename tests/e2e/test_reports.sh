#!/usr/bin/env bash
# What a terminal reports, and keys written another way than terminfo says: no report is ever read as keys.
. "$(dirname "$0")/lib.sh" "$@"
folder=$work/a
bytes() { # WORDS, then hexadecimal: exactly these bytes arrive
  local words=$1; shift
  # shellcheck disable=SC2046,SC2048
  mux send-keys -H $(for byte in $*; do printf '%s ' "$byte"; done)
  last=$words
}
hex() { printf "$1" | od -An -v -tx1 | tr '\n' ' '; }
still() { # the answers show that all before them was read; nothing is open, and the list stands where it stood
  keys t; see 'times are UTC'
  keys t; see 'times are local'
  check "$last was read as keys" shows '^▸.*c0de4471'
  check "$last was read as keys" shows 'enter open   c continue'
}

start "$folder"
ready
see '^▸.*c0de4471'
for report in '\033[24;80R' '\033[?62;1;2c' '\033[I\033[O' '\033[<0;5;8M\033[<0;5;8m' '\033[?997;1n' '\033[48;24;80;0;0t' \
  '\033]11;rgb:0000/0000/0000\033\\' '\033]52;c;cXVpdA==\007' '\033P>|xterm(370)\033\\' '\033_Gi=1;OK\033\\' '\033[106;1:3u' '\033[99~'; do
  bytes "$report" "$(hex "$report")"
  still
done
bytes 'in two pieces' 1b 5b
bytes 'in two pieces' "$(hex '24;80R')"
still

# Arrows where the terminal does not change its keypad, and the keys of the newer protocols.
bytes down "$(hex '\033[B')"; see '^▸.*7f3a91c2-auth'
bytes up "$(hex '\033[A')"; see '^▸.*c0de4471'
bytes j "$(hex '\033[106;1u')"; see '^▸.*7f3a91c2-auth'
bytes k "$(hex '\033[27;1;107~')"; see '^▸.*c0de4471'
bytes '?' "$(hex '\033[63u')"; see 'esc'
bytes esc "$(hex '\033[27u')"; see 'enter open   c continue'

# Esc and then a key, from a person: both count.
keys Enter; see '^── c0de4471'
bytes 'esc, then a bracket' 1b 5b
see 'enter open   c continue'
check 'it is gone' test "$(pid "$folder")"
keys q
see 'left with 0'
finish
