#!/usr/bin/env bash
# Terminals, locales, colours and sizes: every word is there on each of them.
. "$(dirname "$0")/lib.sh" "$@"
folder=$work/a
escapes() { mux capture-pane -e -p; }
colours() { escapes | grep -cE $'\e\\[([0-9]+;)*[34][0-7]'; }
backgrounds() { escapes | grep -cE $'\e\\[([0-9]+;)*4[0-8]'; }
words() { for word in BLOCKED STALE FOREIGN READY WARN; do see "$word"; done; }

start "$folder"; ready; words
check 'colours are used' [ "$(colours)" -gt 5 ]
check 'no background but reverse' [ "$(backgrounds)" = 0 ]
check 'the selection is in reverse video' bash -c "tmux -L $socket capture-pane -e -p | grep -qE $'\\e\\\\[([0-9]+;)*7m.*c0de4471'"
check 'the mouse is not captured' [ "$(mux display -p '#{mouse_any_flag}')" = 0 ]

extra='NO_COLOR=1' start "$folder"; ready; words
check 'NO_COLOR: no colour' [ "$(colours)" = 0 ]
extra='NO_COLOR=' start "$folder"; ready
check 'an empty NO_COLOR counts as unset' [ "$(colours)" -gt 5 ]
extra='NO_COLOR=1' start "$folder" --color=always; ready
check '--color=always' [ "$(colours)" -gt 5 ]
start "$folder" --color=never; ready
check '--color=never' [ "$(colours)" = 0 ]

for locale in C POSIX; do
  locale=$locale start "$folder"; ready; words
  check "$locale: only ASCII" bash -c "! tmux -L $socket capture-pane -p | LC_ALL=C grep -qP '[\\x80-\\xff]'"
  see '^>.*c0de4471'
done
unset locale
start "$folder" --ascii; ready
check '--ascii' bash -c "! tmux -L $socket capture-pane -p | LC_ALL=C grep -qP '[\\x80-\\xff]'"
start "$folder"; ready
see '^▸.*c0de4471'

for terminal in xterm-256color xterm linux screen vt100; do
  terminal=$terminal start "$folder"; ready; words
  keys j; see '^(▸|>).*7f3a91c2-auth'
  keys q; see 'left with 0'
done
unset terminal

for terminal in nosuch dumb ''; do
  height=100 terminal=$terminal start "$folder"
  see 'left with 0'
  see 'BLOCKED.*7f3a91c2-auth'
  check "'$terminal': the table has no colour" [ "$(colours)" = 0 ]
done
unset terminal

# Whatever is printed keeps to what the terminal's description says.
for terminal in nosuch dumb vt100 xterm-256color; do
  for what in list locks denies log; do
    mux kill-server 2> /dev/null
    run=$((run + 1)) socket=e2e$run
    mux new-session -d -x 140 -y 60 "env -i PATH='$PATH' HOME='$work' TERM=$terminal LC_ALL=C.UTF-8 '$fixed' '$folder' $what; echo printed; exec cat"
    see '^printed'
    expected='= 0'
    [ "$terminal $what" = 'xterm-256color list' ] && expected='-gt 5'
    [ "$terminal" = xterm-256color ] && [ "$what" != list ] && continue
    # shellcheck disable=SC2086
    check "$what on $terminal: colours" [ "$(colours)" $expected ]
  done
done
unset terminal

# Esc acts at once.
start "$folder"; ready
keys '?'; see 'LOOK'
began=$(date +%s%N)
keys Escape
see '!' 'LOOK'
took=$((($(date +%s%N) - began) / 1000000))
check "Esc took $took ms" [ "$took" -lt "${BATON_E2E_ESC_MS:-500}" ]

# Sizes: the selection stays, a screen that is too small says so and comes back.
keys j j; see '^▸.*d00dfeed'
for size in 80x24 200x60 120x36 40x10; do
  mux resize-window -x "${size%x*}" -y "${size#*x}"
  see '^▸.*d00d'
done
mux resize-window -x 20 -y 3
see '[Ss]mall'
mux resize-window -x 80 -y 24
see '^▸.*d00dfeed'
check 'no line is longer than the screen' bash -c "! tmux -L $socket capture-pane -p | awk '{ if (length(\$0) > 80) exit 1 }' | grep -q ."
for i in 1 2 3 4 5 6 7 8 9 10; do mux resize-window -x $((60 + 9 * i)) -y $((14 + 3 * i)); done
see '^▸.*d00dfeed'
keys q; see 'left with 0'

# The pager gets the brief, without a shell and with everything visible.
mkdir -p "$work/bin"
printf '#!/bin/sh\ncat > "%s/paged"\necho "$1 $2"; read -r line < /dev/tty\n' "$work" > "$work/bin/pager"
chmod +x "$work/bin/pager"
extra="PAGER='$work/bin/pager one two;touch'" start "$folder"; ready
keys j v
see 'one two;touch'
check 'the brief was paged' until_true grep -q '## Ticket' "$work/paged"
keys Enter
ready
see '^▸.*7f3a91c2-auth'
extra="PAGER='$work/bin/none'" start "$folder"; ready
keys j v
see 'cannot be started'
ready
finish
