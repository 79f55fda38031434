#!/usr/bin/env bash
# tests/cli/test_records_skill.sh BATON - the installer: where, install, update, verify, remove, list, and every refusal.
set -u
baton=$1
folder=$(mktemp -d "${TMPDIR:-/tmp}/baton-skill.XXXXXX") || exit 1
trap 'chattr -R -i "$folder" 2>/dev/null; rm -rf "$folder"' EXIT
export HOME=$folder/home
unset AGENT_HANDOFF_GLOBAL_DIR USERPROFILE HANDOFFS_ROOT XDG_DATA_HOME NO_COLOR
mkdir -p "$HOME" "$folder/desk" && cd "$folder/desk" || exit 1
failures=0
fail() { printf 'FAIL %s\n' "$*"; failures=$((failures + 1)); }
status() { local words=$1 wanted=$2 got; shift 2; "$@" >"$folder/out" 2>"$folder/err" </dev/null; got=$?; [ "$got" = "$wanted" ] || fail "$words: status $got instead of $wanted: $(head -c 300 "$folder/err")"; }
says() { grep -qF -- "$2" "$folder/out" "$folder/err" || fail "$1 does not say: $2"; }
skill() { "$baton" records skill "$@"; }
target=$HOME/.agents/skills/agent-handoff
version=$("$baton" --version | head -n 1 | cut -d' ' -f2)

# where, rule by rule.
root() { skill where | sed -n 's/^Global install root: //p'; }
[ "$(root)" = "$HOME/.agents/skills" ] || fail 'rule 5'
mkdir -p "$HOME/.config/toolA/account-skills/acct/profile1" "$HOME/.local/share/toolB/account-skills/lone" "$HOME/.toolC/account-skills/a/p"
[ "$(root)" = "$HOME/.config/toolA/account-skills/acct/profile1" ] || fail "rule 4: a profile, two levels below: $(root)"
rm -r "$HOME/.config/toolA"
[ "$(root)" = "$HOME/.local/share/toolB/account-skills/lone" ] || fail 'rule 4: an account without a profile'
mkdir -p "$HOME/.agents/skills"
[ "$(root)" = "$HOME/.agents/skills" ] || fail 'rule 3'
for place in .local/share/toolB/account-skills/lone .toolC/account-skills/a/p; do
  mkdir -p "$HOME/$place/agent-handoff" && echo 'version: 9.9 x' >"$HOME/$place/agent-handoff/SKILL.md"
done
touch -d '2020-01-01' "$HOME/.local/share/toolB/account-skills/lone/agent-handoff"
skill where >"$folder/out"
[ "$(root)" = "$HOME/.toolC/account-skills/a/p" ] || fail 'rule 2: the newest'
says 'where' 'chosen because: account-skill store, existing install (newest of 2 found)'
says 'where' "also holds an install: $HOME/.local/share/toolB/account-skills/lone"
[ "$(AGENT_HANDOFF_GLOBAL_DIR=rel/../x root)" = "$folder/desk/x" ] || fail 'rule 1'
[ "$(HANDOFFS_ROOT=/nowhere root)" = "$HOME/.toolC/account-skills/a/p" ] || fail 'the store variable is another matter'
[ "$(USERPROFILE=$folder/other root)" = "$folder/other/.agents/skills" ] || fail 'USERPROFILE comes first'
status 'list' 0 skill list
[ "$(grep -c '  Path: ' "$folder/out")" = 2 ] || fail "list: $(cat "$folder/out")"
says 'list' 'Version: 9.9'
says 'list' 'Files from the manifest: 1/3'
rm -r "$HOME/.toolC" "$HOME/.local"

# Nothing there yet.
status 'list of nothing' 0 skill ls; says 'list' 'No installations found.'
status 'verify of nothing' 1 skill verify
status 'update of nothing' 1 skill u; says 'update' "Not installed at $target. Run 'install' first."
status 'remove of nothing' 0 skill rm
status 'another version' 1 skill install --version 99.0
[ -e "$target" ] && fail 'a refused version installs nothing'
for words in 'frobnicate' '--frobnicate' 'install extra' '--location moon' 'list --location moon' 'where --location moon --path x' '--path' '--version'; do
  # shellcheck disable=SC2086
  status "$words" 1 skill $words
done
status 'help' 0 skill install --help; [ -e "$target" ] && fail 'install --help installs'
status 'help' 0 skill -h

# install
status 'install without a word' 0 skill
[ "$(ls "$target" | tr '\n' ' ')" = 'SKILL.md baton handoff.config.schema.json ' ] || fail "what is installed: $(ls "$target")"
says 'install' "version $version: 3 files"
[ "$(sed -n 's/^version: *//p' "$target/SKILL.md")" = "$version" ] || fail 'SKILL.md has the version of the program'
cmp -s "$baton" "$target/baton" && [ -x "$target/baton" ] || fail 'the program is there'
status 'verify' 0 skill --verify
[ "$(grep -c '✓' "$folder/out")" = 6 ] || fail "verify: $(cat "$folder/out")"
[ "$(cd / && "$target/baton" records config | sed -n 's/^handoff: config root=//p')" = "$target" ] || fail 'an installed program keeps its records beside it'
before=$(stat -c %Y.%i "$target/baton")
status 'install again' 0 skill install; says 'install again' '--force'
status 'the exact version, forced' 0 skill install --version "$version" --force
[ "$before" = "$(stat -c %Y.%i "$target/baton")" ] || fail 'nothing was to be done'
echo '{}' >"$target/handoff.config.json"; mkdir -p "$target/projects/p" "$target/handoffs"; echo x >"$target/projects/p/x"; rm "$target/baton"
status 'verify without the program' 1 skill verify
says 'verify' '✗ File: baton'; says 'verify' '✗ Engine'
printf '#!/bin/sh\nexit 3\n' >"$target/baton"; chmod +x "$target/baton"
status 'verify runs the program' 1 skill verify; says 'verify' '✗ Engine'
status '--force --verify is verify' 1 skill --force --verify
status 'update' 0 skill --update
status 'verify after the update' 0 skill verify
[ "$(cat "$target/handoff.config.json")" = '{}' ] || fail 'what the user added is kept'
[ "$("$target/baton" records skill verify >/dev/null && echo ok)" = ok ] || fail 'the installed program is the installer too'
status 'a program that runs replaces itself' 0 "$target/baton" records skill update

