#!/usr/bin/env bash
# tests/cli/test_records.sh BATON - session records: recomputed with other tools, damaged on purpose, fed with bad input.
set -u
baton=$1
folder=$(mktemp -d "${TMPDIR:-/tmp}/baton-records.XXXXXX") || exit 1
trap 'chattr -R -i "$folder" 2>/dev/null; rm -rf "$folder"' EXIT
command -v jq >/dev/null || { echo 'SKIPPED: jq is not installed'; exit 77; }
export HOME=$folder/home HANDOFFS_ROOT=$folder/store
unset XDG_DATA_HOME NO_COLOR
mkdir -p "$HOME" && cd "$folder" || exit 1
failures=0
fail() { printf 'FAIL %s\n' "$*"; failures=$((failures + 1)); }
# status WORDS WANTED COMMAND...
status() { local words=$1 wanted=$2 got; shift 2; "$@" >"$folder/out" 2>"$folder/err"; got=$?; [ "$got" = "$wanted" ] || fail "$words: status $got instead of $wanted: $(head -c 300 "$folder/err")"; }
records() { timeout 60 "$baton" records "$@"; }
tree() { (cd "$1" && find . -not -name .lock -exec stat -c '%n %F' {} + | sort && find . -type f -not -name .lock -exec sha256sum {} + | sort) | sha256sum; }

cat >talk.jsonl <<'X'
{"seq":0,"ts":"2025-03-04T08:10:00Z","role":"user","text":"Please chart the spring tides | for April é😀"}
{"seq":1,"role":"assistant","kind":"thinking","text":"hm \u0007\u000b \\n ` $& "}
{"seq":2.5,"role":"assistant","text":"TODO: blocked by\nthe harbour master"}
{"seq":3,"role":"tool","text":"ls -l\r\nall"}
X
status 'build' 0 records build --source talk.jsonl --project harbour --model m-1
session=$folder/store/projects/harbour/talk

# The definition of 8.1 and 9.5 with sha256sum and jq alone.
said=$(jq -r .manifest_sha256 "$session/manifest.json")
[ "$said" = "$(jq -cj 'del(.manifest_sha256)' "$session/manifest.json" | sha256sum | cut -d' ' -f1)" ] || fail 'the self-hash, recomputed'
[ "$(jq -r .raw_sha256 "$session/manifest.json")" = "$(sha256sum <talk.jsonl | cut -d' ' -f1)" ] || fail 'the hash of the source, recomputed'
[ "$(jq .turn_count "$session/manifest.json")" = "$(grep -c . "$session/timeline.jsonl")" ] || fail 'turn_count, recounted'
[ "$(jq -c .counts "$session/manifest.json")" = "$(jq -sc '{USER: map(select(.class == "USER")) | length, AGENT: map(select(.class == "AGENT")) | length, THOUGHT: map(select(.class == "THOUGHT")) | length, TOOL: map(select(.class == "TOOL")) | length}' "$session/timeline.jsonl")" ] || fail 'counts, recounted'
[ "$(jq -c '.timeline[] | [.seq, .ts, .class, .text]' "$session/HANDOFF.llm.json")" = "$(jq -c '[.seq, .ts, .class, .text]' "$session/timeline.jsonl")" ] || fail 'the payload holds the timeline'
[ "$(jq -c 'del(.timeline, .tool_calls, .schema_version)' "$session/HANDOFF.llm.json")" = "$(jq -c 'del(.schema_version)' "$session/HANDOFF.summary.json")" ] || fail 'the two payloads agree'
jq -e . "$folder/store/INDEX.json" >/dev/null || fail 'the index is JSON'
status 'verify' 0 records verify talk
status 'verify --deep' 0 records verify talk --deep
[ "$(grep -c '^proved' "$folder/out")" = 7 ] || fail "verify --deep: $(cat "$folder/out")"

