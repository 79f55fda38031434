#!/usr/bin/env bash
# Facts that change while a dialog is open: it says so, the focus goes to Cancel, and nothing is done.
. "$(dirname "$0")/lib.sh" "$@"

folder=$work/a
start "$folder"
ready
ledger=$folder/payments-api/.adlc/handoffs

# Another owner took the lock: its nonce is another one.
pick 91ab77e0
keys u
see 'Unlock 91ab77e0'
keys Tab Tab
see '▸\[ unlock \]'
sed 's/"nonce": "[^"]*"/"nonce": "ffffffffffffffff"/' "$ledger/91ab77e0.lock" > "$ledger/new" && mv "$ledger/new" "$ledger/91ab77e0.lock"
see 'changed'
see '▸\[ Cancel \]'
before=$(tree "$folder")
keys Tab Tab Enter
see 'locked'
keys Enter Enter
checks=$((checks + 1))
[ "$(tree "$folder")" = "$before" ] || fail 'a changed lock was acted on'
keys Escape
see 'nothing was written'

# The deny is bound anew behind an open continue dialog whose word is typed already.
pick 7f3a91c2-auth
keys c
see '\[>\] 2 brief'
keys m
see '\[>\] 5 confirm'
keys BTab
text auth
keys Enter
see '▸\[ continue \]'
sed 's/"ticket_id": "[^"]*"/"ticket_id": "T-999"/' "$ledger/denies/7f3a91c2-auth.json" > "$ledger/new" && mv "$ledger/new" "$ledger/denies/7f3a91c2-auth.json"
see 'changed'
see '▸\[ Cancel \]'
before=$(tree "$folder")
keys Enter
see 'nothing was written'
checks=$((checks + 1))
[ "$(tree "$folder")" = "$before" ] || fail 'a changed deny was acted on'

# Without inotify, and mostly faster than the poll: execution itself finds out. Where the poll was first, the key was Cancel's.
start "$folder" --no-inotify
ready
pick 5d20fe13
keys u
see 'Unlock 5d20fe13'
keys BTab
text unlock
keys Enter
see '▸\[ unlock \]'
sed 's/"nonce": "[^"]*"/"nonce": "eeeeeeeeeeeeeeee"/' "$ledger/5d20fe13.lock" > "$ledger/new" && mv "$ledger/new" "$ledger/5d20fe13.lock"
before=$(tree "$folder/payments-api")
keys Enter
see 'changed|differ|match|nothing was written'
checks=$((checks + 1))
[ "$(tree "$folder/payments-api")" = "$before" ] || fail 'a changed lock was removed'
finish
