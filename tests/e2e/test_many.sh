#!/usr/bin/env bash
# Marks and the bulk unlock by keys: one stale and one live marked, only the stale one goes; ten that fail stop after three.
. "$(dirname "$0")/lib.sh" "$@"
folder=$work/a
handoffs=$folder/payments-api/.adlc/handoffs
state=$folder/home/.local/state/baton

start "$folder"; ready
pick 91ab77e0
keys Space
see '1 marked, 1 stale lock among them'
keys '\'
pick c0de4471
keys Space
see '2 marked'
before=$(tree "$folder/payments-api")

# Opening, Enter, the same key again and a paste change nothing.
keys U
see 'Unlock what is marked'
see 'STALE +91ab77e0 +would be removed'
see 'LIVE +c0de4471 +refused'
keys U U
paste $'\t\n'
keys Enter
see 'nothing was written'
check 'nothing was written' test "$before" = "$(tree "$folder/payments-api")"

keys U
see 'Unlock what is marked'
keys Tab
see '▸\[ unlock 1 \]'
keys Enter
see '91ab77e0 +removed'
see 'c0de4471 +refused'
see 'locks: 1 removed, 1 refused'
check 'the stale lock is gone' test ! -e "$handoffs/91ab77e0.lock"
check 'the live lock is there' test -e "$handoffs/c0de4471.lock"
log=$(find "$folder" -path '*baton/log' -type f)
check 'the action log has one line for it' test "$(grep -c '"verb":"unlock"' "$log")" = 1
check 'and says where the copy is' grep -q '"trash"' "$log"
keys Enter
see '!' 'Unlock what is marked'
see 'marked 1'

# The copy comes back by undo.
keys z
see 'put'
keys Tab Tab Enter
check 'the lock is back' until_true test -e "$handoffs/91ab77e0.lock"
keys q
see 'left with 0'

# Ten stale locks in a folder that nobody may write to: three are tried.
folder=$work/b
handoffs=$folder/payments-api/.adlc/handoffs
mkdir -p "$folder"
"$fixed" "$folder"
for i in 0 1 2 3 4 5 6 7 8 9; do
  printf '{"schema":1,"session_id":"gone-%s","pid":48211,"started_at":"2026-10-09T12:20:07.000Z","host":"build-07","nonce":"8e1f0c44a9d2b31%s"}\n' "$i" "$i" \
    > "$handoffs/gone-$i.lock"
done
if chattr +i "$handoffs" 2> /dev/null; then
  start "$folder"; ready
  keys l /
  text gone-
  keys Enter
  see '10 of 16'
  keys '*' U
  see '10 would be removed'
  keys Tab Enter
  see '10 marked: 3 failed, 7 not tried'
  log=$(find "$folder" -path '*baton/log' -type f)
  check 'three were tried' test "$(grep -c '"verb":"unlock"' "$log")" = 3
  keys Enter q q q
  chattr -i "$handoffs"
else
  echo 'skipped: ten unwritable locks, since chattr +i does not work here'
fi
finish
