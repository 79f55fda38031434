#!/usr/bin/env bash
# tests/cli/test_look.sh BATON - list, show, locks, denies and sample: what they print, and that they change nothing.
set -u
baton=$1
folder=$(mktemp -d "${TMPDIR:-/tmp}/baton-look.XXXXXX") || exit 1
trap 'rm -rf "$folder"' EXIT
unset ADLC_MANIFEST_KEY ADLC_TICKET NO_COLOR
export HOME=$folder TERM=xterm-256color
failures=0
fail() { printf 'FAIL %s\n' "$*"; failures=$((failures + 1)); }
# check WORDS WANTED GOT
check() { [ "$2" = "$3" ] || fail "$1: wanted [$2], got [$3]"; }
tree() { (cd "$1" && find . -exec stat -c '%n %f %s' {} + | sort && find . -type f -exec sha256sum {} + | sort) | sha256sum; }
states() { "$baton" list --json --dir "$1/.adlc" | sed -n 's/^      "state": "\(.*\)",$/\1/p' | grep -v '^live$\|^expired$'; }

"$baton" sample "$folder/s" >/dev/null || fail 'sample cannot be written'
"$baton" sample "$folder/s" >/dev/null 2>"$folder/err"
check 'a second sample' 1 $?
grep -q 'there is a ledger already' "$folder/err" || fail 'a second sample says why not'
cd "$folder/s" || exit 1
before=$(tree .)

# Output that cannot be written is told, whoever writes it.
for command in list 'list --watch' 'list --json' locks log 'log --follow' 'log --follow --jsonl' verify info keys scan --help --version; do
  timeout 20 "$baton" $command >/dev/full 2>"$folder/err"
  check "$command on a full disk" 1 $?
  grep -q 'cannot write to stdout' "$folder/err" || fail "$command on a full disk says nothing"
done

# Started with its streams closed, nothing that it opens takes their numbers; printing into one fails as it did.
mkdir -p "$folder/silent/.adlc"
"$baton" log --follow --jsonl --dir "$folder/silent/.adlc" <&- >&- 2>&- &
silent=$!
streams=
for _ in $(seq 200); do
  streams=$(for n in 0 1 2 3; do readlink "/proc/$silent/fd/$n"; done | tr '\n' ' ')
  [[ $streams = '/dev/null /dev/null /dev/null '?* ]] && break
  sleep 0.05
done
[[ $streams = '/dev/null /dev/null /dev/null '?* ]] || fail "closed streams are [$streams]"
kill "$silent" 2>/dev/null && wait "$silent" 2>/dev/null
timeout 20 "$baton" list >&- 2>"$folder/err"
check 'list with stdout closed' 1 $?
timeout 20 "$baton" list >"$folder/list" 2>&- <&-
check 'list with stdin and stderr closed' 0 $?

# Where nothing is listed, a store that cannot be read is named all the same; where there is none, that there is nothing.
mkdir -p "$folder/bare" "$folder/other/.local/share/opencode"
echo SQLite >"$folder/other/.local/share/opencode/opencode.db"
HOME=$folder/other "$baton" list --dir "$folder/bare/.adlc" >"$folder/list" 2>&1
check 'list with a database only' 0 $?
grep -q 'opencode.db: the sessions are in this database, which is not read' "$folder/list" || fail 'the database is not named'
HOME=$folder/bare "$baton" list --dir "$folder/bare/.adlc" >"$folder/list" 2>&1
check 'list with nothing at all' 1 $?

# A word that reads like a condition and is none is told, and the answer stays what it was.
for word in 'age>abc' 'foo:bar' 'age>=1d'; do
  "$baton" list --filter "auth $word" >"$folder/list" 2>"$folder/err"
  check "--filter $word" 0 $?
  grep -qF "$word is searched as plain text" "$folder/err" || fail "--filter $word says nothing"
done
"$baton" list --filter 'state:blocked session:7f3a age>1m' >"$folder/list" 2>"$folder/err"
grep -q 'plain text' "$folder/err" && fail '--filter doubts what it understands'
check '--filter session:' 1 "$(grep -c '7f3a91c2-auth' "$folder/list")"

# A table: a header line first, no escape in a pipe, worst first.
"$baton" list >"$folder/list"
check 'list' 0 $?
head -n 1 "$folder/list" | grep -q 'STATE.*SESSION.*USED.*SAFEST NEXT STEP' || fail 'list has no header line'
grep -q "$(printf '\033')" "$folder/list" && fail 'list writes escapes into a pipe'
check 'worst first' '! BLOCKED' "$(sed -n 2p "$folder/list" | cut -c1-9)"
grep -q 'sample ledger, read with its published key' "$folder/list" || fail 'list does not say that this is the sample'
# It brings transcripts along: how full, of which window, and one session that only its transcript tells of.
grep -q '^! BLOCKED *7f3a91c2-auth *claude *T-118 *83.0% *HARD *fill ' "$folder/list" || fail 'list: how full 7f3a91c2-auth is'
grep -q '^! BLOCKED *sess-1 *pi *- *?  *? ' "$folder/list" || fail 'list: sess-1 has no transcript, and its fill is unknown'
grep -q ' b3390d7e *codex *- *51.3% *WARN ' "$folder/list" || fail 'list: the session without a record'
# Another key than the one the entries were signed with: said before anything is tried with it.
ADLC_MANIFEST_KEY=another "$baton" list >"$folder/other_key"
grep -q '^problem: evidence: the newest entries do not verify with this key: writes will be refused' "$folder/other_key" ||
  fail 'list: a key that does not fit is not told'
