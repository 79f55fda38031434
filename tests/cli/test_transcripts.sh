#!/usr/bin/env bash
# tests/cli/test_transcripts.sh BATON - session files that are broken, hostile, closed to us or moving while they are read: nothing
# hangs, nothing is guessed, the row says what is wrong, and every other session is as it was.
set -u
baton=$1
folder=$(mktemp -d "${TMPDIR:-/tmp}/baton-transcripts.XXXXXX") || exit 1
clean_up() {
  touch "$folder/stop"
  wait
  chmod -R u+rwx "$folder" 2>/dev/null
  rm -rf "$folder"
}
trap clean_up EXIT
command -v jq >/dev/null || { echo 'SKIPPED: jq is not installed'; exit 77; }
unset CLAUDE_CONFIG_DIR CODEX_HOME GEMINI_CLI_HOME PI_CODING_AGENT_DIR XDG_DATA_HOME ADLC_MANIFEST_KEY ADLC_TICKET
export HOME=$folder/home XDG_CACHE_HOME=$folder/cache TZ=UTC
repo=$folder/repo projects=$HOME/.claude/projects
mkdir -p "$repo" "$projects/-x"
chmod 755 "$folder"
cd "$repo" || exit 1
failures=0
fail() { printf 'FAIL %s\n' "$*"; failures=$((failures + 1)); }
check() { [ "$2" = "$3" ] || fail "$1: wanted [$2], got [$3]"; }
uuid() { printf '5b1f0c3e-1111-4a2b-8c3d-%012d' "$1"; }
path() { printf '%s/%s/%s.jsonl' "$projects" "${2:--x}" "$(uuid "$1")"; }
# A reply that uses TOKENS of the window; UUID and TIME may be given.
reply() { # TOKENS [UUID] [TIME]
  printf '{"type":"assistant","cwd":"%s","uuid":"%s","timestamp":"%s","message":{"id":"m%s","model":"m","content":[{"type":"text","text":"said"}],"usage":{"input_tokens":%s,"output_tokens":0}}}\n' \
    "$repo" "${2:-u$RANDOM$RANDOM}" "${3:-2026-01-01T10:00:00Z}" "${2:-$RANDOM$RANDOM}" "$1"
}
# Everything ends by itself; a minute is far more than any of it takes.
list() { timeout 60 "$baton" list --json "$@" >"$folder/list" 2>"$folder/err"; }
of() { jq -c --arg id "$(uuid "$1")" ".sessions[] | select(.id == \$id) | $2" "$folder/list"; }
used() { of "$1" .context.used_tokens; }

