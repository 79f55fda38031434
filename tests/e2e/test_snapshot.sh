#!/usr/bin/env bash
# A snapshot opened in the dashboard: what it holds can be read, nothing of this host is looked at or changed.
. "$(dirname "$0")/lib.sh" "$@"
folder=$work/a
start "$folder"; ready
keys q; see 'left with 0'
env -i PATH="$PATH" HOME="$work" TZ=UTC LC_ALL=C.UTF-8 "$fixed" "$folder" scan --json > "$work/taken" || fail 'scan fails'
start "$work/b" --import "$work/taken"; ready
see 'SNAPSHOT'
see 'not live'
see '! BLOCKED +7f3a91c2-auth'
before=$(tree "$work/b")
pick 91ab77e0
keys u
see 'unlock: this is a snapshot'
check 'no dialog opens' bash -c "! tmux -L $socket capture-pane -p | grep -q Cancel"
for key in c r b z; do
  keys $key
  see 'this is a snapshot'
done
keys y
see 'this is a snapshot'
keys Enter; see '1 overview'
for tab in 2 3 4 5; do keys $tab; done
keys e; keys Escape; keys Escape; keys w; keys Escape; keys Escape
keys l; see 'PID-REUSE'
keys u; see 'this is a snapshot'
keys R
rm -rf "$folder/payments-api/.adlc/handoffs/denies"
see 'PID-REUSE'
check 'nothing was written here' [ "$(tree "$work/b")" = "$before" ]
keys q q q; see 'left with 0'
start "$work/b" --import "$work/none"
see 'not there'
finish