grep -q '^problem: evidence' "$folder/list" && fail 'list: the key that fits is called another one'
ADLC_MANIFEST_KEY=another "$baton" scan --json >"$folder/other_scan"
grep -q '^  "evidence_problem": "the newest entries do not verify' "$folder/other_scan" || fail 'JSON: a key that does not fit is not told'
"$baton" list --import "$folder/other_scan" | grep -q '^problem: evidence: the newest entries do not' || fail 'a snapshot loses it'
mkdir -p "$folder/other/.adlc" && cp -r .adlc/sample-transcripts "$folder/other/.adlc/"
check 'another ledger reads no such folder' 0 "$(cd "$folder/other" && "$baton" list --all | grep -c codex)"
grep -q '^problem: handoffs/denies/66ff0b12.json' "$folder/list" || fail 'list does not name the broken record'
"$baton" list --color always | grep -q "$(printf '\033')\[31m" || fail '--color always has no colour'
"$baton" list --color sometimes >/dev/null 2>&1
check 'a colour that is none' 1 $?

# JSON and table agree.
check 'states in both' "$(sed -n 's/^..\([A-Z-]*\) .*/\1/p' "$folder/list" | grep -v '^STATE$' | tr '\n' ' ')" "$(states . | tr '\n' ' ')"
for verb in 'list' 'show 7f3a91c2-auth' 'locks' 'denies'; do
  # shellcheck disable=SC2086
  "$baton" $verb --json >"$folder/json" || fail "$verb --json"
  grep -q '^  "schema_version": 1,$' "$folder/json" || fail "$verb --json has no schema_version"
done
"$baton" show c0de4471 --json | grep -q '^  "brief": "tampered",$' || fail 'show --json: brief'
"$baton" show sess-1 --json | grep -q '^    "used_pct": null,$' || fail 'an unknown context is null'
"$baton" show e4419d02 --json | grep -q '^  "resume_auth": "verified",$' || fail 'show --json: resume_auth'
"$baton" show a81f3c55 --json | grep -q '^    "expires_in_s": 4[56][0-9]$' || fail 'show --json: expires_in_s'
"$baton" show 7f3a91c2-auth | grep -q '^STATE  *! BLOCKED since' || fail 'show has no state'
"$baton" show nobody >/dev/null 2>"$folder/err"
check 'a session that is not there' 1 $?
grep -q 'nobody' "$folder/err" || fail 'the error does not name the session'
"$baton" show >/dev/null 2>&1
check 'show without a session' 1 $?
check 'verdicts' 5 "$("$baton" locks --json | sed -n 's/^      "verdict": //p' | sort -u | wc -l)"
"$baton" denies --json | grep -q '^    "ok": true,$' || fail 'the store of the sample is sound'
check 'nothing was changed by looking' "$before" "$(tree .)"

# Without the published key everything still reads, as unverifiable.
cp -r "$folder/s" "$folder/keyless" && rm "$folder/keyless/.adlc/baton-sample.json"
"$baton" show e4419d02 --json --dir "$folder/keyless/.adlc" | grep -q '"resume_auth": "unverifiable"' || fail 'no key: unverifiable'
check 'no key: list' 0 "$("$baton" list --dir "$folder/keyless/.adlc" >/dev/null; echo $?)"

# A store that lost a record, a record that broke, a brief that was edited.
rm .adlc/handoffs/denies/d00dfeed.json
"$baton" denies --json | grep -q '^    "ok": false,$' || fail 'a lost record: store.ok'
printf '{' >.adlc/handoffs/denies/bad.json
"$baton" denies --json | grep -A1 '"id": "bad"' | grep -q '"class": "invalid"' || fail 'a broken record is invalid'
printf x >>.adlc/handoffs/content/7f3a91c2-auth.md
"$baton" show 7f3a91c2-auth --json | grep -q '^  "brief": "tampered",$' || fail 'an edited brief is tampered'

# Hostile names reach the terminal as escapes, and JSON as they are.
name=$(printf 'e\033[2Jvil')
printf '{"session_id":"e\\u001b[2Jvil","status":"open","ticket_id":null,"content_hash":null}' >".adlc/handoffs/denies/$name.json"
"$baton" list | grep -q "$(printf '\033')" && fail 'an escape of a name reaches the terminal'
"$baton" list | grep -q '\^\[\[2Jvil' || fail 'an escape of a name is not shown'
"$baton" list --json | grep -q '"id": "e\\u001b\[2Jvil"' || fail 'JSON carries the name'

# Half a surrogate pair in a record: some readers refuse a document that holds one, so that ours hold none.
printf '{"session_id":"half","status":"open","ticket_id":"\\ud83dT","content_hash":null}' >.adlc/handoffs/denies/half.json
for verb in list denies scan 'show half'; do
  "$baton" $verb --json >"$folder/out"
  grep -q '\\u[d]83d' "$folder/out" && fail "$verb --json holds half a pair"
  grep -q '\\ufffdT' "$folder/out" || fail "$verb --json: what stands for half a pair"
done

# Places.
"$baton" list --dir "$folder/none/.adlc" >/dev/null 2>"$folder/err"
check 'no ledger' 1 $?
grep -q "$folder/none/.adlc" "$folder/err" || fail 'the error does not name the ledger'
"$baton" list --dir "$folder/s" >/dev/null 2>&1
check 'a --dir that is none' 1 $?
for verb in list show locks denies sample; do
  "$baton" "$verb" --help | grep -q '^Usage: ' || fail "$verb --help"
done
[ "$failures" = 0 ] || { printf '%s failures\n' "$failures"; exit 1; }
