#!/usr/bin/env bash
# A supervised session on a terminal: what it leaves on is put right, Ctrl-C reaches it, a vanished terminal ends nothing else.
. "$(dirname "$0")/lib.sh" "$@"
[ -n "$baton" ] || { echo 'skipped: no program to run'; exit 77; }
mkdir -p "$work/r/.adlc" "$work/home"

# A full-screen program that tidies up only when it is let: raw modes, the other screen, no cursor. It hears no hangup, so
# it looks itself whether this test still runs: however that ends, nothing of it stays.
cat >"$work/kid.sh" <<'KID'
#!/usr/bin/env bash
echo $$ >"$WORK/kid.pid"
echo $$ >>"$WORK/kids"
stty raw -echo </dev/tty
printf '\033[?1049h\033[?25l\033[?2004hfull screen, session %s' "$2"
trap 'echo INT >>"$WORK/interrupts"; [ "$(wc -l <"$WORK/interrupts")" -lt "${ENOUGH:-99}" ] || exit 0' INT
trap '' HUP
while kill -0 "$TEST"; do sleep 0.1; done 2>/dev/null
KID
chmod +x "$work/kid.sh"
end_kids() {
  [ ! -s "$work/kids" ] || xargs kill -9 <"$work/kids" 2>/dev/null
  clean_up
}
trap end_kids EXIT # an ended server takes the dashboard with it, but not these

supervised() { # ENVIRONMENT...: under tmux
  mux kill-server 2>/dev/null
  run=$((${run:-0} + 1)); socket=sup$run
  rm -f "$work"/kid.pid "$work"/interrupts
  mux new-session -d -x 100 -y 30 "env -i PATH='$PATH' HOME='$work/home' WORK='$work' TEST=$$ TERM=tmux-256color LC_ALL=C.UTF-8 \
    ADLC_MANIFEST_KEY=k $* bash --norc -c 'cd \"$work/r\"; \"$baton\" supervise -- \"$work/kid.sh\"; echo \"left with \$?\"; stty -a; exec cat'" ||
    { echo 'skipped: tmux cannot start'; exit 77; }
  see 'full screen, session'
  check 'the other screen is on' [ "$(mux display -p '#{alternate_on}')" = 1 ]
}
kid() { cat "$work/kid.pid"; }
alive() { [ -d "/proc/$1" ] && ! grep -q '^State:.[ZX]' "/proc/$1/status" 2>/dev/null; }
gone() { ! alive "$1"; }
wrapper() { awk '/^PPid:/ { print $2 }' "/proc/$(kid)/status"; }

# Killed outright: the terminal is as it was before.
supervised
kill -9 "$(kid)"
see 'left with 3'
see '(^|[^-])icanon'
see '(^|[^-])echo '
see '(^|[^-])isig'
check 'the ordinary screen is back' [ "$(mux display -p '#{alternate_on}')" = 0 ]
check 'the cursor is back' [ "$(mux display -p '#{cursor_flag}')" = 1 ]
see 'child_signalled'

# Ctrl-C as a terminal sends it: the program hears it twice, the wrapper stays until the program has ended.
supervised ENOUGH=4
stty_of_kid=$(mux display -p '#{pane_tty}')
stty isig <"$stty_of_kid"
keys C-c
until_true test -s "$work/interrupts" || fail 'Ctrl-C does not reach the program'
check 'the wrapper stays' alive "$(wrapper)"
ended() { keys C-c; sleep 0.2; shows 'left with 0'; } # two signals may arrive as one
until_true ended || fail 'Ctrl-C again and again does not end it'
see 'interrupted'
see '(^|[^-])icanon'

# The terminal vanishes: the wrapper goes with it, the program does not, and nothing is believed of the wrapper.
supervised
wrapper=$(wrapper)
until_true bash -c "env HOME='$work/home' '$baton' supervise --list | grep -q watching" || fail 'it is not in the list'
mux kill-server
until_true gone "$wrapper" || fail 'the wrapper stays behind'
check 'the program lives' alive "$(kid)"
check 'nobody is listed' [ "$(env HOME="$work/home" "$baton" supervise --list | wc -l)" = 1 ]
kill -9 "$(kid)"
finish
