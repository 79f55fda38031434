#!/usr/bin/env bash
# tests/e2e/soak_keys.sh ROOT BATON_FIXED BATON - random keys, words, pastes and sizes typed into the real dashboard, while
# another program changes the ledger beside it.
#
# Afterwards every changed file of the ledger is explained: the other program has changed it, or baton's action log has an
# executed action on that session. The chain holds as many new entries as signed actions were done, the evidence verifies,
# nothing else was written, each end of the program was an ordinary one and no sanitizer spoke. Ten seconds; ten minutes with
# BATON_SOAK=1. BATON_SEED chooses other keys, BATON_KEYS_SECONDS another length.
. "$(dirname "$0")/lib.sh" "$@"
[ -n "$baton" ] || { echo 'skipped: no program to run'; exit 77; }
command -v jq > /dev/null || { echo 'skipped: no jq'; exit 77; }
seconds=${BATON_KEYS_SECONDS:-10}
[ "${BATON_SOAK:-}" = 1 ] && seconds=${BATON_KEYS_SECONDS:-600}
RANDOM=${BATON_SEED:-4711}
place=$work/ledger handoffs=$work/ledger/.adlc/handoffs home=$work/home
mkdir -p "$place" "$home"
env HOME="$home" "$baton" sample "$place" > /dev/null || fail 'no sample'
printf 'ordinary work\n' > "$place/work.c"
cp -a "$place" "$work/before"

open_dashboard() {
  mux kill-server 2> /dev/null
  run=$((${run:-0} + 1)) socket=soak$run
  rm -f "$work/status"
  mux new-session -d -x 120 -y 36 "cd '$place' && env -i PATH='$PATH' HOME='$home' TZ=UTC TERM=tmux-256color LC_ALL=C.UTF-8 \
    PAGER=true EDITOR=true ASAN_OPTIONS='${ASAN_OPTIONS:-}:log_path=$work/asan' bash --norc -c \
    'trap : INT QUIT TSTP; \"$baton\" -M; echo \$? > \"$work/status\"; trap \"\" INT QUIT TSTP; exec tail --pid=$$ -f /dev/null'" || { echo 'skipped: tmux cannot start'; exit 77; }
  mux set-option -g escape-time 0
  see 'enter open'
}
pick_one() { echo "${@:$((RANDOM % $# + 1)):1}"; }

# ---- the other program: sessions named drift-N come, go and are locked by the dead; it notes every path before it writes ----
beside() {
  RANDOM=$((${BATON_SEED:-4711} + 1))
  local name path
  while [ -e "$work/beside" ]; do
    name=drift-$((RANDOM % 5))
    path=$handoffs/$(pick_one "denies/$name.json" "$name.lock" "denies/$name.json" "content/$name.md")
    echo "${path#"$place"/}" >> "$work/beside.paths"
    if [ -e "$path" ]; then
      rm -f "$path"
    else
      case $path in
        *.lock) printf '{"schema":1,"session_id":"%s","pid":4194301,"started_at":"2026-01-01T00:00:00.000Z","host":"%s","nonce":"%016x"}\n' \
          "$name" "$(uname -n)" $RANDOM ;;
        *.md) printf '## Ticket\n- id: T-101\n%s\n' $RANDOM ;;
        *) printf '{"session_id":"%s","ticket_id":null,"content_hash":null,"status":"open","since":"2026-01-01T00:00:00.000Z","host":"claude","schema":1}\n' "$name" ;;
      esac > "$work/new"
      mv "$work/new" "$path"
    fi
    sleep 0.0$((RANDOM % 9))$((RANDOM % 9))
  done
}

# ---- hands: mostly single keys, sometimes somebody who means it ----
home_page() { local i; for i in 1 2 3 4; do keys Escape; sleep 0.06; done; } # an escape and a key at once would be another key
means_it() {
  local session verb
  read -r session verb <<< "$(pick_one '91ab77e0 u' '91ab77e0 z' '5d20fe13 u' 'a81f3c55 b' 'sess-1 r' '7f3a91c2-auth c' 'd00dfeed c' \
    'drift-1 u' 'drift-2 u' 'drift-3 u' 'drift-1 r' 'drift-2 c' '99ff88ee b')"
  home_page
  keys / C-u
  text "$session"
  keys Enter "$verb"
  case $verb in
    z) keys Tab Tab Enter ;;
    u) if [ "$session" = 5d20fe13 ]; then keys BTab; text unlock; keys Enter Enter; else keys Tab Tab Enter; fi ;;
    b) keys BTab; text bypass; keys Enter Enter ;;
    c) keys m BTab; text "${session: -4}"; keys Enter Enter ;;
    r) keys Tab Tab Tab Down Tab C-u; text "$RANDOM"; keys Tab Tab; text 'a reason'; keys Tab Tab Tab Enter ;;
  esac
}
in_bulk() { home_page; keys '*' U Tab Enter; }
any_keys() {
  local key list=()
  for _ in 1 2 3 4 5 6 7 8 9 10 11 12; do
    key=$(pick_one Enter Enter Tab Tab BTab Escape Up Down Left Right Home End PPage NPage BSpace Space C-u C-w C-l C-d F1 F5 F9 DC \
      j k g G n N w l e 1 2 3 4 5 i v E m '?' c u r b z R / '\' s S f p : y W t '*' - U '[' ']' q a x 0 9 '<' '%' '"')
    list+=("$key")
  done
  keys "${list[@]}"
}
one_turn() {
  case $((RANDOM % 24)) in
    0 | 1) means_it ;;
    2) in_bulk ;;
    3) paste "$(pick_one ubcq unlock bypass $'q\nq\n' $'\e[2J\e]0;x\a' 'why sess-1')" ;;
    4) mux resize-window -x $((RANDOM % 180 + 1)) -y $((RANDOM % 55 + 1)) ;;
    5) mux resize-window -x 120 -y 36 ;;
    6) text "$(pick_one 'unlock' ':why sess-1' '/state:blocked' 'auth' $'\xe6\xbc\xa2\xe5\xad\x97')" ;;
    7) text $'\e[<0;'$((RANDOM % 120))';'$((RANDOM % 36))'M' ;;
    8) [ $((RANDOM % 20)) = 0 ] && keys C-c ;;
    9) keys C-z; pkill -CONT -P "$(mux display -p '#{pane_pid}')" ;;
    *) any_keys ;;
  esac
}

