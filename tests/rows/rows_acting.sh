#!/usr/bin/env bash
# tests/rows/rows_acting.sh ROOT BATON - rows 47-68: verbs of the command line: dry by default, refused where they must be,
# whole or not at all, recorded, and never with the key in sight.
. "$(dirname "$0")/lib.sh"
fixture
key_of_own() { # an own ledger, signed with an own key: $FIX
  key
  FIX=$work/own$((owns = ${owns:-0} + 1)) H=.adlc/handoffs
  mkdir -p "$FIX/.adlc"
  cd "$FIX" || exit 1
}

row 47 'baton unlock $(proofs 91ab77e0); echo "rc $?"; ls $H/91ab77e0.lock' 'dry-run.* rc 0 .*91ab77e0.lock'
row 47 'before=$(ledger); baton repair --session sess-1 --ticket T-1 --content-hash aa; baton bypass --session a81f3c55;
  baton continue --deny-session 7f3a91c2-auth > /dev/null; echo "rc $?"; [ "$(ledger)" = "$before" ] && echo same' \
  '(dry run.*){2}rc 0 same'
row 53 'lock live 1 "$(date -u +%FT%TZ)" "$(uname -n)"; for s in live 2b77aa90;
  do baton unlock $(proofs $s) --write 2> /dev/null; echo "rc $?"; done;
  for wrong in "--pid 5" "--nonce ff" "--started-at 2020-01-01T00:00:00.000Z" "--host nowhere";
  do baton unlock $(proofs 91ab77e0) $wrong --write 2> /dev/null; echo "rc $?"; done;
  ls $H/live.lock $H/2b77aa90.lock $H/91ab77e0.lock | wc -l' 'rc 2 rc 2 rc 2 rc 2 rc 2 rc 2 3'
row 54 'sum=$(sha256sum < $H/91ab77e0.lock); baton unlock $(proofs 91ab77e0) --write > /dev/null &&
  ls $H/91ab77e0.lock 2> /dev/null; baton undo --write > /dev/null; [ "$(sha256sum < $H/91ab77e0.lock)" = "$sum" ] &&
  echo equal' equal
row 54 'baton unlock $(proofs 91ab77e0) --write > /dev/null; lock 91ab77e0 1 "$(date -u +%FT%TZ)" here; baton undo --write;
  echo "rc $?"; field $H/91ab77e0.lock host' '.* rc 2 here'
fixture
row 55 'before=$(ledger); baton repair --session a81f3c55 --ticket T-1 --content-hash aa --write; echo "rc $?";
  [ "$(ledger)" = "$before" ] && echo same' '.*(no|not).* rc 1 same'
row 55 'baton repair --session sess-1 --write; echo "rc $?"; baton repair --session sess-1 --ticket T-1 --write; echo "rc $?"' \
  '.* rc 1 .* rc 1'

# ---- the same command for a shell: from anywhere, whatever the folder is called ----
FIX="$work/it's a \$(place) \"here\"/payments api"; mkdir -p "$FIX"; (cd "$FIX" && baton sample . > /dev/null)
row 49 'command=$(baton unlock $(proofs 91ab77e0) --plan --json | jq -r .command); cd / && sh -c "$command" > /dev/null;
  echo "rc $?"; ls "$FIX/$H/91ab77e0.lock" 2> /dev/null; echo "$command" | grep -oE "^baton unlock --dir ./"' \
  "rc 0 baton unlock --dir '/"
fixture

# ---- a file changes between the plan and the writing; the place of the evidence cannot be written ----
key_of_own
baton write --session d1 --ticket T-1 --write > /dev/null
lock k1 "$(dead_pid)" 2026-01-01T00:00:00.000Z "$(uname -n)"
row 51 'cp $H/k1.lock "$work/k1"; proofs=$(proofs k1); sed -i s/00112233aabbccdd/ffff/ $H/k1.lock;
  baton unlock $proofs --write; echo "rc $?"; field $H/k1.lock nonce' '.*another nonce.* rc 2 ffff'
rm "$FIX/$H/k1.lock"
git -C "$FIX" init -q . && git -C "$FIX" add -f .adlc && git -C "$FIX" -c user.name=n -c user.email=e@example.com commit -qm 1
as_nobody() { # with the rights of somebody whom this folder does not let write
  setpriv --reuid 65534 --regid 65534 --clear-groups env HOME="$work/nobody" ADLC_MANIFEST_KEY="$ADLC_MANIFEST_KEY" "$@"
}
mkdir -p "$work/nobody" && chmod 777 "$work/nobody" && chmod 755 "$work" "$work/bin"
if [ "$(id -u)" = 0 ] && setpriv --reuid 65534 --regid 65534 --clear-groups "$baton" --version > /dev/null 2>&1; then
  row 52 'chown -R 65534:65534 .; chown root .adlc/manifest.jsonl; chmod 444 .adlc/manifest.jsonl; chown root .adlc;
    chmod 755 .adlc; as_nobody "$baton" continue --deny-session d1 --session next --write; echo "rc $?"; chown -R root .;
    git status --porcelain .adlc | grep -v "^?? .adlc/handoffs/content/"; echo .' '.*(manifest|evidence|denied).* rc 1 \.'
