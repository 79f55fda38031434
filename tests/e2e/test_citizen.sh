#!/usr/bin/env bash
# Manners: the mouse, the title, the user's own keys, theme, editor and command; what is written goes to baton's folders.
. "$(dirname "$0")/lib.sh" "$@"
folder=$work/a
config=$folder/home/.config/baton
state=$folder/home/.local/state/baton
flag() { [ "$(mux display -p "#{$1}")" = "$2" ]; }
escapes() { mux capture-pane -e -p; }

# The mouse: off, and on where it is asked for; given back at the end.
start "$folder"; ready
check 'the mouse is not taken' flag mouse_any_flag 0
keys q; see 'left with 0'
start "$folder" -M; ready
check 'the mouse is taken with -M' until_true flag mouse_any_flag 1
keys q; see 'left with 0'
check 'the mouse is given back' until_true flag mouse_any_flag 0

# The title says what is stuck, and goes back.
mux select-pane -T before
start "$folder"; ready
keys j
check 'the title says what is stuck' until_true bash -c "tmux -L $socket display -p '#{pane_title}' | grep -qE 'baton [0-9]+ BLOCKED .* payments-api'"
keys q; see 'left with 0'
check 'the title is put back' until_true bash -c "! tmux -L $socket display -p '#{pane_title}' | grep -q BLOCKED"

# Themes by flag: blue where others have green, no colour at all.
start "$folder" --theme cb; ready
pick 7f3a91c2-auth
check 'cb: nothing is green' bash -c "! tmux -L $socket capture-pane -e -p | grep -qE $'\\e\\\\[([0-9]+;)*32m'"
check 'cb: BLOCKED is orange' bash -c "tmux -L $socket capture-pane -e -p | grep -qE $'38;5;208'"
start "$folder" --theme mono; ready
check 'mono: no colour' [ "$(escapes | grep -cE $'\e\\[([0-9]+;)*3[0-7]')" = 0 ]

# The user's own keys, marked in the help; a file with a problem is named and left out.
mkdir -p "$config"
printf 'unbind any u\nbind any x unlock\n' > "$config/keys"
start "$folder"; ready
keys '?'
keys / ; text 'unlock'; keys Enter
see 'What matches: unlock'
see "x' +unlock"
keys Escape Escape
pick 91ab77e0
keys u
see '!' 'Cancel'
keys x
see 'Unlock 91ab77e0'
keys Escape q
printf 'bind list x unlock\nbind list x repair\n' > "$config/keys"
start "$folder"; ready
see "keys:2: key x in mode list cannot do two things: unlock"
keys q
rm "$config/keys"
start "$folder" --keymap vim; ready
keys l; see '1 overview'
keys h h; keys C-o; see 'worst first'
start "$folder" --keymap emacs; ready
keys C-n; see '^▸.*7f3a91c2-auth'
keys M-v; see '^▸.*c0de4471'
keys Escape; see '^▸.*c0de4471'

# The screen in a file, and a file in an editor: both in baton's own folder, the copy is gone afterwards.
cat > "$work/editor" <<'TXT'
#!/bin/sh
cp "$1" "$0.got"; stat -c %a "$1" > "$0.mode"; echo scribble >> "$1" 2> /dev/null
TXT
chmod +x "$work/editor"
extra="EDITOR=$work/editor" start "$folder"; ready
before=$(tree "$folder/payments-api")
pick 7f3a91c2-auth
until_true test "$(screen | md5sum)" = "$(sleep 0.1; screen | md5sum)"
screen | sed 's/[[:space:]]*$//' > "$work/seen"
keys W
see 'written to .*screen.txt'
check 'the file is what was on the screen' diff "$work/seen" "$(find "$state/views" -name '*screen.txt')"
keys E
until_true test -s "$work/editor.mode" || fail 'the editor was not started'
see 'worst first'
check 'the editor saw the brief' grep -q 'Model handoff\|Ticket' "$work/editor.got"
check 'the copy cannot be written' [ "$(cat "$work/editor.mode")" = 400 ]
check 'no copy stays' until_true bash -c "[ -z \"\$(find '$state/copies' -type f)\" ]"
keys t; see '14:22Z$'
keys t; see '14:22$'
check 'the ledger is as before' [ "$(tree "$folder/payments-api")" = "$before" ]
keys q

# Undo by keys: the lock comes back byte for byte.
start "$folder"; ready
lock=$folder/payments-api/.adlc/handoffs/91ab77e0.lock
sum=$(sha256sum < "$lock")
pick 91ab77e0
keys u; see 'Unlock 91ab77e0'
keys Tab Tab Enter
check 'the lock is gone' until_true test ! -e "$lock"
keys z; see 'Put handoffs/91ab77e0.lock back'
keys Enter; see '!' 'Cancel'
check 'Enter alone does nothing' test ! -e "$lock"
keys z; see 'Put handoffs/91ab77e0.lock back'
keys Tab Tab Enter
check 'the lock is back' until_true test -e "$lock"
check 'as it was' [ "$(sha256sum < "$lock")" = "$sum" ]
keys z; see 'nothing to undo|nothing'
keys Escape q

# The command for what becomes BLOCKED: once a transition, without a shell, not for what was BLOCKED before.
cat > "$work/blocked" <<'TXT'
#!/bin/sh
printf '%s %s %s %s %s\n' "$1" "$BATON_SESSION" "$BATON_STATE" "$BATON_BEFORE" "${ADLC_MANIFEST_KEY-no key}" >> "$0.log"
TXT
chmod +x "$work/blocked"
printf 'set on_blocked %s $HOME;id\n' "$work/blocked" > "$config/config"
start "$folder"; ready
denies=$folder/payments-api/.adlc/handoffs/denies
sed 's/"session_id": "[^"]*"/"session_id": "late-1"/' "$denies/sess-1.json" > "$work/new.json"
mv "$work/new.json" "$denies/late-1.json"
see 'late-1'
check 'the command ran' until_true test -s "$work/blocked.log"
touch "$denies/late-1.json"
keys R; see 'read again'
keys j k
check 'once, without a shell, with the facts' [ "$(cat "$work/blocked.log")" = "\$HOME;id late-1 BLOCKED new no key" ]
finish
