#!/usr/bin/env bash
# In every freshly opened dialog Esc, Enter, q, a paste and an unbound key change nothing, byte for byte.
. "$(dirname "$0")/lib.sh" "$@"

start "$work/a"
ready
before=$(tree "$work/a")

open_and_leave() { # SESSION KEY TITLE
  pick "$1"
  for way in Escape Enter q paste unbound twice; do
    keys "$2"
    see "─ $3"
    case $way in
    paste)
      paste 'ubcqy
'
      see "Cancel"
      keys Escape ;;
    unbound) keys F9 Z x; keys Escape ;;
    twice) keys "$2" "$2" "$2"; keys Enter ;;
    *) keys "$way" ;;
    esac
    see '!' "─ $3"
    see 'nothing was written'
  done
  checks=$((checks + 1))
  [ "$(tree "$work/a")" = "$before" ] || fail "the tree changed in the dialog of $2 on $1"
}
open_and_leave 91ab77e0 u 'Unlock'
open_and_leave 5d20fe13 u 'Unlock'
open_and_leave 7f3a91c2-auth r 'Repair'
open_and_leave sess-1 r 'Repair'
open_and_leave 7f3a91c2-auth b 'One-shot bypass'
open_and_leave 7f3a91c2-auth c 'Continue'
finish