else
  cannot 52 'needs root and setpriv: a folder that this user may not write in'
fi

# ---- bypass, continue ----
key_of_own
baton write --session d1 --ticket T-1 --write > /dev/null
row 58 'baton bypass --session s9 --unbound --write > /dev/null 2>&1; echo "rc $?";
  baton bypass --session s9 --unbound-reason "" --write 2> /dev/null; echo "rc $?"; ls $H/s9.bypass-grant.json 2> /dev/null;
  baton bypass --session s9 --unbound-reason why --plan' 'rc 1 rc 1 .*ONE gated call.*10 minutes.*'
plan() { baton continue --deny-session d1 --session s2 --plan --json | jq -r "$1"; }
row 60 'plan ".plan | length"; touch "$work/mark"; plan ".plan[].path // empty" |
  sed s/.adlc.manifest$/.adlc\\/manifest.jsonl/ | sort -u > "$work/plan";
  baton continue --deny-session d1 --session s2 --write > /dev/null; find .adlc -type f -newer "$work/mark" > "$work/changed";
  wc -l < "$work/changed"; grep -vxFf "$work/plan" "$work/changed"; echo none more' '8 5 none more'
for n in 1 2; do baton write --session "race-$n" --ticket T-1 --write > /dev/null; done
row 62 'for n in 1 2; do { baton continue --deny-session race-$n --session same --write > /dev/null 2>&1; echo "rc $?";
  } & p[n]=$!; done | sort; ls $H/same.resume-auth.json' 'rc 0 rc 2 .*same.resume-auth.json'

# ---- the key, read-only, the log of actions ----
row 65 'baton bypass --session s5 --write > /dev/null; baton info | grep -i key;
  grep -rF "$ADLC_MANIFEST_KEY" "$HOME" "$FIX" | wc -l' '.*loaded.* 0'
unset ADLC_MANIFEST_KEY
fixture
row 66 'rm .adlc/baton-sample.json; baton list > /dev/null; echo "rc $?"; B; see "key missing"; before=$(ledger);
  pick 7f3a91c2-auth; K c; see "no signing key"; K Tab Tab Tab Tab Enter Escape; gone Cancel; [ "$(ledger)" = "$before" ] &&
  echo same' 'rc 0 same'
fixture
if command -v strace > /dev/null; then
  row 67 'strace -f -o "$work/trace" -e trace=file baton --readonly unlock $(proofs 91ab77e0) --write; echo "rc $?";
    grep -cE " (unlink|rename|link)[a-z0-9]*\(|O_(WRONLY|RDWR|CREAT)" "$work/trace"; ls $H/91ab77e0.lock' \
    '.*read-only.* rc 1 0 .*lock'
else
  row 67 'before=$(ledger); baton --readonly unlock $(proofs 91ab77e0) --write; echo "rc $?"; [ "$(ledger)" = "$before" ] &&
    echo same' '.*read-only.* rc 1 same'
fi
row 68 'baton unlock $(proofs 91ab77e0) --nonce ff --write 2> /dev/null; tail -1 "$state/log" |
  jq -c "[.verb, .session, .verdict, .uid, .host]"; stat -c %a "$state/log"' \
  '\["unlock","91ab77e0","refused",'"$(id -u)"',".*"\] 600'
row 68 'before=$(wc -l < "$state/log"); baton unlock $(proofs 91ab77e0) --write > /dev/null; tail -1 "$state/log" |
  jq -r .verdict; [ "$(wc -l < "$state/log")" = $((before + 1)) ] && echo appended' 'done appended'

# ---- nothing outside the ledger ----
row 106 'mkdir "$work/outside" && mv $H/denies "$work/outside/denies" && ln -s "$work/outside/denies" $H/denies;
  before=$(cd "$work/outside" && find . -type f -exec sha256sum {} + | sort | sha256sum);
  for verb in "write --session 7f3a91c2-auth --ticket T-118" "repair --session 7f3a91c2-auth --ticket T-1 --content-hash aa" "continue --deny-session 7f3a91c2-auth";
  do baton $verb --write > /dev/null 2>&1; echo "rc $?"; done;
  [ "$before" = "$(cd "$work/outside" && find . -type f -exec sha256sum {} + | sort | sha256sum)" ] && echo untouched' \
  '(rc [12] ){3}untouched'
finish
