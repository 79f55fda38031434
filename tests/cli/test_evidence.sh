#!/usr/bin/env bash
# tests/cli/test_evidence.sh BATON - log and verify: what they say of sound, edited and foreign evidence; log --follow.
set -u
baton=$1
folder=$(mktemp -d "${TMPDIR:-/tmp}/baton-evidence.XXXXXX") || exit 1
follower=
trap '[ -z "$follower" ] || kill "$follower" 2>/dev/null; rm -rf "$folder"' EXIT
unset ADLC_MANIFEST_KEY ADLC_TICKET NO_COLOR
export HOME=$folder TERM=xterm-256color
failures=0
fail() { printf 'FAIL %s\n' "$*"; failures=$((failures + 1)); }
# check WORDS WANTED GOT
check() { [ "$2" = "$3" ] || fail "$1: wanted [$2], got [$3]"; }
# appears FILE PATTERN COUNT: waits, at most ten seconds, until so many lines of the file match
appears() {
  local i
  for i in $(seq 200); do
    [ "$(grep -c "$2" "$1")" -ge "$3" ] && return 0
    sleep 0.05
  done
  return 1
}
status() { "$@" >"$folder/out" 2>"$folder/err"; echo $?; }

# The sample: three chains, one authorisation that was broken off.
"$baton" sample "$folder/s" >/dev/null || fail 'sample cannot be written'
cd "$folder/s" || exit 1
check 'verify the sample' 0 "$(status "$baton" verify)"
grep -q '^chain ok: .* root chain and 2 segments$' "$folder/out" || fail 'verify does not count the chains'
check 'verify says nothing on stderr' '' "$(cat "$folder/err")"
check 'log the sample' 0 "$(status "$baton" log)"
grep -q '^TIME .* SEQ .* GATE .* OUTCOME .* SIGNATURE' "$folder/out" || fail 'log has no header line'
grep -q "$(printf '\033')" "$folder/out" && fail 'log writes escapes into a pipe'
check 'ABORTED in the table' 1 "$(grep -c 'context-handoff-resume  *99ff88ee .* ABORTED ' "$folder/out")"
check 'ABORTED in JSON' 1 "$("$baton" log --json | grep -c '"outcome": "ABORTED"')"
"$baton" log --jsonl | head -n 1 | grep -q '^{"seq":12,.*"chain_ok":true,' || fail 'jsonl does not begin with the newest entry'
check 'every line of jsonl is one entry' "$("$baton" log --json | grep -c '"seq":')" "$("$baton" log --jsonl | wc -l)"
check '--gate' 1 "$("$baton" log --jsonl --gate context-handoff-bypass | wc -l)"
check '--gate takes a part' 10 "$("$baton" log --jsonl --gate context-handoff- | wc -l)"
check '--session' 2 "$("$baton" log --jsonl --session 99ff88ee | wc -l)"
check '--session of a successor' 1 "$("$baton" log --jsonl --session e4419d02 | wc -l)"
check '--limit' 3 "$("$baton" log --jsonl --limit 3 | wc -l)"
check '--since' 0 "$("$baton" log --jsonl --since 0s | wc -l)"
check '--json and --jsonl' 1 "$(status "$baton" log --json --jsonl)"
check '--json --follow' 1 "$(status "$baton" log --json --follow)"
check '--since nonsense' 1 "$(status "$baton" log --since soon)"
check 'no ledger' 1 "$(status "$baton" log --dir "$folder/none/.adlc")"
check 'no ledger to verify' 1 "$(status "$baton" verify --dir "$folder/none/.adlc")"
grep -q "$folder/none/.adlc" "$folder/err" || fail 'the error does not name the ledger'

# Without a key: unverifiable, and links alone decide. With another one: counted, with what follows from it.
rm .adlc/baton-sample.json
check 'no key' 0 "$(status "$baton" verify)"
grep -q '^signatures unverifiable' "$folder/out" || fail 'no key: unverifiable'
"$baton" verify --json | grep -q '"verdict": "unverifiable"' || fail 'no key: unverifiable in JSON'
"$baton" log --jsonl | grep -q '"signature":"unverifiable"' || fail 'no key: unverifiable in the log'
export ADLC_MANIFEST_KEY='another key'
check 'another key' 2 "$(status "$baton" verify)"
grep -q '^17 entries do not verify with this key: writes will be refused$' "$folder/out" || fail 'another key: the consequence'
grep -q '^manifest.jsonl line 1 (seq 1): signature invalid$' "$folder/err" || fail 'another key: the first entry is named'
"$baton" verify --json 2>/dev/null | grep -q '"invalid": 17,' || fail 'another key: counted in JSON'
check 'and they are refused' 1 "$(status "$baton" write --session n1 --write)"

