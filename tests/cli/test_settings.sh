#!/usr/bin/env bash
# tests/cli/test_settings.sh BATON - keys, info and the config file: what is read, where it came from, what is refused.
set -u
baton=$1
folder=$(mktemp -d "${TMPDIR:-/tmp}/baton-settings.XXXXXX") || exit 1
trap 'rm -rf "$folder"' EXIT
unset ADLC_MANIFEST_KEY ADLC_TICKET NO_COLOR BATON_ASCII BATON_PLAIN
export HOME=$folder TERM=xterm-256color XDG_CONFIG_HOME=$folder/config XDG_STATE_HOME=$folder/state
mkdir -p "$XDG_CONFIG_HOME/baton"
config=$XDG_CONFIG_HOME/baton/config keys=$XDG_CONFIG_HOME/baton/keys
cd "$folder" || exit 1
failures=0
fail() { printf 'FAIL %s\n' "$*"; failures=$((failures + 1)); }
check() { [ "$2" = "$3" ] || fail "$1: wanted [$2], got [$3]"; }
has() { grep -qE -- "$2" "$folder/$1" || { fail "$1 has no $2"; sed 's/^/    | /' "$folder/$1"; }; }
lacks() { if grep -qE -- "$2" "$folder/$1"; then fail "$1 has $2"; fi; }
run() { "$baton" "$@" >"$folder/out" 2>"$folder/err"; status=$?; }

# Keymap files: every problem by file and line, both sides of a conflict, exit 1.
printf 'bind list x unlock\nbind list x repair\nbind lst y copy\nbind list Y copy\n' >mine
run keys --check mine
check 'keys --check' 1 $status
has err '^mine:2: .*unlock \(mine:1\) and repair \(mine:2\)$'
has err "^mine:3: unknown mode 'lst'$"
check 'no other problem' 2 "$(wc -l <err)"
run keys --check --json mine
check 'keys --check --json' 1 $status
has out '"schema_version": 1'
has out '"where": "mine:2"'
has out '"ok": false'
printf 'bind list Y copy\n' >mine
run keys --check mine
check 'a sound file' 0 $status
run keys --check nowhere
check 'a file that is not there' 1 $status
has err '^nowhere: not there$'
mkfifo pipe
run keys --check pipe
check 'a FIFO' 1 $status
head -c 70000 /dev/zero | tr '\0' '\n' >big
run keys --check big
check 'a file that is too large' 1 $status

# The user's own: no file, a sound one, one with a conflict.
run keys --check
check 'no keys file' 0 $status
printf 'unbind any u\nbind any x unlock\n' >"$keys"
run keys --check
check 'own keys' 0 $status
run keys
check 'keys' 0 $status
has out "^list +x +unlock .*$keys:2$"
lacks out '^list +u '
run keys --json
has out '"rebound": true'
printf 'bind list x unlock\nbind list x repair\n' >"$keys"
run keys --check
check 'own keys with a conflict' 1 $status
has err "^$keys:2: .*unlock \($keys:1\) and repair \($keys:2\)$"
run keys
has out '^list +u +unlock'
has err "^$keys:2: "
rm "$keys"

# Keymaps that come along.
for name in default vim emacs; do
  run keys --print "$name"
  check "keys --print $name" 0 $status
  cp out "$name.keymap"
done
run keys --print nano
check 'keys --print nano' 1 $status
run keys --keymap vim
has out '^list +x +unlock'
run keys --keymap emacs
has out '^list +<C-v> <PageDown> +page-down|^list +<PageDown> <C-v> +page-down'
run keys --keymap "$folder/nowhere"
has err 'nowhere: not there'

# The config file: values, origins, problems that are passed over.
printf '# mine\nset theme cb # orange and blue\nset on_blocked notify-send stuck\nset keymap vim\nbind list X copy\n' >"$config"
run info
check 'info' 0 $status
has out "theme +cb +$config:2$"
has out "on_blocked +notify-send stuck +$config:3$"
has out 'mouse +off +\(default\)$'
has out "config +$config$"
has out '^baton [0-9]'
has out 'libgit2'
lacks out 'problem'
run keys
has out "^list +.*X .*copy .*$config:5$"
has out '^list +x +unlock'
NO_COLOR=1 run info
has out 'color +never +NO_COLOR$'
BATON_ASCII=1 run info
has out 'ascii +on +BATON_ASCII$'
NO_COLOR='' run info
has out 'color +auto +\(default\)$'
printf 'set theme blue\nset thme cb\npaint it\nset mouse on\nbind list zz copy\nbind list q redraw\n' >"$config"
run info
check 'info with problems' 0 $status
has out "problem +$config:1 +theme wants one of: dark light cb mono$"
has out "problem +$config:2 +there is no setting 'thme'$"
has out "problem +$config:3 +'paint' is neither set, bind nor unbind$"
has out "problem +$config:5 +unknown key 'zz'$"
has out "mouse +on +$config:4$"
run info --json
check 'info --json' 0 $status
has out '"schema_version": 1'
has out "\"where\": \"$config:4\""
run keys --check
check 'keys --check sees the config' 1 $status
has err "^$config:5: "
run ui --theme blue
check 'a theme that is none' 1 $status
has err '^error: --theme wants one of: dark light cb mono$'

# A link to the real file, as dotfiles are kept.
printf 'set theme light\n' >real && ln -sf "$folder/real" "$config"
run info
has out "theme +light +$config:1$"
ln -sf "$folder/nowhere" "$config"
run info
check 'a link to nothing' 0 $status
rm "$config"

# The key is never shown.
ADLC_MANIFEST_KEY=very-secret-key run info
has out 'key +loaded'
lacks out 'very-secret-key'
run --version
check '--version' 0 $status
has out '^baton [0-9]+\.[0-9]+\.[0-9]+$'
has out 'ncurses .*cJSON .*OpenSSL .*libgit2 .*PCRE2 .*utf8proc '
check 'looking wrote nothing' 0 "$(find "$folder/state" 2>/dev/null | wc -l)"

[ "$failures" = 0 ] && echo 'all checks passed'
exit $((failures > 0))
