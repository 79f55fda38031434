#!/usr/bin/env bash
# A change on disk is on the screen within a second, without inotify within three; the selection stays; idling is silent.
. "$(dirname "$0")/lib.sh" "$@"
folder=$work/a
slack=${BATON_E2E_SLACK_MS:-0}

# add_deny ID: as a writer does it, by renaming into place.
add_deny() {
  local denies=$folder/payments-api/.adlc/handoffs/denies
  sed "s/\"session_id\": \"[^\"]*\"/\"session_id\": \"$1\"/" "$denies/sess-1.json" > "$work/new.json"
  mv "$work/new.json" "$denies/$1.json"
}
within() { # MS PATTERN
  local began took
  began=$(date +%s%N)
  see "$2"
  took=$((($(date +%s%N) - began) / 1000000))
  check "'$2' took $took ms" [ "$took" -lt $(($1 + slack)) ]
}

start "$folder"; ready
see ' live '
pick 7f3a91c2-auth
keys Escape
see '^▸.*7f3a91c2-auth'
for id in aaa-new-1 aaa-new-2; do
  add_deny $id
  within 1000 "$id"
  see '^▸.*7f3a91c2-auth'
done
rm "$folder/payments-api/.adlc/handoffs/91ab77e0.lock"
within 1000 'STALE-LOCK 1'

# A folder that is made anew is watched too.
mv "$folder/payments-api/.adlc" "$folder/payments-api/away"
within 1500 'no ledger|No ledger|0 sessions|nothing'
mv "$folder/payments-api/away" "$folder/payments-api/.adlc"
within 1500 '7f3a91c2-auth'
add_deny aaa-new-3
within 1000 'aaa-new-3'

# Idle: nothing is written to the terminal, and next to no CPU is used.
cpu() { awk '{ print $14 + $15 }' "/proc/$1/stat"; }
rm -f "$folder/payments-api/.adlc/handoffs/"*.bypass-grant.json
see '!' 'grant live'
process=$(pid "$folder")
check "it comes to rest" until_true settled "$process" # the poll and the loads that the changes above have asked for
mux pipe-pane -o "cat > '$work/bytes'"
ticks=$(cpu "$process")
sleep 6 # the interval that is measured
used=$((($(cpu "$process") - ticks) * 1000 / $(getconf CLK_TCK)))
mux pipe-pane
check "idle: $(wc -c < "$work/bytes") bytes were written" [ ! -s "$work/bytes" ]
check "idle: $used ms of CPU in 6 s" [ "$used" -le "${BATON_E2E_IDLE_MS:-20}" ]

start "$folder" --no-inotify; ready
see "poll"
add_deny aaa-new-4
within 3000 'aaa-new-4'
printf '{' > "$folder/payments-api/.adlc/handoffs/denies/aaa-new-1.json" # in place: the folder does not change
within 3000 'aaa-new-1.*INVALID'
finish