# A byte flipped anywhere is found by verify --deep, or named there as not covered.
for file in manifest.json timeline.jsonl HANDOFF.llm.json HANDOFF.summary.json HANDOFF.md TOOLS.md; do
  cp "$session/$file" kept
  size=$(stat -c %s kept)
  for at in $(seq 0 $((size / 24 + 1)) $((size - 1))) $((size - 1)); do
    byte=$(od -An -tu1 -j "$at" -N 1 kept | tr -d ' ')
    printf "\\x$(printf %x $((byte ^ 1)))" | dd of="$session/$file" bs=1 seek="$at" conv=notrunc status=none
    if records verify talk --deep >"$folder/out" 2>"$folder/err"; then
      grep -q "^not covered *$file\|$file:.*not covered" "$folder/out" || fail "byte $at of $file flipped, and nobody said so"
    fi
    cp kept "$session/$file"
  done
done
status 'verify --deep, restored' 0 records verify talk --deep
for file in HANDOFF.summary.json HANDOFF.md TOOLS.md; do
  mv "$session/$file" kept; status "verify --deep without $file" 1 records verify talk --deep; mv kept "$session/$file"
done

# What became of the source.
echo '{"seq":9,"role":"user","text":"more"}' >>talk.jsonl
records verify talk --deep | grep -q 'source talk.jsonl: grown' || fail 'a grown source'
sed -i '1s/chart/draw/' talk.jsonl
records verify talk --deep | grep -q 'source talk.jsonl: not the bytes' || fail 'another source'
mv talk.jsonl elsewhere.jsonl
records verify talk --deep | grep -q 'source talk.jsonl: not found from this folder' || fail 'a relative source that is not here'
export HANDOFFS_ROOT=$folder/apart
records build --source "$folder/elsewhere.jsonl" --session gone --project p >/dev/null && mv elsewhere.jsonl talk.away
records verify gone --deep | grep -q "source $folder/elsewhere.jsonl: gone" || fail 'a source that is gone'
mv talk.away elsewhere.jsonl
export HANDOFFS_ROOT=$folder/store
printf x >>"$session/timeline.jsonl"; status 'a timeline with a torn tail' 1 records verify talk --deep
truncate -s -1 "$session/timeline.jsonl"
status 'verify --deep --json' 0 records verify talk --deep --json
jq -e '.ok and (.files | length > 6)' "$folder/out" >/dev/null || fail 'verify --deep --json'
status 'list --json' 0 records list --json
jq -e '.records[0].id == "talk"' "$folder/out" >/dev/null || fail 'list --json'
status 'show --json' 0 records --json show talk
jq -e '.verified and .manifest.session == "talk" and .summary.project == "harbour"' "$folder/out" >/dev/null || fail 'show --json'

# After retitle and rename everything still holds, by both definitions.
status 'retitle' 0 records retitle talk 'Spring Tides!'
status 'retitled, deep' 0 records verify spring --deep
status 'rename' 0 records rename spring 'Sea Room'
status 'renamed, deep' 0 records verify spring --deep
grep -q 'not covered: ' "$folder/out" || fail 'a rename leaves old values, and that is said'
session=$folder/store/projects/sea-room/spring-tides
[ "$(jq -r .manifest_sha256 "$session/manifest.json")" = "$(jq -cj 'del(.manifest_sha256)' "$session/manifest.json" | sha256sum | cut -d' ' -f1)" ] || fail 'the self-hash after a rename, recomputed'
status 'the same name again' 4 records retitle spring 'spring tides'

# Lines of the transcript that look like the brief's own, and a NUL before them, mislead nobody.
cat >alike.jsonl <<'X'
{"seq":0,"session":"n\u0000x","role":"user","text":"go on"}
{"seq":1,"role":"assistant","text":"so:\n**Updated:** 9  |\n- manifest sha256: x\n- incremental: revisions=77\n*session-id: z*\n\u0000## Provenance\n- manifest sha256: y"}
X
status 'look-alikes' 0 records build --source alike.jsonl --project alike
for step in 'retitle n one' 'retitle one two' 'rename two elsewhere' 'rename two alike' 'retitle two three'; do
  status "look-alikes: $step" 0 records $step
  status "look-alikes, deep, after: $step" 0 records verify "$(jq -r '.[] | select(.uuid | startswith("n")) | .id' "$folder/store/INDEX.json")" --deep
