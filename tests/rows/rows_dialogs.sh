#!/usr/bin/env bash
# tests/rows/rows_dialogs.sh ROOT BATON - rows 43-51, 58-66 and 86 on the screen: nothing is done without a confirmed dialog.
. "$(dirname "$0")/lib.sh"
fixture
opened() { pick "$1"; K "$2"; see "─ $3"; } # SESSION KEY TITLE: its dialog is open

buffered() { mux show-buffer 2> /dev/null | grep -q -- "$1"; } # the clipboard, which tmux keeps

row 43 'B; opened 91ab77e0 u Unlock; see "▸\[ Cancel \]"; K Enter; gone Cancel; ls $H/91ab77e0.lock' \
  '.adlc/handoffs/91ab77e0.lock'
row 43 'before=$(ledger); opened 7f3a91c2-auth c Continue; K Enter; gone "─ Continue"; opened 7f3a91c2-auth b "One-shot";
  K Enter; gone "─ One-shot"; opened sess-1 r [Rr]epair; K Enter; gone "Cancel"; [ "$(ledger)" = "$before" ] && echo same' same
row 44 'pick 91ab77e0; K u u u Enter Enter; gone Cancel; K q; see "worst first"; ls $H/91ab77e0.lock' \
  '.adlc/handoffs/91ab77e0.lock'
row 45 'opened a81f3c55 b One-shot; before=$(ledger); K BTab; K Enter Enter; see "Cancel"; [ "$(ledger)" = "$before" ] &&
  echo same; K Escape; gone Cancel' 'same'
key; FIX=$work/own; mkdir -p "$FIX/.adlc"; H=.adlc/handoffs; cd "$FIX" || exit 1
baton write --session d1 --ticket T-1 --write > /dev/null
row 45 'ENV="ADLC_MANIFEST_KEY=\"$ADLC_MANIFEST_KEY\"" B; opened d1 b One-shot; K Tab Tab Enter; see "locked until typed";
  ls $H/d1.bypass-grant.json 2> /dev/null; K Tab Tab Tab; text bypass; K Enter; see "▸\[ grant \]"; K Enter; gone Cancel;
  soon test -e $H/d1.bypass-grant.json; ls $H/d1.bypass-grant.json' '.*d1.bypass-grant.json'
unset ADLC_MANIFEST_KEY
fixture
row 46 'B; see "^▸.*c0de4471"; paste ubcq; see "pasted text is never read as keys"; S | grep -c Cancel; selected;
  process > /dev/null && echo alive' '0 c0de4471 alive'
