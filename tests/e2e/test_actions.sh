#!/usr/bin/env bash
# Each of the four actions by keys alone; files and evidence afterwards equal what the command line makes.
. "$(dirname "$0")/lib.sh" "$@"

# The same folder name for both, since briefs and records may hold paths.
fresh() {
  rm -rf "$work/now"
  mkdir -p "$work/now"
  "$fixed" "$work/now" || fail 'no fixture'
}
keep() { rm -rf "$work/$1"; cp -a "$work/now" "$work/$1"; }
by_command() { "$fixed" "$work/now" "$@" --write > "$work/out" 2>&1 || { cat "$work/out"; fail "baton $*"; }; }
# What differs from the untouched ledger must be something, and the same both ways.
compare() {
  checks=$((checks + 1))
  keep cli
  [ "$(tree "$work/keys")" != "$(tree "$work/untouched")" ] || fail "$1 by keys changed nothing"
  diff -r "$work/keys/payments-api" "$work/cli/payments-api" > "$work/diff" || { head -c 3000 "$work/diff"; fail "$1: keys and command differ"; }
}
transcript() { echo "$work/now/payments-api/.adlc/sample-transcripts/claude/projects/payments-api/$1.jsonl"; }
done_by_keys() { see "$1"; see '!' 'Cancel'; keys q; see 'left with 0'; keep keys; }

fresh
keep untouched

# unlock: Tab Tab Enter
fresh
start "$work/now"
filled
pick 91ab77e0
keys u
see 'Unlock 91ab77e0'
keys Tab Tab
see '▸\[ unlock \]'
keys Enter
done_by_keys '91ab77e0'
fresh
by_command unlock --session 91ab77e0 --pid 48211 --started-at 2026-10-09T12:20:07.000Z --host build-07 --nonce 8e1f0c44a9d2b310
compare unlock

# unlock of a reused pid wants the word
fresh
start "$work/now"
filled
pick 5d20fe13
keys u
see 'Unlock 5d20fe13'
keys Tab Tab Enter
see 'locked until typed'
keys Tab
text unlock
keys Enter
see '▸\[ unlock \]'
keys Enter
done_by_keys '5d20fe13'
nonce=$(sed -n 's/.*"nonce": "\([^"]*\)".*/\1/p' "$work/untouched/payments-api/.adlc/handoffs/5d20fe13.lock")
fresh
by_command unlock --pid-reused --session 5d20fe13 --pid 1033 --started-at 2026-10-09T08:12:07.000Z --host build-07 --nonce "$nonce"
compare 'unlock --pid-reused'

# repair: the form's own proposal, with another ticket
fresh
start "$work/now"
filled
pick 7f3a91c2-auth
keys r
see 'Repair: bind'
keys Tab Tab Tab
see '▸ ticket'
keys C-u
text T-777
keys Tab
see 'T-777 '
keys Tab Tab Tab Tab Tab
see '▸\[ bind \]'
keys Enter
done_by_keys 'T-777'
hash=$(sed -n 's/.*"content_hash": "\([^"]*\)".*/\1/p' "$work/untouched/payments-api/.adlc/handoffs/denies/7f3a91c2-auth.json")
fresh
by_command repair --session 7f3a91c2-auth --ticket T-777 --content-hash "$hash" --host claude
compare repair

# bypass: unbound with a reason, locked until the word is typed
fresh
start "$work/now"
filled
pick 7f3a91c2-auth
keys b
see 'One-shot bypass'
keys Tab Tab Tab
keys Down
see '\(\*\) unbound'
keys Tab
text 'incident 4411'
keys Tab
text bypass
keys Enter
see '▸\[ grant \]'
keys Enter
done_by_keys 'grant'
fresh
by_command bypass --session 7f3a91c2-auth --unbound-reason 'incident 4411'
compare bypass

# continue: the last four characters of the denied session
fresh
start "$work/now"
filled
pick 7f3a91c2-auth
keys c
see '\[>\] 2 brief'
keys Tab Tab Enter
see 'locked: read it and mark it'
keys m
see '\[>\] 5 confirm'
keys Tab Tab Enter
see 'locked until typed'
keys Tab
text auth
keys Enter
see '▸\[ continue \]'
keys Enter
done_by_keys '7f3a91c2-auth is continued by'
fresh
by_command continue --deny-session 7f3a91c2-auth --capture-from "$(transcript 7f3a91c2-auth)"
compare continue

