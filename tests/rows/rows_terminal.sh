#!/usr/bin/env bash
# tests/rows/rows_terminal.sh ROOT BATON - rows 69-83: sizes, signals, locales, terminals, colours, the mouse, pipes.
. "$(dirname "$0")/lib.sh"
fixture
has() { SE | grep -cE -- $'\e\\[([0-9]+;)*'"($1)([;m])"; } # how many lines hold an attribute: `has 7m`

row 69 'W=80 H_=24 B; S | grep -cE "^[▸ ] [!x~*^ ] [A-Z]"; see "enter open"; S | wc -L' '1[1-9] 80'
row 70 'mux resize-window -x 30 -y 6; see "[Ss]mall"; mux resize-window -x 120 -y 36; see "CONTEXT USED";
  see "! BLOCKED +7f3a91c2-auth"; process > /dev/null && echo alive' alive
row 71 'K g j j; see "^▸.*d00dfeed"; for i in $(seq 20); do for size in "80 24" "200 60" "120 36";
  do mux resize-window -x ${size% *} -y ${size#* }; done; done; see "^▸.*d00dfeed"; selected; process > /dev/null &&
  echo alive' 'd00dfeed alive'

# ---- leaving and stopping: the terminal is as it was ----
sane() { # SIGNAL: after it
  process > "$work/pid"; kill "-$1" "$(cat "$work/pid")"; see "left with"
  S | grep -oE 'left with [0-9]+'; flag alternate_on; S | grep -oE '(^| )(icanon|echo) ' | tr -d ' ' | sort -u
}
row 73 'sane TERM; B; sane INT; B; sane HUP' 'left with 143 0 echo icanon left with 130 0 echo icanon left with 129 0 echo icanon'
row 74 'B; sane SEGV' 'left with 139 0 echo icanon'
row 72 'mux kill-server; socket=jobs;
  mux new-session -d -x 120 -y 36 "cd $FIX && env -i PATH=\"$PATH\" HOME=$HOME TZ=UTC PS1=\"shell> \" TERM=tmux-256color LC_ALL=C.UTF-8 bash --norc --noprofile -i";
  see "^shell>"; K baton Enter; see "enter open"; K C-z; see "Stopped"; K "clear; stty -a" Enter; see " icanon .*echo ";
  flag alternate_on; K fg Enter; see "! BLOCKED +7f3a91c2-auth"; K q; see "^shell>"' 0

# ---- locales, terminals, colours ----
high() { S | LC_ALL=C grep -cP '[\x80-\xff]'; }
row 75 'LC_=C B; see "^> ! BLOCKED"; high; LC_=C.UTF-8 B; see "^▸ ! BLOCKED"; [ "$(high)" -gt 3 ] && echo more' '0 more'
row 76 'for term in nosuch dumb; do TERM_=$term H_=100 B; see "left with"; S | grep -oE "left with [0-9]+"; S |
  grep -cE "BLOCKED +7f3a91c2-auth"; done' 'left with 0 1 left with 0 1'
row 76 'cd "$work"; for how in nosuch dumb; do TERM=$how baton --dir "$FIX/.adlc" | grep -cE "BLOCKED +7f3a91c2-auth"; done;
  FIX=$work TERM_=nosuch H_=100 B --dir "$FIX/.adlc"; see "left with 0"; S | grep -cE "BLOCKED +7f3a91c2-auth"' '1 1 1'
words() { S | grep -oE 'BLOCKED|STALE-LOCK|FOREIGN|READY|WARN' | sort -u | wc -l; }
row 77 'for term in xterm-256color xterm vt100; do TERM_=$term B; words; has "4[0-8]|10[0-7]"; done' '5 0 5 0 5 0'
row 78 'ENV=NO_COLOR=1 B; has "3[0-8]"; B --color=never; has "3[0-8]"; ENV=NO_COLOR=1 B --color=always;
  [ "$(has "3[0-8]")" -gt 3 ] && echo more; ENV=NO_COLOR= B; [ "$(has "3[0-8]")" -gt 3 ] && echo more' '0 0 more more'
black_or_white() { SE | grep -oE $'\e\\[[0-9;]*m' | grep -cE '(\[|[0-4];)(3[07]|9[07])m|38;5;(0|15)m'; }
row 79 'for theme in dark light; do B --theme $theme; SE | grep c0de4471 | head -1 | grep -oE "\[([0-9]+;)*7m" | head -1;
  black_or_white; done' '\[([0-9]+;)*7m 0 \[([0-9]+;)*7m 0'
row 81 'B; flag mouse_any_flag; K q; see "left with"; B -M; soon eval "[ \$(flag mouse_any_flag) = 1 ]"; flag mouse_any_flag;
  K q; see "left with"; flag mouse_any_flag' '0 1 0'

# ---- a child that writes to standard error; a redraw ----
mkdir -p "$HOME/.config/baton"
printf '#!/bin/sh\necho "ERROR all over the screen" >&2; echo and more; touch "%s/blocked"\n' "$work" > "$work/noisy" && chmod +x "$work/noisy"
echo "set on_blocked $work/noisy" > "$HOME/.config/baton/config"
row 82 'B; add_deny late-1; see "late-1"; soon test -e "$work/blocked"; K C-l; see "late-1"; S | grep -c "all over\|and more";
  rm $H/denies/late-1.json; see "! BLOCKED +7f3a91c2-auth"' 0
rm "$HOME/.config/baton/config"
escapes() { LC_ALL=C grep -c $'\e'; }
row 83 'baton | cat | head -1; baton | escapes; baton < /dev/null > "$work/out"; echo "rc $?"; escapes < "$work/out"' \
  ' *STATE +SESSION .* 0 rc 0 0'
finish