# Places.
status 'local' 0 skill install --location local; [ -x local/skills/agent-handoff/baton ] || fail 'local'
status 'project' 0 skill install --location project; [ -x skills/agent-handoff/baton ] || fail 'project'
status 'a path' 0 skill install --path "$folder/any where" --location local; [ -x "$folder/any where/baton" ] || fail 'a path'
status 'list' 0 skill list; [ "$(grep -c '  Path: ' "$folder/out")" = 2 ] || fail 'list without .git'
mkdir .git; status 'list' 0 skill list; [ "$(grep -c '  Path: ' "$folder/out")" = 3 ] || fail 'list with .git'
if mkdir "$folder/ro" && chattr +i "$folder/ro" 2>/dev/null; then
  status 'a folder that cannot be written' 1 skill install --path "$folder/ro/x"; says 'install' "Cannot write to $folder/ro/x"
  chattr -i "$folder/ro"
else
  echo 'SKIPPED: no file attributes here: a folder that cannot be written is not tried'
fi
status 'an empty path' 1 skill install --path ''; [ -e SKILL.md ] && fail 'an empty path is not the working folder'
mkdir -p "$folder/taken/baton"; echo mine >"$folder/taken/baton/mine"
status 'a folder in the place of a file' 1 skill install --path "$folder/taken"; says 'a folder in the way' 'baton is a folder there'
[ "$(ls "$folder/taken")" = baton ] || fail "nothing is installed by halves: $(ls "$folder/taken")"
cp "$target/SKILL.md" "$folder/taken/SKILL.md"
status 'remove beside a folder' 0 skill remove --force --path "$folder/taken"
[ "$(cd "$folder/taken" && find . -type f)" = ./baton/mine ] || fail "remove keeps a folder of that name: $(find "$folder/taken")"
status 'a relative HOME' 0 env HOME=rel "$baton" records config; says 'a relative HOME' "config root=$folder/desk/rel/.local/share/baton/records"
rm "$target/handoff.config.schema.json"
[ "$("$target/baton" records config | sed -n 's/^handoff: config root=//p')" = "$target" ] || fail 'SKILL.md and the program make an installed skill'
status 'the schema again' 0 skill update
echo file >"$folder/file"; status 'a file in the way' 1 skill install --path "$folder/file"

# Whatever a message names, it stands in its visible form.
odd=$'od\nd\e[31m'
status 'an odd word' 1 skill where "$odd"
grep -q "$(printf '\033')" "$folder/err" && fail 'an odd word: an escape byte'
[ "$(wc -l <"$folder/err")" = 1 ] || fail 'an odd word: more than one line'

# verify runs what lies there, and that need not be ours: in its folder, without a key, for a while, and for so many words.
engine=$target/baton
mv "$engine" kept.engine
fake() { printf '#!/bin/sh\n%s\n' "$1" >"$engine"; chmod 755 "$engine"; }
fake "env >'$folder/engine.env'; pwd >'$folder/engine.dir'; echo 'handoff: config root=x'"
ADLC_MANIFEST_KEY=secret-m ADLC_ADMIN_KEY=secret-a status 'verify a strange engine' 0 skill verify
[ "$(cat "$folder/engine.dir")" = "$target" ] || fail "the engine's folder: $(cat "$folder/engine.dir")"
grep -q secret "$folder/engine.env" && fail 'the engine gets a key'
fake 'while :; do echo "handoff: config root=x"; done'
status 'verify an engine that does not stop talking' 1 timeout 60 "$baton" records skill verify
says 'an engine that talks' 'Engine: runs and tells its configuration'
fake 'sleep 600 & sleep 600'
status 'verify an engine that hangs' 1 timeout 60 "$baton" records skill verify
says 'an engine that hangs' 'Engine: runs and tells its configuration'
fake 'echo "handoff: config root=x"; exit 3'
status 'verify an engine that fails' 1 skill verify
mv kept.engine "$engine"
status 'verify, with its own engine again' 0 skill verify

# remove
status 'remove without a terminal' 0 skill remove; [ -e "$target/baton" ] || fail 'remove asks first'
says 'remove' 'handoff.config.json'
status 'remove' 0 skill remove --force
[ "$(ls "$target" | tr '\n' ' ')" = 'handoff.config.json projects ' ] || fail "what stays: $(ls "$target")"
says 'remove' 'What stays there: handoff.config.json, projects'; says 'remove' "HANDOFFS_ROOT=$target baton records list"
says 'remove' 'Removed file: SKILL.md'; says 'remove' 'Removed directory: handoffs/'
status 'remove all of it' 0 skill rm -f --path "$folder/any where"
says 'remove' "Removed empty install directory: $folder/any where"
[ -e "$folder/any where" ] && fail 'an empty installation goes'
[ "$failures" = 0 ] || { printf '%s failures\n' "$failures"; exit 1; }
