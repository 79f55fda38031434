#!/usr/bin/env bash
# However the program ends or stops, the terminal is as it was before.
. "$(dirname "$0")/lib.sh" "$@"
folder=$work/a

terminal_is_sane() {
  see 'left with'
  check "$1: not on the normal screen" [ "$(mux display -p '#{alternate_on}')" = 0 ]
  check "$1: no cursor" [ "$(mux display -p '#{cursor_flag}')" = 1 ]
  see ' icanon .*echo '
  check "$1: the keypad is still the program's" [ "$(mux display -p '#{keypad_flag}#{keypad_cursor_flag}')" = 00 ]
  check "$1: bracketed paste is still on" [ "$(mux display -p '#{bracket_paste_flag}')" != 1 ]
}

for signal in TERM:143 INT:130 HUP:129 QUIT:131 USR1:138 USR2:140 ALRM:142 SEGV:139 ABRT:134 BUS:135; do
  start "$folder"
  ready
  check "is not on the alternate screen" [ "$(mux display -p '#{alternate_on}')" = 1 ]
  kill "-${signal%:*}" "$(pid "$folder")"
  see "left with ${signal#*:}"
  terminal_is_sane "$signal"
done

# In the middle of typing and of a paste.
start "$folder"
ready
keys /
text 'abc'
keys C-c
see 'left with 130'
terminal_is_sane 'C-c while typing'

# A paste whose end got lost: nothing of it was a key, and the keys work again.
start "$folder"
ready
text $'\e[200~ubcq'
see 'pasted text is never read as keys'
keys '?'
see 'What the keys do here first'
keys C-c
see 'left with 130'

# The key of quitting.
start "$folder"
ready
keys q
see 'left with 0'
terminal_is_sane q

# Suspend and come back, by the key and by the signal, under a shell with job control.
mux kill-server 2> /dev/null
socket=e2e-jobs
mux new-session -d -x 120 -y 36 "env -i PATH='$PATH' HOME='$work' PS1='shell> ' TERM=tmux-256color LC_ALL=C.UTF-8 bash --norc --noprofile -i"
see '^shell>'
keys "'$fixed' '$folder' ui" Enter
ready
keys j
for way in key signal; do
  if [ $way = key ]; then keys C-z; else kill -TSTP "$(pid "$folder")"; fi
  see 'Stopped'
  keys 'clear; stty -a' Enter
  see ' icanon .*echo '
  keys fg Enter
  ready
done
see '^▸.*7f3a91c2-auth'
kill -STOP "$(pid "$folder")"
see 'Stopped'
keys 'clear; fg' Enter
ready
keys q
see '^shell>'
finish
