#!/usr/bin/env bash
# The scripts of tests/scenes typed into the real program: its glyphs equal the same golden screens.
# replay.sh ROOT BATON_FIXED SCRIPT.steps... (the format is in tests/support/steps.h)
set -u
root=$1 fixed=$2
shift 2
scripts=("$@")
. "$(dirname "$0")/lib.sh" "$root" "$fixed"
golden=$root/tests/scenes/golden
export LC_ALL=C.UTF-8

# Names of keys in a keymap file -> names of tmux.
send() {
  local name
  for name in "$@"; do
    case $name in
    '<S-Tab>') keys BTab ;;
    '<Esc>') keys Escape ;;
    '<Backspace>') keys BSpace ;;
    '<Delete>') keys DC ;;
    '<Insert>') keys IC ;;
    '<Space>') keys Space ;;
    '<lt>') text '<' ;;
    '<C-'?'>') keys "C-${name:3:1}" ;;
    '<'*'>') name=${name#<}; keys "${name%>}" ;;
    *) text "$name" ;;
    esac
  done
}
trimmed() { sed -e 's/ *$//' | sed -e :a -e '/^\n*$/{$d;N;ba' -e '}'; }
glyphs_of() { awk '/^-- [0-9]+x[0-9]+ cursor/ { exit } { print }' "$1" | trimmed; }
equals() { [ "$(screen | trimmed)" = "$1" ]; }
expect() { # NAME SIZE CHARSET
  local wanted
  checks=$((checks + 1))
  wanted=$(glyphs_of "$golden/$1.$2.$3")
  until_true equals "$wanted" && return
  diff <(printf '%s\n' "$wanted") <(screen | trimmed) | head -n 20
  fail "$script at $2, $3: another screen than $1"
}
unescaped() { local s=${1//\\\\/$'\x01'}; s=${s//\\n/$'\n'}; printf '%s' "${s//$'\x01'/\\}."; } # the final newline counts
# As fixture_write leaves it: written when the clock stands, into place by a rename.
change() { # PATH TEXT
  mkdir -p "$(dirname "$folder/payments-api/$1")"
  printf '%s' "$2" > "$folder/new"
  touch -d @1791555727 "$folder/new"
  mv "$folder/new" "$folder/payments-api/$1"
}

play() { # SCRIPT SIZE CHARSET
  local script=$1 size=$2 charset=$3 word rest before flags=
  extra='BATON_FIXED_PATHS=1'
  folder=$work/$(basename "$script" .steps).$size.$charset
  grep -q '^ledger ' "$script" && extra="$extra BATON_FIXED_KIND=$(sed -n 's/^ledger //p' "$script" | head -n 1)"
  grep -q '^without key' "$script" && extra="$extra BATON_FIXED_KEYLESS=1"
  grep -q '^handovers' "$script" && extra="$extra BATON_FIXED_HANDOVERS=1"
  grep -q '^readonly' "$script" && flags='--readonly'
  [ "$charset" = ascii ] && flags="$flags --ascii"
  mkdir -p "$folder"
  # shellcheck disable=SC2086
  env $extra "$fixed" "$folder"
  before=$(tree "$folder/payments-api")
  width=${size%x*} height=${size#*x}
  if ! grep -q '^ledger ' "$script" && [ "$height" -lt 24 ]; then # too small to say that it has read everything
    width=120 height=36
  fi
  # shellcheck disable=SC2086
  start "$folder" $flags
  await "$(grep -q '^ledger ' "$script" && echo '[^ ]' || echo ' 18 sessions ')" || fail "$script: nothing is shown"
  [ "${width}x$height" = "$size" ] || mux resize-window -x "${size%x*}" -y "${size#*x}"
  while IFS= read -r line <&3; do
    word=${line%% *} rest=${line#* }
    case $word in
    '' | '#'* | ledger | without | readonly | handovers | sizes) ;;
    key) eval "send $(printf '%s' "$rest" | sed "s/[^ ][^ ]*/'&'/g; s/'''/\"'\"/g")" ;;
    type) text "$rest" ;;
    paste) bytes=$(unescaped "$rest"); paste "${bytes%.}" ;;
    size) mux resize-window -x "${rest%x*}" -y "${rest#*x}" ;;
    clock)
      printf '%s\n' $(($(cat "$folder/clock" 2> /dev/null || echo 0) + rest)) > "$folder/clock"
      kill -CONT "$(pid "$folder")" ;;
    write) bytes=$(unescaped "${rest#* }"); change "${rest%% *}" "${bytes%.}" ;;
    remove) rm -rf "$folder/payments-api/${rest:?}" ;;
    expect) expect "$rest" "$size" "$charset" ;;
    shows)
      checks=$((checks + 1))
      contains() { screen | grep -qF -- "$rest"; }
      until_true contains || fail "$script at $size, $charset: never shown: $rest" ;;
    unchanged)
      checks=$((checks + 1))
      [ "$(tree "$folder/payments-api")" = "$before" ] || fail "$script at $size: files have changed" ;;
    quits) see 'left with 0' ;;
    *) fail "$script: what is '$word'?" ;;
    esac
  done 3< "$script"
}

for script in "${scripts[@]}"; do
  sizes=$(sed -n 's/^sizes //p' "$script" | head -n 1)
  for size in ${sizes:-120x36 80x24 40x10 20x3}; do
    for charset in utf8 ascii; do play "$script" "$size" "$charset"; done
  done
done
finish