# ---- odd bytes: each file holds one good reply, and something else
good=$(reply 1000 u1)
odd() { { cat; printf '%s\n' "$good"; } >"$(path "$1")"; }
printf 'not json\0\0{"type":\n' | odd 1
printf '\xef\xbb\xbf{"type":"user","message":{"content":"after a BOM"}}\n' | odd 2
printf '{"type":"user","uuid":"a","message":{"content":"bad \xff\xc3 bytes"}}\r\n' | odd 3
printf '{"type":"user","uuid":"a","type":"user","message":{"content":"first"},"message":{"content":"last wins"}}\n' | odd 4
printf '{"type":"assistant","uuid":"b","message":{"id":"z","content":[],"usage":{"input_tokens":1e400,"output_tokens":-5}}}\n' | odd 5
{ head -c 200000 /dev/zero | tr '\0' '['; echo; } | odd 6
{ printf '{"a":'; head -c 100000 /dev/zero | tr '\0' '['; head -c 100000 /dev/zero | tr '\0' ']'; printf '}\n'; } | odd 7
{ printf '{"type":"user","uuid":"d","message":{"content":"deep"},"x":'; head -c 512 /dev/zero | tr '\0' '['; head -c 512 /dev/zero | tr '\0' ']'; printf '}\n'; } | odd 8
{ printf '{"type":"user","uuid":"e","message":{"content":"'; head -c 104857600 /dev/zero | tr '\0' 'x'; printf '"}}\n'; } | odd 9
printf '%s' "$(reply 1000 u1)" | head -c 60 | { printf '%s\n' "$good"; cat; } >"$(path 10)"
reply 1000 u1 2199-01-01T00:00:00Z >"$(path 11)"
: >"$(path 12)"
list || fail "odd bytes: exit $?"
for n in 1 2 3 4 5 6 7 8 9 10 11; do check "odd bytes $n: the good reply counts" 1000 "$(used $n)"; done
check 'NUL, and a line that is none' 1 "$(of 1 .transcript.skipped_lines)"
check 'a BOM before a line' 1 "$(of 2 .transcript.skipped_lines)"
check 'bad bytes are replaced' '"bad ?? bytes"' "$(of 3 .transcript.first_prompt | sed 's/\xef\xbf\xbd/?/g')"
check 'CRLF is harmless' 0 "$(of 3 .transcript.skipped_lines)"
check 'the last of two keys' '"last wins"' "$(of 4 .transcript.first_prompt)"
check 'numbers out of range are none' 0 "$(of 5 .transcript.skipped_lines)"
check 'an open nesting bomb' 1 "$(of 6 .transcript.skipped_lines)"
check 'a closed nesting bomb' 1 "$(of 7 .transcript.skipped_lines)"
check 'what is nested 512 deep is read' '"deep"' "$(of 8 .transcript.first_prompt)"
check 'a line of 100 MB is passed over' 1 "$(of 9 .transcript.skipped_lines)"
check 'behind a line of 100 MB the depth is a lower bound' true "$(of 9 '.context.truncated')"
check 'a half-written line is no error' '[0,true]' "$(of 10 '[.transcript.skipped_lines, .transcript.partial_tail]')"
check 'a half-written line is flagged' '["partial_tail"]' "$(of 10 .flags)"
check 'a time to come is kept' '"2199-01-01T00:00:00.000Z"' "$(of 11 .transcript.last_activity)"
"$baton" list | tr -s ' ' | grep "$(uuid 11)" | grep -q ' none 0s ' || fail 'a time to come reads as now'
list --all
check 'an empty file is a session of which nothing is known' '[null,null,"empty"]' "$(of 12 '[.context.used_tokens, .context.used_pct, .agent_state]')"
rm "$(path 9)"

