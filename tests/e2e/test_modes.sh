#!/usr/bin/env bash
# Read-only, without a key, with nothing there: visible, disabled, with the reason; and nothing is written.
. "$(dirname "$0")/lib.sh" "$@"
folder=$work/a

press_all() {
  before=$(tree "$folder")
  pick 7f3a91c2-auth
  for key in r b c; do
    keys $key
    see 'Cancel'
    see "$1"
    keys Tab Tab Enter Enter
    keys Escape Escape
    see '!' 'Cancel'
  done
  checks=$((checks + 1))
  [ "$(tree "$folder")" = "$before" ] || fail "something was written: $1"
}

start "$folder" --readonly; ready
see '[Rr](EAD|ead)-?.?(ONLY|only)'
press_all 'read-only'
pick 91ab77e0
keys u
see 'Cancel'
keys Tab Tab Enter Escape
see 'read-only'
check 'the lock is still there' test -f "$folder/payments-api/.adlc/handoffs/91ab77e0.lock"

extra='BATON_FIXED_KEYLESS=1' start "$folder"; ready
see 'key missing'
press_all 'no signing key|key'
pick 91ab77e0
keys u
see 'Unlock 91ab77e0'
keys Tab Tab Enter
see '!' 'Cancel'
check 'unlock needs no key' until_true test ! -e "$folder/payments-api/.adlc/handoffs/91ab77e0.lock"

extra='BATON_FIXED_KIND=empty' start "$work/empty"; ready
keys c u r b Enter l Escape
see '!' 'Cancel'
keys q
see 'left with 0'
finish