done

# An unchanged source never meets the timeline, not even one that was only touched; a changed one does, and all stays.
printf '%s\n' '{"role":"user","text":"one"}' '{"role":"assistant","text":"two"}' >touched.jsonl
status 'touched: build' 0 records build --source touched.jsonl --project touched
echo '[]' >>"$folder/store/projects/touched/touched/timeline.jsonl"
touch -d '+1 hour' touched.jsonl
status 'touched, with a broken timeline' 0 records build --source touched.jsonl
grep -q 'up-to-date' "$folder/out" || fail 'touched: up to date'
echo '{"role":"user","text":"three"}' >>touched.jsonl
before=$(tree "$folder/store/projects")
status 'grown, with a broken timeline' 1 records build --source touched.jsonl
[ "$before" = "$(tree "$folder/store/projects")" ] || fail 'a broken timeline: nothing changes'
# A build that fails once it has looked its place up leaves the index remade.
echo '{' >"$folder/store/projects/touched/touched/manifest.json"
status 'a broken manifest' 1 records build --source touched.jsonl --session touched --project touched
status 'a broken manifest, of the project that is looked at' 1 records build --source touched.jsonl --session touched --harness touched
jq -e 'all(.[]; .id != "touched")' "$folder/store/INDEX.json" >/dev/null || fail 'the index after a failed build'

# What fails beside the record (here PROJECT.md) fails before the record is touched.
printf '%s\n' '{"role":"user","text":"one"}' >beside.jsonl
status 'beside: build' 0 records build --source beside.jsonl --project beside
rm "$folder/store/projects/beside/PROJECT.md"; mkdir "$folder/store/projects/beside/PROJECT.md"
echo '{"role":"assistant","text":"two"}' >>beside.jsonl
before=$(tree "$folder/store/projects/beside")
status 'beside: a folder in the way' 1 records build --source beside.jsonl
[ "$before" = "$(tree "$folder/store/projects/beside")" ] || fail 'beside: the old revision stays whole'
grep -q 'PROJECT.md' "$folder/err" || fail "beside: the file in the way is named: $(cat "$folder/err")"
status 'another project is none the worse' 0 records build --source beside.jsonl --session other --project besides --objective 'lanterns harbour compass'

# A build in progress is no damage: verify waits for it. The build is stopped once the timeline has begun to grow.
echo '{"role":"user","text":"first"}' >slow.jsonl
status 'slow: build' 0 records build --source slow.jsonl --project slow
seq 1 150000 | jq -c '{seq: ., role: "assistant", text: "a line of the growing session, number \(.)"}' >>slow.jsonl
timeline=$folder/store/projects/slow/slow/timeline.jsonl
size=$(stat -c %s "$timeline")
"$baton" records build --source slow.jsonl >/dev/null & builder=$!
until [ "$(stat -c %s "$timeline")" -gt "$size" ] || ! kill -0 "$builder" 2>/dev/null; do :; done
kill -STOP "$builder" 2>/dev/null
for how in '' --deep; do
  "$baton" records verify slow $how >"$folder/verified$how" 2>&1 & eval "verifier${#how}=$!"
done
sleep 0.3 # long enough to fail the first look; less would only make the test weaker
kill -CONT "$builder" 2>/dev/null
wait "$builder" || fail 'slow: the build'
wait "$verifier0" || fail "verify while a build runs: $(cat "$folder/verified")"
wait "$verifier6" || fail "verify --deep while a build runs: $(cat "$folder/verified--deep")"

# An id with a line end, retitled more than once; the lines that leaves are told as not covered.
printf '%s\n' '{"session":"ev\nil\nb","role":"user","text":"chart the sound"}' '{"role":"tool","text":"ls"}' >evil.jsonl
status 'an id with line ends' 0 records build --source evil.jsonl --project harbour
for name in 'ev first-name' 'ev second-name' 'ev third-name'; do
  status "retitle $name" 0 records retitle $name
  status "deep, after retitle $name" 0 records verify --deep ev