# ---- things that are no files
mkfifo "$(path 21)"
mkdir "$(path 22)"
ln -s "$(path 23)" "$(path 23)"
ln -s . "$projects/-loop"
ln -s "$projects" "$projects/-x/loop"
ln -s "$(path 1)" "$(path 24)"
ln -s nowhere "$(path 25)"
mknod "$(path 26)" c 1 5 2>/dev/null || mkfifo "$(path 26)" # would never end
list --all || fail "things that are no files: exit $?"
for n in 21 22 26; do check "no file $n" '["not a regular file",["unreadable"],"?"]' "$(of $n '[.transcript.problem, .flags, .band]')"; done
of 23 .transcript.problem | grep -q ELOOP || fail "a link to itself: $(of 23 .transcript.problem)"
of 25 .transcript.problem | grep -q 'gone' || fail "a link to nothing: $(of 25 .transcript.problem)"
check 'each file is listed once' 1 "$(jq "[.sessions[] | select(.id == \"$(uuid 1)\" or .id == \"$(uuid 24)\")] | length" "$folder/list")"
"$baton" list --all | grep -q "$(uuid 21)" || fail 'the table names what cannot be read'
"$baton" show --all "$(uuid 21)" | grep -q 'not a regular file' || fail 'show says what is wrong'
"$baton" show --all "$(uuid 21)" | grep -Eq '^(AGENT|MESSAGES) +[^? ]' && fail 'show: nothing was read of it'
check 'nothing is guessed of what was not read' '[null,null,null,null,null]' \
  "$(of 21 '[.agent_state, .compactions, .transcript.tools, .transcript.user_messages, .transcript.skipped_lines]')"
check 'the reason begins with what is wrong' true "$(of 21 '.reasons[0].text | startswith("not a regular file")')"
check 'what is not there has no time and no size' '[null,null,null]' "$(of 25 '[.since, .last_seen, .transcript.size_bytes]')"
"$baton" show --all "$(uuid 25)" | grep -q 1970 && fail 'show: what is not there has no time'
check 'the reason counts the lines that are no records' true "$(of 1 '.reasons | any(.text | startswith("1 line "))')"
"$baton" show --all "$(uuid 1)" | grep -q '^SKIPPED  *1 line$' || fail 'show counts the lines that are no records'
"$baton" show --all "$(uuid 10)" | grep -q '^SKIPPED .*not whole' || fail 'show tells of a half-written line'
rm -r "$(path 21)" "$(path 22)" "$(path 23)" "$(path 24)" "$(path 25)" "$(path 26)" "$projects/-loop" "$projects/-x/loop"

# ---- closed to us
own=$(printf '%s' "$repo" | sed 's/[^A-Za-z0-9]/-/g')
mkdir -p "$projects/$own" "$projects/$own-below" "$projects/-elsewhere" "$projects/-closed"
for place in "$own" "$own-below" -elsewhere; do reply 5 >"$(path 31 "$place")"; done
mv "$(path 31 "$own-below")" "$(path 32 "$own-below")"
mv "$(path 31 -elsewhere)" "$(path 33 -elsewhere)"
reply 5 >"$(path 34 -closed)"
if [ "$(id -u)" != 0 ]; then
  as_somebody() { "$@"; }
elif setpriv --reuid 65534 --regid 65534 --clear-groups test -r "$(path 1)" 2>/dev/null; then
  as_somebody() { setpriv --reuid 65534 --regid 65534 --clear-groups "$@"; }
else
  as_somebody() { return 99; }
fi
printf 'nothing\nof this is a record\n' >"$(path 35 "$own")"
list || fail "what holds no record: exit $?"
check 'what holds no record is in the list of its folder' '["?",2]' "$(of 35 '[(.cwd // "?"), .transcript.skipped_lines]')"
chmod 000 "$(path 31 "$own")" "$(path 32 "$own-below")" "$(path 33 -elsewhere)" "$projects/-closed"
as_somebody true
if [ $? = 99 ]; then
  echo 'skipped: what is closed to another user, setpriv is not allowed'
else
  closed() { as_somebody env XDG_CACHE_HOME=/nonexistent timeout 60 "$baton" list --json "$@" >"$folder/list" 2>"$folder/err"; }
  closed || fail "what is closed: exit $?: $(cat "$folder/err")"
  check 'the folder of this repository tells where its file belongs' '["the file cannot be opened (EACCES)",["unreadable"],"?",null]' \
    "$(of 31 '[.transcript.problem, .flags, .band, .context.used_tokens]')"
  check 'what may lie below it is no row' '' "$(of 32 .id)"
  check 'but is said' 1 "$(jq '[.problems[] | select(.text | test("cannot be opened"))] | length' "$folder/list")"
  jq -r '.problems[].subject' "$folder/list" | grep -q "$(uuid 32)" || fail 'which file it is'
  jq -r '.problems[] | .subject + .text' "$folder/list" | grep -q "$(uuid 33)" && fail 'a file of another repository is not this one'"'"'s'
  check 'a closed folder is said once' 1 "$(jq '[.problems[] | select(.subject | endswith("/-closed")) | select(.text | test("EACCES"))] | length' "$folder/list")"
  check 'the others are as they were' 1000 "$(used 1)"
  closed --all || fail "what is closed, all: exit $?"
  for n in 31 32 33; do of $n .transcript.problem | grep -q EACCES || fail "closed file $n: $(of $n .transcript.problem)"; done
fi
chmod -R u+rwx "$projects"
rm -r "$projects/$own" "$projects/$own-below" "$projects/-elsewhere" "$projects/-closed"

# ---- a disk without room for the index
if unshare -m true 2>/dev/null; then
  mkdir "$folder/full"
  unshare -m bash -s "$baton" "$folder" <<'FULL' || failures=$((failures + 1))
mount -t tmpfs -o size=64k tmpfs "$2/full" || exit 0
export XDG_CACHE_HOME=$2/full
head -c 1000000 /dev/zero >"$2/full/filler" 2>/dev/null
for again in 1 2; do
  timeout 60 "$1" list --json >"$2/list" 2>"$2/err" || { echo "FAIL a full disk: exit $?: $(cat "$2/err")"; exit 1; }
  [ -s "$2/err" ] && { echo "FAIL a full disk is not worth a word: $(cat "$2/err")"; exit 1; }
  [ "$(jq '.sessions | length' "$2/list")" -ge 10 ] || { echo 'FAIL a full disk: sessions are missing'; exit 1; }
done
[ "$(find "$2/full/baton" -type f -size +0 2>/dev/null | wc -l)" = 0 ] || { echo "FAIL a full disk: $(ls -la "$2/full/baton")"; exit 1; }
FULL
else
  echo 'skipped: a full disk, unshare -m is not allowed'
fi

# ---- files that move while they are read
# Every reply of this session uses 7,000 tokens or, after it was replaced, 9,000: nothing else may ever be shown.
moving=$(path 41)
{ for n in 1 2 3 4 5 6 7 8; do reply 7000 "a$n"; done; } >"$folder/seven"
{ for n in 1 2 3; do reply 9000 "b$n"; done; } >"$folder/nine"
for n in 1 2 3 4 5 6 7 8; do cat "$folder/seven" "$folder/seven"; done >"$folder/more" && cat "$folder/more" >>"$folder/seven"
(
  while [ ! -e "$folder/stop" ]; do
    cp "$folder/seven" "$moving"                # in place
    head -c 700 "$folder/nine" >>"$moving"      # a line under way
    : >"$moving"                                # cut to nothing
    cat "$folder/nine" >>"$moving"              # from another beginning
    cp "$folder/seven" "$folder/next"
    mv "$folder/next" "$moving"                 # another file by this name
    mv "$moving" "$moving.1"                    # rotated away
    cat "$folder/nine" >"$moving"
  done
) &
rounds=0
until_ms=$(($(date +%s%N) / 1000000 + 4000))
while [ "$(($(date +%s%N) / 1000000))" -lt "$until_ms" ] || [ "$rounds" -lt 10 ]; do
  list --all || { fail "while it moves: exit $?: $(cat "$folder/err")"; break; }
  jq -e . "$folder/list" >/dev/null || { fail 'while it moves: no JSON'; break; }
  case $(used 41) in
  '' | null | 7000 | 9000) ;;
  *) fail "while it moves: $(used 41) tokens"; break ;;
  esac
  check 'while it moves, the others stand still' 1000 "$(used 1)"
  rounds=$((rounds + 1))