# continue unread, into a session of one's own naming: the reason is in the log and nowhere else
fresh
start "$work/now"
filled
pick 7f3a91c2-auth
keys c
see '\[>\] 2 brief'
keys BTab
text 'read in the pager'
keys Enter
see '▸\[ next > \]'
keys Enter
see '\[>\] 5 confirm'
see 'reason +read in the pager'
keys '<'
see '\[>\] 4 successor'
keys BTab C-u
text mine-2
keys Enter
see '▸\[ next > \]'
keys Enter
see '\[>\] 5 confirm'
see 'session mine-2'
keys BTab
text auth
keys Enter
see '▸\[ continue \]'
keys Enter
done_by_keys 'is continued by mine-2'
checks=$((checks + 1))
grep -rq '"reason":"read in the pager"' "$work/keys" || fail 'the reason is not in the log'
grep -rq 'read in the pager' "$work/keys/payments-api" && fail 'the reason is in the ledger'
fresh
by_command continue --deny-session 7f3a91c2-auth --session mine-2 --capture-from "$(transcript 7f3a91c2-auth)"
compare 'continue --session'

# an orphan: from the step of continue that cannot be passed to repair, whose hash is that of the checkpoint
fresh
keep untouched
start "$work/now"
filled
pick sess-1
keys c
see '\[>\] 3 ticket'
keys Tab Tab Tab
see '▸\[ repair \]'
keys Enter
see 'Repair: bind the open deny of sess-1'
see 'as write does'
keys Tab Tab
see '▸\[ bind \]'
keys Enter
done_by_keys 'sess-1 is bound to ticket T-118'
hash=$(sed -n 's/.*"content_hash": "\([^"]*\)".*/\1/p' "$work/keys/payments-api/.adlc/handoffs/denies/sess-1.json")
fresh
by_command repair --session sess-1 --ticket T-118 --content-hash "$hash" --host pi
compare 'repair of an orphan'

# repair of a brief that was edited: the difference, a ticket of the ledger, a reason
edit_brief() { printf '## Ticket\n\nRotate all keys now.\n' > "$work/now/payments-api/.adlc/handoffs/content/7f3a91c2-auth.md"; }
fresh
edit_brief
keep untouched
start "$work/now"
filled
pick 7f3a91c2-auth
keys r
see 'TAMPERED'
keys d
see 'no copy of this brief is kept'
keys BTab BTab BTab BTab Down
see 'T-119'
keys Enter Enter Enter Enter
see '▸\[ Cancel \]'
keys BTab
text 'edited by hand'
keys Tab Tab Tab
see '▸\[ bind \]'
keys Enter
done_by_keys 'is bound to ticket T-119'
checks=$((checks + 1))
grep -rq '"reason":"edited by hand"' "$work/keys" || fail 'the reason of the repair is not in the log'
hash=$(sed -n 's/.*"content_hash": "\([^"]*\)".*/\1/p' "$work/keys/payments-api/.adlc/handoffs/denies/7f3a91c2-auth.json")
fresh
edit_brief
by_command repair --session 7f3a91c2-auth --ticket T-119 --content-hash "$hash" --host claude
compare 'repair of an edited brief'
fresh
keep untouched
# unlock of one of the manifest's own locks, from the page of the locks
leave_lock() {
  printf '{"version":1,"token":"8e1f0c44a9d2b310","pid":48211,"hostname":"build-07","startedAt":"2026-10-09T12:20:14.031Z"}\n' > "$work/now/payments-api/.adlc/manifest.jsonl.lock"
}
fresh
leave_lock
keep untouched
start "$work/now"
filled
keys l
see 'manifest.jsonl'
keys /
text manifest.jsonl
keys Enter
see '^▸.*manifest.jsonl'
keys u
see 'Unlock'
keys Tab Tab
see '▸\[ unlock \]'
keys Enter
see 'manifest.jsonl'
see '!' 'Cancel'
keys q
done_by_keys '.'
fresh
leave_lock
by_command unlock --ledger-lock manifest.jsonl --pid 48211 --started-at 2026-10-09T12:20:14.031Z --host build-07 --nonce 8e1f0c44a9d2b310
compare 'unlock --ledger-lock'
finish