done
grep -q '^proved  *HANDOFF.md.*not covered: how many empty lines' "$folder/out" || fail "lines that retitles left: $(cat "$folder/out")"
sed -i 's/^il$/li/' store/projects/harbour/third-name/HANDOFF.md
status 'one of those lines changed' 1 records verify --deep ev

# A number that no double holds, put there by hand: null where it is JSON, Infinity where it is text.
sed -i 's/"seq":1,/"seq":-1e400,/' store/projects/harbour/third-name/timeline.jsonl
echo '{"role":"user","text":"and more"}' >>evil.jsonl
status 'an infinite number' 0 records build --source evil.jsonl
grep -q '^| -Infinity | TOOL | ls |$' store/projects/harbour/third-name/HANDOFF.md || fail 'an infinite number in the brief'
grep -q '^## \[-Infinity\] $' store/projects/harbour/third-name/TOOLS.md || fail 'an infinite number in TOOLS.md'
[ "$(jq -c '[.timeline[].seq]' store/projects/harbour/third-name/HANDOFF.llm.json)" = '[0,null,2]' ] || fail 'an infinite number in the payload'
status 'an infinite number, deep' 0 records verify --deep ev

# Half a surrogate pair in an id: some readers refuse a document that holds one, so that ours hold none.
printf '%s\n' '{"session":"half\ud83d\\ud83d","role":"user","text":"\\\ud83d"}' >half.jsonl
status 'half a pair' 0 records build --source half.jsonl --project harbour
for verb in list show verify; do
  status "half a pair: $verb --json" 0 records $verb half --json --deep
  jq -e . "$folder/out" >/dev/null 2>&1 || fail "half a pair: $verb --json is refused by jq"
done
[ "$(records show half --json | jq -r '.record.uuid, .summary.objective' | tr '\n' ' ')" = 'half�\ud83d \� ' ] || fail 'half a pair, told'

# A retitle that was killed between its renders: the next build makes them again, though the source is what it was.
echo '{"role":"user","text":"only this"}' >cut.jsonl
status 'cut short: build' 0 records build --source cut.jsonl --project cut
sed -i 's/only this/something else/' "$folder/store/projects/cut/cut/HANDOFF.summary.json"
: >"$folder/store/projects/cut/cut/.manifest.json.1.0123456789abcdef.tmp"
: >"$folder/store/projects/cut/cut/.mine.tmp"
status 'cut short: deep' 1 records verify cut --deep
status 'cut short: the next build' 0 records build --source cut.jsonl
grep -q 'new=0 rev=2' "$folder/out" || fail "cut short: $(cat "$folder/out")"
status 'cut short: and it verifies' 0 records verify cut --deep
[ "$(find "$folder/store/projects/cut" -name '.*.tmp' -printf '%f')" = .mine.tmp ] || fail 'cut short: what was left is gone, and nothing else'
status 'cut short: and then it is done' 0 records build --source cut.jsonl
grep -q 'up-to-date' "$folder/out" || fail 'cut short: once is enough'

# A store that cannot be is a failure, not a record that is missing.
: >plain
for verb in list 'show x' 'verify x' 'retitle x y' 'rename x y' 'build --source beside.jsonl'; do
  status "a file for a store: $verb" 1 env HANDOFFS_ROOT="$folder/plain" "$baton" records $verb
  grep -q plain "$folder/err" || fail "a file for a store: it is named: $verb: $(cat "$folder/err")"
  status "no place for a store: $verb" 1 env HANDOFFS_ROOT=/proc/nowhere/store "$baton" records $verb
done

# Large payloads are renamed in the same way as small ones.
seq 1 60000 | jq -c '{seq: ., role: "assistant", text: "a line of the large session, number \(.)"}' >large.jsonl
status 'a large session' 0 records build --source large.jsonl --project large
status 'its retitle' 0 records retitle large 'big one'
status 'its rename' 0 records rename big other
jq -e '.session.title == "big-one" and .project == "other" and (.timeline | length) == 60000' "$folder/store/projects/other/big-one/HANDOFF.llm.json" >/dev/null || fail 'a large payload, edited'
status 'its deep look' 0 records verify big --deep