done
touch "$folder/stop"
wait
cp "$folder/nine" "$moving"
list --all
check 'when it has come to rest' '[9000,0]' "$(of 41 '[.context.used_tokens, .transcript.skipped_lines]')"
jq 'del(.taken_at)' "$folder/list" >"$folder/indexed"
rm -r "$XDG_CACHE_HOME"
list --all
check 'the index and the files say the same' "$(cat "$folder/indexed")" "$(jq 'del(.taken_at)' "$folder/list")"

# ---- where each store is, as `info` tells: what was listed, and which variable moved it
mkdir -p "$folder/moved/sessions/2026/01/02"
printf '{"type":"session_meta","payload":{"id":"%s"}}\n' "$(uuid 90)" >"$folder/moved/sessions/2026/01/02/rollout-2026-01-02T10-00-00-$(uuid 90).jsonl"
stores() { CODEX_HOME=$folder/moved PI_CODING_AGENT_DIR='' "$baton" info --json | jq -c ".stores[] | select(.harness == \"$1\") | $2"; }
check 'the moved store' "[\"$folder/moved\",\"CODEX_HOME\",1]" "$(stores codex '[.root, .moved_by, .files]')"
check 'an empty variable moves nothing' "[\"$HOME/.pi/agent\",null,0]" "$(stores pi '[.root, .moved_by, .files]')"
mkdir -p "$folder/fresh/.claude/projects/-y"
reply 1 u91 | tee "$folder/fresh/.claude/projects/-y/$(uuid 91).jsonl" >"$folder/fresh/.claude/projects/-y/$(uuid 92).jsonl"
check 'its count is that of the files' 2 "$(HOME=$folder/fresh stores claude .files | head -n 1)"
"$baton" info | grep -q 'pi  *.*/.pi/agent  *absent' || fail 'an absent store is not told'

[ "$failures" = 0 ] && echo "all of it, $rounds rounds beside a writer"
exit $((failures > 0))