row 46 'opened 5d20fe13 u Unlock; K Tab Tab Tab Tab; see "Type unlock"; paste unlock; see "pasted text"; S |
  grep -oE "unlock \] \(locked[^)]*"; K Escape; gone Cancel; ls $H/5d20fe13.lock' 'unlock \] \(locked.* .*5d20fe13.lock'
row 48 'opened 91ab77e0 u Unlock; S | grep -oE "baton unlock --dir /[^ ]*"; K y; soon buffered "baton unlock";
  mux show-buffer | grep -oE "^baton unlock --dir .* --session 91ab77e0 .* --write"; see "copied"; K Escape; gone Cancel' \
  'baton unlock --dir /.* baton unlock --dir .* --write'
row 48 'command=$(mux show-buffer); sh -c "cd / && $command" | tail -1; ls $H/91ab77e0.lock 2>&1 | grep -o "No such file";
  baton undo --write > /dev/null' '.*91ab77e0.* No such file'
row 50 'see "STALE-LOCK 2"; K l; see "by verdict"; K /; text 91ab77e0; K Enter; see "^▸.*91ab77e0"; K u; see "─ Unlock"; S |
  grep -oE "(host|pid|started at|nonce|verdict|file) +[^ ]+" | sed "s/ .*//" | sort -u; K Escape; gone Cancel; K q;
  see "worst first"' 'file host nonce pid started verdict'

# ---- what changes under an open dialog, or between its plan and the writing ----
row 86 'opened 91ab77e0 u Unlock; K Tab Tab; see "▸\[ unlock \]";
  sed s/8e1f0c44a9d2b310/ffffffffffffffff/ $H/91ab77e0.lock > "$work/new" && mv "$work/new" $H/91ab77e0.lock; see "changed";
  see "▸\[ Cancel \]"; K Tab Tab Enter; see "locked"; ls $H/91ab77e0.lock; K Escape; gone Cancel' '.*91ab77e0.lock'
row 51 'ENV= B --no-inotify; opened 91ab77e0 u Unlock; K Tab Tab; see "▸\[ unlock \]";
  sed -i s/ffffffffffffffff/eeeeeeeeeeeeeeee/ $H/91ab77e0.lock; K Enter; see "changed|nothing was written"; before=$(ledger);
  field $H/91ab77e0.lock nonce; K Escape; gone Cancel; [ "$(ledger)" = "$before" ] && echo same' 'eeeeeeeeeeeeeeee same'

# ---- repair: what is now and what will be; a brief that was edited is accepted only with a reason, which the log keeps ----
fixture
row 55 'B; opened 7f3a91c2-auth r "Repair"; S | grep -oE "^[^a-z]*now +after|(ticket_id|content_hash|status) +[^ ]+ +[^ ]+" |
  sed "s/^[^a-z]*//"; K Escape; gone Cancel' 'now after ticket_id T-118 T-118 content_hash .* status open open'
row 56 'rm $H/c0de4471.lock; before=$(ledger); opened c0de4471 r "Repair"; see "TAMPERED"; see "locked: say why";
  K Tab Tab Enter Enter; see "locked: say why"; [ "$(ledger)" = "$before" ] && echo same; K Escape; gone "─ Repair"' same
row 56 'opened c0de4471 r "Repair"; K BTab; text "a name was taken out"; K Tab Tab Tab; see "▸\[ bind \]"; K Enter;
  gone "─ Repair"; soon grep -q "a name was taken out" "$state/log"; tail -1 "$state/log" |
  jq -c "[.verb, .session, .verdict, .reason]"; grep -rc "a name was taken out" .adlc | grep -vc ":0"' \
  '\["repair","c0de4471","done","a name was taken out"\] 0'

# ---- continue in steps: the brief is read, or the reason why not is typed and kept in the log ----
fixture
row 61 'B; see "7f3a91c2-auth .*83.0%"; before=$(ledger); opened 7f3a91c2-auth c Continue; see "\[>\] 2 brief";
  K Tab Tab Enter; see "next > \] \(locked: read it"; [ "$(ledger)" = "$before" ] && echo same' same
row 60 'K m; see "\[>\] 5 confirm"; S | grep -oE "[1-5] (check|brief|ticket|successor|confirm)"; K G; see "8  release lock";
  K Escape; gone "─ Continue"; K c; see "\[>\] 5 confirm"; K Escape; gone "─ Continue"' \
  '1 check 2 brief 3 ticket 4 successor 5 confirm'
fixture
row 61 'B; see "7f3a91c2-auth .*83.0%"; opened 7f3a91c2-auth c Continue; see "\[>\] 2 brief"; K BTab; text "read in a pager";
  K Enter; see "▸\[ next > \]"; K Enter; see "\[>\] 5 confirm"; K BTab; text auth; K Enter; see "▸\[ continue \]"; K Enter;
  gone "─ Continue"; soon grep -q "read in a pager" "$state/log"; tail -1 "$state/log" | jq -c "[.verb, .verdict, .reason]";
  field $H/denies/7f3a91c2-auth.json status' '\["continue","done","read in a pager"\] consumed'

# ---- bypass: what it is for, what it will not do ----
row 58 'opened a81f3c55 b One-shot; for words in "ONE gated call" "10 minutes" "durable instead: continue" "unbound";
  do see "$words"; done; K Escape; gone Cancel' ''
row 59 'opened a81f3c55 b One-shot; see "will NOT"; S | grep -oE "will NOT +clear D3[^ ]*" | head -1; K Escape; gone Cancel' \
  'will NOT clear D3:.*'
row 54 'pick 91ab77e0; K z; see "nothing (to undo|was removed)|no lock"' ''

# ---- children of the dashboard do not get the key; it is in no file and no buffer of the screen ----
printf '#!/bin/sh\nenv > "%s/child.env"\n' "$work" > "$work/editor" && chmod +x "$work/editor"
row 65 'ENV="EDITOR=$work/editor ADLC_MANIFEST_KEY=secret-of-this-check" B; pick 7f3a91c2-auth; K E;
  soon test -s "$work/child.env"; grep -cE "^HOME=|secret-of" "$work/child.env"; mux capture-pane -p -S - | grep -c secret-of;
  grep -rc secret-of "$HOME" | grep -vc ":0"' '1 0 0'
row 67 'B --readonly; see "READ-?ONLY|read-?only"; before=$(ledger); opened 91ab77e0 u Unlock; see "read-only";
  K Tab Tab Enter Escape; gone Cancel; [ "$(ledger)" = "$before" ] && echo same' same
finish