# Redaction: new turns only, counted on standard error.
token=ghp_$(printf 'a%.0s' $(seq 36))
echo "{\"role\":\"user\",\"text\":\"my token is $token today\"}" >secret.jsonl
status 'a plain build copies' 0 records build --source secret.jsonl --project secret
grep -q "$token" "$folder/store/projects/secret/secret/timeline.jsonl" || fail 'without --redact texts are verbatim'
status 'a redacted build of what is up to date' 0 records build --source secret.jsonl --redact
grep -q 'up-to-date' "$folder/out" && grep -q 'warning: 1 turns' "$folder/err" || fail 'the turns that keep their secrets are counted there, too'
echo "{\"role\":\"tool\",\"text\":\"again $token\"}" >>secret.jsonl
status 'a redacted build' 0 records build --source secret.jsonl --project secret --redact
grep -q 'redacted 1 x GitHub token' "$folder/err" || fail "redactions by kind: $(cat "$folder/err")"
grep -q 'warning: 1 turns' "$folder/err" || fail 'earlier turns are counted'
[ "$(grep -c "$token" "$folder/store/projects/secret/secret/timeline.jsonl")" = 1 ] || fail 'only the earlier line has the token'

# Names.
echo '{"role":"user","text":"Which name is this?"}' >n.jsonl
for name in . .. ''; do
  before=$(tree store)
  status "session $name" "$([ -n "$name" ] && echo 2 || echo 0)" records build --source n.jsonl --project names --session "$name"
  [ -z "$name" ] || [ "$before" = "$(tree store)" ] || fail "session $name changed the store"
  [ -z "$name" ] || status "project $name" 2 records build --source n.jsonl --project "$name"
  status "rename to $name" 2 records rename n "$name"
done
status 'a session that climbs' 0 records build --source n.jsonl --project '../../x' --session '../../etc/passwd'
[ -d "$folder/store/projects/..-..-x/.._.._etc_passwd" ] || fail "a session that climbs stays inside: $(find store/projects -maxdepth 2)"
status 'names that collide' 0 records build --source n.jsonl --project names --session 'a b'
status 'names that collide' 0 records build --source n.jsonl --project names --session 'a/b'
grep -q 'new=0\|up-to-date' "$folder/out" || fail "two ids of one folder name share it: $(cat "$folder/out")"
grep -q 'warning: this is the record of session "a b"' "$folder/err" || fail "and that is said: $(cat "$folder/err")"
status 'and what is there still verifies' 0 records verify a_b

