#!/usr/bin/env bash
# tools/docs.sh BINARY FOLDER - what can be said from the program itself: manual pages, completions, the README's table of keys.
#
# Writes FOLDER/man/baton.1, FOLDER/man/baton-keymap.5, FOLDER/completions/{baton.bash,_baton,baton.fish} and FOLDER/README.md.
# With FOLDER docs (./dev docs) README.md of the source tree itself is renewed. A test compares both.
set -u
[ $# -eq 2 ] || { echo 'usage: tools/docs.sh BINARY FOLDER' >&2; exit 1; }
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
baton=$(realpath "$1") || exit 1
mkdir -p "$2/man" "$2/completions" || exit 1
out=$(cd "$2" && pwd) || exit 1
work=$(mktemp -d "${TMPDIR:-/tmp}/baton-docs-XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
# Nobody's own settings, ledger or language may show in what is made.
ask() { env -i PATH="$PATH" HOME="$work" XDG_CONFIG_HOME="$work/none" LC_ALL=C.UTF-8 TERM=dumb "$baton" "$@" </dev/null; }

version=$(ask --version | sed -n '1s/^baton //p')
ask --help >help || exit 1
sed -n 's/^  \([a-z][a-z-]*\)  *\(.*\)$/\1\t\2/p' help >commands
mkdir texts
while IFS=$'\t' read -r word _; do
  # A verb that follows another program's conventions answers with its own list of commands, and not with 0.
  ask "$word" --help >"texts/$word" 2>said || { printf 'Usage: baton %s COMMAND ...\n\n' "$word"; sed "s/^handoff: //" said; } >"texts/$word"
  # Of `commands: build --source F | list [X] | skill install|update`: what stands after a blank is a verb, the rest its words.
  sed -n 's/^commands: / /p' "texts/$word" | grep -oE '(^ |\| )[a-z]+' | tr -d ' |' | awk '!seen[$0]++' >verbs
  sed -n 's/^commands: .*| skill \([a-z|]*\)$/\1/p' "texts/$word" | tr '|' '\n' >words
  [ ! -s verbs ] || { mv verbs "texts/$word.verbs" && mv words "texts/$word skill.verbs"; }
  grep -qE "^Usage: baton $word (COMMAND|VERB) \[" "texts/$word" || continue
  sed -n '/^Usage/d; s/^  \([a-z][a-z-]*\)  *\(.*\)$/\1\t\2/p' "texts/$word" >"texts/$word.parts"
  while IFS=$'\t' read -r part _; do
    ask "$word" "$part" --help >"texts/$word $part" 2>/dev/null || { echo "docs: baton $word $part --help fails" >&2; exit 1; }
  done <"texts/$word.parts"
done <commands

# key <tab> mode <tab> action <tab> group <tab> help, in the order of `baton keys --json`.
fields='function value(line) { sub(/^[^:]*: "/, "", line); sub(/",?$/, "", line); gsub(/\\"/, "\"", line); gsub(/\\\\/, "\\", line); return line }'
bindings() {
  ask keys --keymap "$1" --json | awk "$fields"'
    /^  "bindings"/ { on = 1 } /^  "modes"/ { on = 0 }
    on && /"mode":/ { mode = value($0) } on && /"key":/ { key = value($0) } on && /"action":/ { action = value($0) }
    on && /"group":/ { group = value($0) } on && /"help":/ { print key "\t" mode "\t" action "\t" group "\t" value($0) }'
}
for name in default vim emacs; do bindings "$name" >"keys.$name"; done
ask keys --json >keys.json
actions() { # name <tab> group <tab> help <tab> modes
  awk "$fields"'
    /^  "actions"/ { on = 1 } /^  "key_names"/ { on = 0 }
    on && /"name":/ { name = value($0); modes = "" } on && /"group":/ { group = value($0) } on && /"help":/ { help = value($0) }
    on && /^        "[a-z]*",?$/ { gsub(/[ ",]/, ""); modes = modes (modes == "" ? "" : " ") $0 }
    on && /^    }/ { print name "\t" group "\t" help "\t" modes }' keys.json
}
actions >actions
modes() { awk "$fields"'/^  "modes"/ { on = 1 } /^  "actions"/ { on = 0 } on && /"name":/ { name = value($0) } on && /"help":/ { help = value($0) } on && /"typing":/ { print name "\t" help (/true/ ? " (typing)" : "") }' keys.json; }

# ---- manual pages ----

roff() { sed 's/\\/\\e/g; s/-/\\-/g; s/^\([.'"'"']\)/\\\&\1/'; }
man_of() { # TEXT: usage, then prose, flags as tagged paragraphs
  roff <"$1" | awk '
    /^Usage: / { sub(/^Usage: /, ""); print ".nf\n\\fB" $0 "\\fR"; usage = 1; next }
    usage && /^ +baton/ { sub(/^ +/, ""); print "\\fB" $0 "\\fR"; next }
    usage { print ".fi"; usage = 0 }
    /^  \\-\\-/ { line = $0; sub(/^  /, "", line); split_at = match(line, /  +/); if (split_at) { print ".TP\n\\fB" substr(line, 1, split_at - 1) "\\fR"; sub(/^ +/, "", line); print substr(line, split_at + RLENGTH) } else print ".TP\n\\fB" line "\\fR"; next }
    /^  [a-z]/ { line = $0; sub(/^  /, "", line); split_at = match(line, /  +/); if (split_at) { print ".TP\n\\fB" substr(line, 1, split_at - 1) "\\fR\n" substr(line, split_at + RLENGTH) } else print line; next }
    /^$/ { print ".PP"; next }
    { print }
    END { if (usage) print ".fi" }'
}
{
  while IFS=$'\t' read -r word text; do
    printf '.SS %s\n' "$word"
    man_of "texts/$word"
    [ -f "texts/$word.parts" ] || continue
    while IFS=$'\t' read -r part _; do
      printf '.PP\n'
      man_of "texts/$word $part"
    done <"texts/$word.parts"
  done <commands
} >COMMANDS
keys_of() { # KEYMAP ACTION: its keys in the first mode that has it
  awk -F'\t' -v action="$2" '$3 == action { if (mode == "") mode = $2; if ($2 == mode) printf "%s%s", n++ ? " " : "", $1 }' "keys.$1"
}
while IFS=$'\t' read -r name group help modes; do
  printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$group" "$(keys_of default "$name")" "$(keys_of vim "$name")" "$(keys_of emacs "$name")" "$name" "$help" "$modes"
done <actions >table
roff <table | awk -F'\t' '$1 != group { group = $1; print ".SS " group } { print ".TP\n\\fB" $2 "\\fR\n" $6 }' >KEYS
modes | roff | awk -F'\t' '{ print ".TP\n\\fB" $1 "\\fR\n" $2 }' >MODES
roff <actions | awk -F'\t' '$2 != group { group = $2; print ".SS " group } { print ".TP\n\\fB" $1 "\\fR\n" $3 "\n.br\nin: " $4 }' >ACTIONS
awk '/^  "key_names"/ { on = 1; next } /^  \]/ { on = 0 } on { gsub(/[ ",]/, ""); printf "%s%s", n++ ? ", " : "", $0 }' keys.json | roff >KEYNAMES
ask info --json | awk "$fields"'
  /^  "settings"/ { on = 1; next } /^  "problems"/ { on = 0 }
  on && /^    "[a-z_]*": \{/ { name = $1; gsub(/[":]/, "", name) } on && /"value":/ { was = value($0) }
  on && /"words":/ { words = /null/ ? "" : value($0) }
  on && /"help":/ { gsub(/ /, ", ", words); print name "\t" value($0) (words == "" ? "" : " (" words ")") (was == "" ? "" : "; default " was) }' |
  roff | awk -F'\t' '{ print ".TP\n\\fB" $1 "\\fR\n" $2 }' >SETTINGS
fill() { # TEMPLATE: each @NAME@ alone on its line is a file, @VERSION@ and @KEYNAMES@ are words
  awk -v version="$version" '
    /^@[A-Z]+@$/ { gsub(/@/, ""); while ((getline line < $0) > 0) print line; close($0); next }
    /@KEYNAMES@/ { getline names < "KEYNAMES"; at = index($0, "@KEYNAMES@"); print substr($0, 1, at - 1) names substr($0, at + 10); next }
    { gsub(/@VERSION@/, version); print }' "$1"
}
fill "$top/docs/baton.1.in" >"$out/man/baton.1"
fill "$top/docs/baton-keymap.5.in" >"$out/man/baton-keymap.5"

# ---- completions ----

flags_of() { # TEXT: "--flag<tab>VALUE<tab>help"
  awk '/^  --/ { flag = $1; rest = $0; sub(/^  --[a-z-]*/, "", rest); value = ""; if (match(rest, /^ [A-Z][^ ]*/)) { value = substr(rest, 2, RLENGTH - 1); rest = substr(rest, RLENGTH + 1) } sub(/^ +/, "", rest); print flag "\t" value "\t" rest }' "$1"
}
words() { cut -f1 "$1" | tr '\n' ' ' | sed 's/ $//'; }
choices() { # FLAG: what may follow it
  case "$1" in
    --color) echo 'auto always never' ;;
    --theme) echo 'dark light cb mono' ;;
    --keymap | --print) echo 'default vim emacs' ;;
    --harness) echo 'claude-code codex' ;;
    --location) echo 'global local project' ;;
  esac
}
listed() { [ ! -f "texts/$1.verbs" ] || tr '\n' ' ' <"texts/$1.verbs" | sed 's/ $//'; } # the verbs of a command that follows another program
shared=$(sed -n '/handoff COMMAND/,/^$/s/^  \([a-z][a-z-]*\)  *.*$/\1/p' help | tr '\n' ' ' | sed 's/ $//')
valued() { # EXPRESSION: the flags that take such a value wherever they are, `--a | --b`
  for text in texts/*; do case "$text" in *.parts | *.verbs) ;; *) flags_of "$text" ;; esac; done | awk -F'\t' -v kind="$1" '
    { value[$1] = $2; if ($2 == "") plain[$1] = 1; else if ($2 ~ kind) of_kind[$1] = 1 }
    END { for (flag in of_kind) if (!(flag in plain)) print flag }' | grep -vxE -- '--(color|theme|print|keymap|harness|session|deny-session)' | sort |
    awk '{ printf "%s%s", (NR > 1 ? " | " : ""), $0 }'
}
{
  printf '# bash completion for baton. Made by tools/docs.sh.\n_baton() {\n  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command= part= i\n'
  printf '  COMPREPLY=()\n  for ((i = 1; i < COMP_CWORD; i++)); do\n    case ${COMP_WORDS[i]} in\n      handoff | -*) ;;\n      *) if [ -z "$command" ]; then command=${COMP_WORDS[i]}; elif [ -z "$part" ]; then part=${COMP_WORDS[i]}; fi ;;\n    esac\n  done\n'
  printf '  case $before in\n'
  for flag in --color --theme --print --harness; do printf '    %s) COMPREPLY=($(compgen -W "%s" -- "$word")); return ;;\n' "$flag" "$(choices $flag)"; done
  printf '    --keymap) COMPREPLY=($(compgen -W "%s" -- "$word") $(compgen -f -- "$word")); return ;;\n' "$(choices --keymap)"
  printf '    --session | --deny-session) COMPREPLY=($(compgen -W "$(baton list --jsonl 2>/dev/null | grep -o '"'"'{"id":"[A-Za-z0-9._-]*"'"'"' | cut -d\\" -f4)" -- "$word")); return ;;\n'
  printf '    %s) COMPREPLY=($(compgen -d -- "$word")); return ;;\n' "$(valued '^(DIR|FOLDER)$')" | sed 's/    /    --dir | /'
  printf '    %s) COMPREPLY=($(compgen -f -- "$word")); return ;;\n' "$(valued '^(FILE|PATH)$' | sed 's/--dir | //')"
  printf '    %s) return ;;\n  esac\n' "$(valued '^[A-Z]')"
  printf '  local words\n  case "$command $part" in\n'
  printf "    ' ') [[ \" \${COMP_WORDS[*]:1:COMP_CWORD-1} \" == *' handoff '* ]] && words='%s' && COMPREPLY=(\$(compgen -W \"\$words\" -- \"\$word\")) && return ;;&\n" "$shared"
  printf "    'help ') words='%s' ;;\n" "$(words commands)"
  for word in texts/*.verbs; do
    word=${word#texts/} word=${word%.verbs}
    if [ "${word% *}" = "$word" ]; then printf "    '%s ') words='%s' ;;\n" "$word" "$(listed "$word")"; else printf "    '%s') words='%s' ;;\n" "$word" "$(listed "$word")"; fi
  done
  while IFS=$'\t' read -r word _; do
    [ -f "texts/$word.parts" ] || continue
    while IFS=$'\t' read -r part _; do
      printf "    '%s %s') words='%s' ;;\n" "$word" "$part" "$(flags_of "texts/$word $part" >f; words f)"
    done <"texts/$word.parts"
  done <commands
  while IFS=$'\t' read -r word _; do
    flags_of "texts/$word" >f
    more=
    [ -f "texts/$word.parts" ] && more=$(words "texts/$word.parts")
    printf "    '%s '*) words='%s' ;;\n" "$word" "$(echo $more $(words f))"
  done <commands
  flags_of texts/ui >f
  printf "    *) words='%s handoff --version --readonly %s' ;;\n  esac\n" "$(words commands)" "$(words f)"
  printf '  COMPREPLY=($(compgen -W "$words" -- "$word"))\n}\ncomplete -F _baton baton\n'
} >"$out/completions/baton.bash"

quoted() { sed "s/'/'\\\\''/g; s/\[/(/g; s/\]/)/g; s/:/ -/g"; }
zsh_flags() { # TEXT INDENT
  flags_of "$1" | quoted | tr "\t" "\037" | while IFS=$'\x1f' read -r flag value help; do
    follow=
    case "$flag" in
      --dir) follow=':folder:_files -/' ;;
      --color | --theme | --print | --harness) follow=":word:($(choices "$flag"))" ;;
      --keymap) follow=':keymap:_files' ;;
      *) [ -z "$value" ] || follow=":$value: " ;;
    esac
    printf "%s'%s[%s]%s' \\\\\n" "$2" "$flag" "$help" "$follow"
  done
}
{
  printf '#compdef baton\n# zsh completion for baton. Made by tools/docs.sh.\n_baton() {\n  local -a commands parts\n  commands=(\n'
  quoted <commands | while IFS=$'\t' read -r word text; do printf "    '%s:%s'\n" "$word" "$text"; done
  printf "    'handoff:the verbs that change the ledger'\n  )\n"
  printf '  if ((CURRENT == 2)); then\n    if [[ $words[2] == -* ]]; then\n      _arguments \\\n'
  zsh_flags texts/ui '        '
  printf "        '--version[versions of baton and its libraries]'\n    else\n      _describe command commands\n    fi\n    return\n  fi\n"
  printf '  if [[ $words[2] == handoff ]]; then\n    if ((CURRENT == 3)); then compadd %s; return; fi\n    shift words; ((CURRENT--))\n  fi\n' "$shared"
  printf '  case $words[2] in\n    help) compadd ${commands%%%%:*} ;;\n'
  while IFS=$'\t' read -r word _; do
    printf '    %s)\n' "$word"
    if [ -f "texts/$word.parts" ]; then
      printf '      parts=(\n'
      quoted <"texts/$word.parts" | while IFS=$'\t' read -r part text; do printf "        '%s:%s'\n" "$part" "$text"; done
      printf '      )\n      if ((CURRENT == 3)); then _describe command parts; return; fi\n      case $words[3] in\n'
      while IFS=$'\t' read -r part _; do
        printf '        %s) _arguments \\\n' "$part"
        zsh_flags "texts/$word $part" '          '
        printf "          '*: :_files' ;;\n"
      done <"texts/$word.parts"
      printf '      esac ;;\n'
    else
      [ ! -f "texts/$word.verbs" ] || printf '      if ((CURRENT == 3)); then compadd %s; return; fi\n' "$(listed "$word")"
      printf '      _arguments \\\n'
      zsh_flags "texts/$word" '        '
      printf "        '*: :_files' ;;\n"
    fi
  done <commands
  printf '  esac\n}\n_baton "$@"\n'
} >"$out/completions/_baton"

fish_quoted() { sed "s/\\\\/\\\\\\\\/g; s/'/\\\\'/g"; }
fish_flags() { # TEXT CONDITION
  flags_of "$1" | fish_quoted | tr "\t" "\037" | while IFS=$'\x1f' read -r flag value help; do
    follow=
    case "$flag" in
      --dir) follow=" -x -a '(__fish_complete_directories)'" ;;
      --color | --theme | --print | --harness) follow=" -x -a '$(choices "$flag")'" ;;
      --keymap) follow=" -r -a '$(choices --keymap)'" ;;
      *) [ -z "$value" ] || follow=' -r' ;;
    esac
    printf "complete -c baton -n '%s' -l %s%s -d '%s'\n" "$2" "${flag#--}" "$follow" "$help"
  done
}
{
  printf '# fish completion for baton. Made by tools/docs.sh.\ncomplete -c baton -f\n'
  fish_quoted <commands | while IFS=$'\t' read -r word text; do printf "complete -c baton -n __fish_use_subcommand -a %s -d '%s'\n" "$word" "$text"; done
  fish_flags texts/ui __fish_use_subcommand
  printf "complete -c baton -n __fish_use_subcommand -a handoff -d 'the verbs that change the ledger'\n"
  printf "complete -c baton -n '__fish_seen_subcommand_from handoff; and not __fish_seen_subcommand_from %s' -a '%s'\n" "$shared" "$shared"
  while IFS=$'\t' read -r word _; do
    if [ -f "texts/$word.parts" ]; then
      parts=$(words "texts/$word.parts")
      fish_quoted <"texts/$word.parts" | while IFS=$'\t' read -r part text; do
        printf "complete -c baton -n '__fish_seen_subcommand_from %s; and not __fish_seen_subcommand_from %s' -a %s -d '%s'\n" "$word" "$parts" "$part" "$text"
      done
      while IFS=$'\t' read -r part _; do
        fish_flags "texts/$word $part" "__fish_seen_subcommand_from $word; and __fish_seen_subcommand_from $part"
      done <"texts/$word.parts"
    else
      if [ -f "texts/$word.verbs" ]; then
        printf "complete -c baton -n '__fish_seen_subcommand_from %s; and not __fish_seen_subcommand_from %s' -a '%s'\n" "$word" "$(listed "$word")" "$(listed "$word")"
      fi
      fish_flags "texts/$word" "__fish_seen_subcommand_from $word"
    fi
  done <commands
} >"$out/completions/baton.fish"

# ---- the README's table ----

{
  printf '| default | vim | emacs | what it does | where |\n|---|---|---|---|---|\n'
  sed 's/|/\\|/g' table | awk -F'\t' 'function code(keys,   list, n, i, text) { n = split(keys, list, " "); for (i = 1; i <= n; i++) text = text (i > 1 ? " " : "") "`" list[i] "`"; return text }
    $1 != "TYPING" && $1 != group { group = $1; title = tolower(group); gsub(/  +/, " ", title); print "| | | | **" title "** | |" }
    function where(modes,   n, list) { n = split(modes, list, " "); if (n > 6) return "most pages"; gsub(/ /, ", ", modes); return modes }
    $1 != "TYPING" { print "| " code($2) " | " code($3) " | " code($4) " | " $6 " | " where($7) " |" }'
} >KEYTABLE
awk '/^<!-- keys -->$/ { print; while ((getline line < "KEYTABLE") > 0) print line; skip = 1; next } /^<!-- end of keys -->$/ { skip = 0 } !skip' "$top/README.md" >readme
if [ "$out" = "$top/docs" ]; then
  cmp -s readme "$top/README.md" || cp readme "$top/README.md"
else
  cp readme "$out/README.md"
fi