touch "$work/beside" "$work/beside.paths"
beside &
trap 'rm -f "$work/beside"; wait; clean_up' EXIT
open_dashboard
turns=0 ends=0
finish_at=$(($(date +%s) + seconds))
has_left() { [ -s "$work/status" ]; }
left_well() { grep -qxE '0|130' "$work/status" || fail "the dashboard ended with $(cat "$work/status")"; }
while [ "$(date +%s)" -lt $finish_at ]; do
  one_turn
  turns=$((turns + 1))
  has_left || continue
  left_well
  ends=$((ends + 1))
  open_dashboard
done
rm -f "$work/beside"
wait
mux resize-window -x 120 -y 36
leave() { keys Escape; sleep 0.06; keys Escape; sleep 0.06; keys q; has_left; }
until_true leave || fail 'it cannot be left'
left_well

# ---- every changed file is explained ----
log=$home/.local/state/baton/log
touch "$log" 2> /dev/null || { mkdir -p "${log%/*}"; touch "$log"; }
jq -r 'select(.verdict == "done") | [.verb, .session // "", .successor // "", .subject // ""] | join("\t")' "$log" > "$work/done"
(cd "$work/before" && find . -type f -exec sha256sum {} + | sort -k 2) > "$work/sums.before"
(cd "$place" && find . -type f -exec sha256sum {} + | sort -k 2) > "$work/sums.after"
diff "$work/sums.before" "$work/sums.after" | sed -n 's/^[<>] [0-9a-f]*  \.\///p' | sort -u > "$work/changed"
explained() { # PATH
  grep -qxF -- "$1" "$work/beside.paths" && return
  case $1 in
    .adlc/manifest* | .adlc/.deny-store) cut -f 1 "$work/done" | grep -qE '^(bypass|repair|continue|resume|write)$' ;;
    .adlc/handoffs/*) awk -F '\t' -v path="$1" '($2 != "" && index(path, $2)) || ($3 != "" && index(path, $3)) || ($4 != "" && index(path, $4)) { found = 1 } END { exit !found }' "$work/done" ;;
    *) return 1 ;;
  esac
}
while read -r path; do
  checks=$((checks + 1))
  explained "$path" || fail "no logged action explains that $path is another one"
done < "$work/changed"
signed=$(cut -f 1 "$work/done" | grep -cE '^(bypass|repair|continue|resume|write)$')
entries() { cat "$1"/.adlc/manifest.jsonl "$1"/.adlc/manifest.d/*.jsonl | grep -c .; }
check 'as many new entries as signed actions' [ $(($(entries "$place") - $(entries "$work/before"))) = "$signed" ]
check 'the evidence verifies' env HOME="$home" "$baton" verify --dir "$place/.adlc"
check 'no temporary file stays' [ -z "$(find "$place" -name '*.tmp*' -o -name '.*.part')" ]
check 'what was removed is in the trash' [ "$(find "$home/.local/state/baton/trash" -type f 2> /dev/null | wc -l)" -ge \
  $(($(grep -c '^unlock' "$work/done") - $(grep -c '^undo' "$work/done"))) ]
stray=$(find "$home" -type f ! -path '*/baton/*')
check "nothing is written beside baton's own folders: $stray" [ -z "$stray" ]
check 'no sanitizer spoke' [ -z "$(find "$work" -maxdepth 1 -name 'asan*')" ]
check 'somebody who means it gets there' [ "$(wc -l < "$work/done")" -gt 0 ]
printf '%s turns in %s s, %s ends, %s actions done (%s), %s refused or failed, %s changes beside, %s files changed\n' "$turns" "$seconds" \
  "$ends" "$(wc -l < "$work/done")" "$(cut -f 1 "$work/done" | sort | uniq -c | awk '{ printf "%s%s %s", s, $1, $2; s = ", " }')" \
  "$(jq -r 'select(.verdict != "done") | .verb' "$log" | wc -l)" "$(wc -l < "$work/beside.paths")" "$(wc -l < "$work/changed")"
finish