# Files that are none.
mkdir dir.jsonl && mkfifo fifo.jsonl && ln -s nowhere dangling.jsonl && ln -s loop.jsonl loop.jsonl && ln -s n.jsonl link.jsonl
status 'a folder' 1 records build --source dir.jsonl
status 'a FIFO' 1 records build --source fifo.jsonl
status 'a dangling link' 2 records build --source dangling.jsonl
status 'a name that no file can have' 2 records build --source "$(printf 'x%.0s' $(seq 300)).jsonl"
status 'a session name that no folder can have' 1 records build --source n.jsonl --project names --session "$(printf 'x%.0s' $(seq 300))"
status 'a loop of links' 1 records build --source loop.jsonl
status 'a link' 0 records build --source link.jsonl --project links
odd=$(printf 'odd \xff "q"\n.jsonl')
cp n.jsonl "$odd"
status 'a path that is no UTF-8' 0 records build --source "$odd" --project odd
jq -e '.source_paths[0] | contains("�")' store/projects/odd/*/manifest.json >/dev/null || fail 'it is stored with U+FFFD'

# Bytes that are none.
{ printf '\xef\xbb\xbf{"role":"user","text":"lost"}\n{"role":"user","text":"ill \xe2\x82 formed \xed\xa0\x80"}\n{"role":"user","text":"nul \\u0000 here"}\n'; printf '{"a":\0}\n{"role":"user","text":"tail'; } >bytes.jsonl
status 'odd bytes' 0 records build --source bytes.jsonl --project bytes
[ "$(jq -s 'map(.seq)' -c store/projects/bytes/bytes/timeline.jsonl)" = '[1,2]' ] || fail 'odd bytes: the line index'
[ "$(jq -r .raw_sha256 store/projects/bytes/bytes/manifest.json)" = "$(sha256sum <bytes.jsonl | cut -d' ' -f1)" ] || fail 'odd bytes: the hash is over the bytes'
head -n 1 store/projects/bytes/bytes/timeline.jsonl | grep -q 'ill � formed ���' || fail 'odd bytes: U+FFFD'
status 'odd bytes, deep' 0 records verify bytes --deep
printf ' here"}\n' >>bytes.jsonl
status 'the tail, whole now' 0 records build --source bytes.jsonl --project bytes
[ "$(jq -s 'map(.seq)' -c store/projects/bytes/bytes/timeline.jsonl)" = '[1,2,4]' ] || fail 'a half-written last line is read whole later'
{ printf '{"role":"user","text":"fine"}\n'; head -c 200000 /dev/zero | tr '\0' '['; printf '\n{"role":"user","text":'; head -c 5000 /dev/zero | tr '\0' '['; } >deep.jsonl
status 'depth' 0 records build --source deep.jsonl --project bytes
{ printf '{"role":"user","text":"nested","kind":'; printf '[%.0s' $(seq 1000); printf ']%.0s' $(seq 1000); echo '}'; echo '{"role":"user","text":"half \ud83d"}'; } >nest.jsonl
status 'nesting that must parse' 0 records build --source nest.jsonl --project bytes
: >empty.jsonl; status 'an empty file' 4 records build --source empty.jsonl
status 'no turn is told before a name that is refused' 4 records build --source empty.jsonl --session .. --project .
printf '{"text":" "}\nnot json\n' >blank.jsonl
status 'no usable turn is told before it, too' 4 records build --source blank.jsonl --session ..

# A manifest or a timeline that is broken stops the build and changes nothing.
cp n.jsonl m.jsonl && status 'm' 0 records build --source m.jsonl --project broken
echo '{"role":"user","text":"Another one"}' >>m.jsonl
for damage in '{' '[]' 'null' '{"session":"m","source_paths":7,"watermark":0,"revisions":1}' '{"session":"m","source_paths":[],"watermark":"x","revisions":1}'; do
  cp store/projects/broken/m/manifest.json kept
  printf '%s' "$damage" >store/projects/broken/m/manifest.json
  before=$(tree store/projects/broken)
  status "manifest $damage" 1 records build --source m.jsonl --project broken
  [ "$before" = "$(tree store/projects/broken)" ] || fail "manifest $damage: something changed"
  cp kept store/projects/broken/m/manifest.json
done
printf '{' >store/projects/broken/m/manifest.json
status 'verify of a manifest that does not parse' 1 records verify m
grep -q 'FAIL m' "$folder/err" || fail 'it is a FAIL line'
status 'a source without a turn is told before it' 4 records build --source empty.jsonl --session m --project broken
status 'show of it' 4 records show m
cp kept store/projects/broken/m/manifest.json
for damage in 'not json' '[]' '{"class":"USER"}' '   '; do
  cp store/projects/broken/m/timeline.jsonl kept
  printf '%s\n' "$damage" | cat - kept >store/projects/broken/m/timeline.jsonl
  before=$(tree store/projects/broken)
  status "timeline $damage" 1 records build --source m.jsonl --project broken
  [ "$before" = "$(tree store/projects/broken)" ] || fail "timeline $damage: something changed"
  cp kept store/projects/broken/m/timeline.jsonl
done
sed 's/$/\r/' kept >store/projects/broken/m/timeline.jsonl
printf '\n\n' >>store/projects/broken/m/timeline.jsonl
status 'a timeline with CR LF and empty lines is put in order' 0 records build --source m.jsonl --project broken
[ "$(grep -c . store/projects/broken/m/timeline.jsonl)" = 2 ] && ! grep -q $'\r' store/projects/broken/m/timeline.jsonl || fail 'it is in order'
status 'and verifies' 0 records verify m --deep

# A configuration that is there and not valid, whatever the verb.
mkdir cfg && echo '{"linking":[],"nope":1}' >cfg/handoff.config.json
for verb in config list 'show x' 'verify x' 'build x' '' frobnicate; do
  # shellcheck disable=SC2086
  (cd cfg && unset HANDOFFS_ROOT && records $verb >"$folder/out" 2>"$folder/err"); [ $? = 2 ] || fail "an invalid configuration: $verb"
  grep -q 'linking: expected object, got array' "$folder/err" && grep -q 'unknown key "nope"' "$folder/err" || fail "an invalid configuration: every fault is told: $verb"
done
(cd cfg && unset HANDOFFS_ROOT && rm handoff.config.json && mkfifo handoff.config.json && records config >/dev/null 2>&1); [ $? = 2 ] || fail 'a configuration that is a FIFO'

# A store that cannot be written.
if mkdir -p ro && HANDOFFS_ROOT=$folder/ro records build --source n.jsonl --project p >/dev/null && chattr -R +i ro 2>/dev/null; then
  before=$(tree ro)
  for verb in 'list' 'show n' 'verify n --deep' 'build --source n.jsonl --project p'; do
    # shellcheck disable=SC2086
    HANDOFFS_ROOT=$folder/ro status "a read-only store: $verb" 0 records $verb
  done
  HANDOFFS_ROOT=$folder/ro status 'a read-only store: a new session' 1 records build --source m.jsonl --project p
  HANDOFFS_ROOT=$folder/ro status 'a read-only store: retitle' 1 records retitle n other
  [ "$before" = "$(tree ro)" ] || fail 'a read-only store changed'
  chattr -R -i ro
  echo '[]' >ro/INDEX.json # as after a copy of the sessions alone
  chattr -R +i ro
  before=$(tree ro)
  for verb in 'list' 'show n' 'verify n' 'verify n --deep'; do
    HANDOFFS_ROOT=$folder/ro status "a read-only store with an old index: $verb" 0 records $verb
  done
  [ "$before" = "$(tree ro)" ] || fail 'a read-only store with an old index changed'
  chattr -R -i ro
else
  echo 'SKIPPED: no file attributes here: a read-only store is not tried'
fi
cp -r "$folder/store" unread && echo '[]' >unread/INDEX.json && rm -f unread/.lock
before=$(tree unread)
HANDOFFS_ROOT=$folder/unread status '--readonly list' 0 timeout 60 "$baton" --readonly records list
HANDOFFS_ROOT=$folder/unread status '--readonly list --json' 0 timeout 60 "$baton" --readonly records list --json
HANDOFFS_ROOT=$folder/absent status '--readonly list of nothing' 4 timeout 60 "$baton" --readonly records list
printf x >>unread/projects/slow/slow/timeline.jsonl
before=$(tree unread)
HANDOFFS_ROOT=$folder/unread status '--readonly verify of a damaged one' 1 timeout 60 "$baton" --readonly records verify slow
[ "$before" = "$(tree unread)" ] && [ ! -e unread/.lock ] && [ ! -e absent ] || fail '--readonly wrote into the store'
# A ledger's `handoffs` is its own: a reading verb that stands in it makes nothing there.
mkdir -p ledger/.adlc/handoffs/denies ledger/handoffs
before=$(tree ledger/.adlc)
for at in .adlc .adlc/handoffs .adlc/handoffs/denies; do
  (cd "ledger/$at" && unset HANDOFFS_ROOT && records list >/dev/null 2>"$folder/err"); [ $? = 4 ] || fail "list in $at: $(cat "$folder/err")"
  said=$(cd "ledger/$at" && unset HANDOFFS_ROOT && records config)
  grep -q "config root=$folder/ledger/handoffs\$" <<<"$said" || fail "the store seen from $at: $said"
done
[ "$before" = "$(tree ledger/.adlc)" ] || fail 'list wrote into a ledger'
status '--readonly' 1 timeout 60 "$baton" --readonly records build --source m.jsonl --project other

# A disk that fills up in the middle.
if command -v unshare >/dev/null && unshare -m true 2>/dev/null; then
  head -c 400000 /dev/urandom | base64 -w 1000 | jq -Rc '{role: "user", text: .}' >fill.jsonl
  export baton folder
  # shellcheck disable=SC2016
  unshare -m bash -c '
    mkdir -p "$folder/small" && mount -t tmpfs -o size=900k none "$folder/small" || exit 77
    export HANDOFFS_ROOT=$folder/small/store
    head -n 20 "$folder/fill.jsonl" >"$folder/some.jsonl"
    "$baton" records build --source "$folder/some.jsonl" --project p --session f >/dev/null || exit 2
    cp -r "$HANDOFFS_ROOT" "$folder/before"
    "$baton" records build --source "$folder/fill.jsonl" --project p --session f >/dev/null 2>&1; [ $? = 1 ] || exit 3
    "$baton" records verify f >/dev/null || exit 4
    diff -r "$HANDOFFS_ROOT" "$folder/before" >/dev/null || exit 5
    "$baton" records build --source "$folder/fill.jsonl" --project q --session g >/dev/null 2>&1; [ $? = 1 ] || exit 6
    [ -e "$HANDOFFS_ROOT/projects/q" ] && exit 7
    mount -o remount,size=9M "$folder/small" && "$baton" records build --source "$folder/fill.jsonl" --project p --session f >/dev/null || exit 8
    "$baton" records verify f --deep >/dev/null || exit 9'
  got=$?
  [ "$got" = 0 ] || [ "$got" = 77 ] || fail "a full disk: step $got"
  [ "$got" != 77 ] || echo 'SKIPPED: no tmpfs can be mounted: a full disk is not tried'
else
  echo 'SKIPPED: no mount namespaces here: a full disk is not tried'
fi

# ---- a long timeline is read beside the source: what comes of it is the same
long() { awk -v from="$1" -v to="$2" 'BEGIN { text = "the tide table of the harbour \\n"; for (i = 0; i < 5; i++) text = text text; for (i = from; i < to; i++) printf "{\"seq\":%d,\"role\":\"%s\",\"text\":\"%d %s\"}\n", i, i % 3 ? "tool" : "assistant", i, text }'; }
long 0 8000 >long.jsonl
status 'a long build' 0 records build --source long.jsonl --project long --session long
long 8000 8100 >>long.jsonl
status 'a long build, grown' 0 records build --source long.jsonl --project long --session long
grep -q 'turns=8100 new=100 rev=2' "$folder/out" || fail "a long build, grown: $(cat "$folder/out")"
cp long.jsonl once.jsonl
HANDOFFS_ROOT=$folder/once status 'the same at once' 0 records build --source once.jsonl --project long --session long
for file in timeline.jsonl TOOLS.md; do cmp -s "$folder/store/projects/long/long/$file" "$folder/once/projects/long/long/$file" || fail "a long $file differs"; done
[ "$(jq -c '[.timeline, .tool_calls]' "$folder/store/projects/long/long/HANDOFF.llm.json" | sha256sum)" = "$(jq -c '[.timeline, .tool_calls]' "$folder/once/projects/long/long/HANDOFF.llm.json" | sha256sum)" ] || fail 'a long payload differs'
status 'a long build, unchanged' 0 records build --source long.jsonl --project long --session long
cp -a "$folder/store/projects/long/long" before
sed -i '5000s/^{/[/' "$folder/store/projects/long/long/timeline.jsonl"
touch long.jsonl
status 'a long build, unchanged, over a broken timeline' 0 records build --source long.jsonl --project long --session long
long 8100 8200 >>long.jsonl
before=$(tree "$folder/store/projects/long/long")
status 'a long build over a broken timeline' 1 records build --source long.jsonl --project long --session long
grep -q 'line 5000 of timeline.jsonl is no turn' "$folder/err" || fail "a long build over a broken timeline: $(cat "$folder/err")"
[ "$before" = "$(tree "$folder/store/projects/long/long")" ] || fail 'a long build over a broken timeline has written'

[ "$failures" = 0 ] || { printf '%s failures\n' "$failures"; exit 1; }