# A chain of our own: sound, then one byte flipped.
export ADLC_MANIFEST_KEY='evidence test key'
mkdir "$folder/own" && cd "$folder/own" || exit 1
mkdir .adlc
for id in one two three four; do "$baton" write --session "$id" --write >/dev/null || fail "write $id"; done
check 'own chain' 0 "$(status "$baton" verify)"
check 'all true' 0 "$("$baton" log --jsonl | grep -c '"chain_ok":false')"
cp .adlc/manifest.jsonl "$folder/sound"
sed -i '2s/"session_id":"two"/"session_id":"twO"/' .adlc/manifest.jsonl
check 'flipped' 2 "$(status "$baton" verify)"
grep -q '^manifest.jsonl line 2 (seq 2): signature invalid$' "$folder/err" || fail 'flipped: the entry is named'
"$baton" log --jsonl | grep -q '^{"seq":2,.*"chain_ok":false,' || fail 'flipped: chain_ok is false at that seq'
"$baton" log --jsonl | grep -q '^{"seq":4,.*"chain_ok":true,' || fail 'flipped: an entry further on holds'
check 'flipped, no key' 2 "$(ADLC_MANIFEST_KEY='' status "$baton" verify)"
grep -q '^manifest.jsonl line 3 (seq 3): prev hash mismatch$' "$folder/err" || fail 'flipped, no key: the link is named'
check 'log still reads' 0 "$(status "$baton" log)"
cp "$folder/sound" .adlc/manifest.jsonl
printf 'cut' >>.adlc/manifest.jsonl
check 'malformed' 2 "$(status "$baton" verify)"
grep -q '^manifest.jsonl line 5: malformed JSON$' "$folder/err" || fail 'malformed: the line is named'
"$baton" log | grep -q '(not an entry)' || fail 'malformed: the log shows the line'
cp "$folder/sound" .adlc/manifest.jsonl
mkdir .adlc/manifest.d && touch .adlc/manifest.d/stray
check 'a stray file' 2 "$(status "$baton" verify)"
grep -q '^manifest.d/stray: ' "$folder/err" || fail 'a stray file is named'
rm -r .adlc/manifest.d
check 'a link' 1 "$(mv .adlc/manifest.jsonl m && ln -s ../m .adlc/manifest.jsonl && status "$baton" verify)"
rm .adlc/manifest.jsonl && mv m .adlc/manifest.jsonl

# What entries say cannot draw on the terminal.
printf '{"seq":1,"gate":"g\\u001b[2J","ts":"x","data":{"session_id":"a\\nb","outcome":"\\u009b31m"},"prev":null}\n' >"$folder/hostile"
mkdir -p "$folder/h/.adlc" && cp "$folder/hostile" "$folder/h/.adlc/manifest.jsonl"
"$baton" log --dir "$folder/h/.adlc" >"$folder/out"
grep -q "$(printf '\033')" "$folder/out" && fail 'an escape of an entry reaches the terminal'
check 'one line an entry' 1 "$(grep -c 'g^\[\[2J' "$folder/out")"

# Following: the last entries, each new one, and through a rotation.
"$baton" log --follow --jsonl >"$folder/followed" &
follower=$!
appears "$folder/followed" '"session":"four"' 1 || fail 'follow: the last entries'
"$baton" write --session five --write >/dev/null
appears "$folder/followed" '"session":"five"' 1 || fail 'follow: a new entry'
cp .adlc/manifest.jsonl m && mv m .adlc/manifest.jsonl
"$baton" write --session six --write >/dev/null
appears "$folder/followed" '"session":"six"' 1 || fail 'follow: an entry behind a replaced file'
mv .adlc/manifest.jsonl "$folder/rotated"
"$baton" write --session seven --write >/dev/null
appears "$folder/followed" '"seq":1,.*"session":"seven"' 1 || fail 'follow: an entry of a new file'
check 'follow: nothing twice' "$(sort "$folder/followed" | uniq | wc -l)" "$(wc -l <"$folder/followed")"
check 'follow: all hold' 0 "$(grep -c '"chain_ok":false' "$folder/followed")"
kill "$follower" && wait "$follower" 2>/dev/null
follower=
"$baton" log --follow --gate context-handoff-write | head -n 1 | grep -q seven || fail 'follow ends when nobody reads'

# A last line without its line end: what was shown is no news, neither at once nor when the line end comes; what comes
# behind it is. And where the next entry went to the same line, that line is another one, and is told.
mkdir "$folder/open" && cd "$folder/open" || exit 1
mkdir .adlc
for id in one two three; do "$baton" write --session "$id" --write >/dev/null || fail "write $id"; done
truncate -s -1 .adlc/manifest.jsonl
for ending in '\n' '{}\n'; do
  cp .adlc/manifest.jsonl "$folder/unended"
  "$baton" log --follow --jsonl >"$folder/followed" &
  follower=$!
  appears "$folder/followed" '"session":"three"' 1 || fail 'open: the last entry'
  # shellcheck disable=SC2059 # the ending is a format
  printf "$ending" >>.adlc/manifest.jsonl
  "$baton" write --session "four" --write >/dev/null 2>&1 ||
    printf '{"seq":4,"gate":"by hand","data":{"session_id":"four"}}\n' >>.adlc/manifest.jsonl
  appears "$folder/followed" '"session":"four"' 1 || fail 'open: the entry behind it'
  [ "$ending" = '\n' ] && wanted=4 || wanted=5
  check "open, then $ending: only what is new" "$wanted" "$(wc -l <"$folder/followed")"
  check "open, then $ending: the line that grew" "$((wanted - 4))" "$(grep -c '"line":3,.*"chain_ok":false' "$folder/followed")"
  kill "$follower" && wait "$follower" 2>/dev/null
  follower=
  cp "$folder/unended" .adlc/manifest.jsonl
done

[ "$failures" = 0 ] && echo 'evidence: all good'
exit "$((failures > 0))"
