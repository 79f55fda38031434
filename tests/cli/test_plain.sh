#!/usr/bin/env bash
# tests/cli/test_plain.sh BATON - the plain mode: menus by number, a line per change, no escape byte, words typed to confirm.
set -u
baton=$1
folder=$(mktemp -d "${TMPDIR:-/tmp}/baton-plain.XXXXXX") || exit 1
trap 'rm -rf "$folder"' EXIT
unset ADLC_MANIFEST_KEY ADLC_TICKET NO_COLOR
export HOME=$folder TERM=xterm-256color BATON_PLAIN=1 XDG_CONFIG_HOME=$folder/config XDG_STATE_HOME=$folder/state
failures=0
fail() { printf 'FAIL %s\n' "$*"; failures=$((failures + 1)); }
check() { [ "$2" = "$3" ] || fail "$1: wanted [$2], got [$3]"; }
tree() { (cd "$1" && find . -exec stat -c '%n %f %s' {} + | sort && find . -type f -exec sha256sum {} + | sort) | sha256sum; }
fresh() { cd "$folder" && rm -rf "$folder/s" && "$baton" sample "$folder/s" >/dev/null && cd "$folder/s" || exit 1; }
says() { grep -qE -- "$1" "$folder/out" || { fail "never said: $1"; tail -n 20 "$folder/out" | sed 's/^/    | /'; }; }
talk() { printf "$1" | "$baton" >"$folder/out" 2>"$folder/err"; check "exit of [$1]" 0 $?; grep -q "$(printf '\033')" "$folder/out" && fail "[$1] has an escape byte"; }
number_of() { "$baton" </dev/null | sed -n "s/^\([0-9]*\)\. . [A-Z-]* $1,.*/\1/p"; }

# What continue asks for 7f3a91c2-auth, answered as printf wants it: blank, but for why the brief was not read.
answers() {
  printf '%s\n5\n\n\n\n\n\n\n\n\n' "$(number_of 7f3a91c2-auth)" | "$baton" | sed -n '/^Type /q; /(Enter /p' |
    sed -e '/not read/!s/.*//' -e 's/.*not read.*/read elsewhere/' | sed -e ':a' -e 'N' -e '$!ba' -e 's/\n/\\n/g'
}

fresh
before=$(tree .)
"$baton" </dev/null >"$folder/out"
check 'nothing on standard input' 0 $?
grep -q "$(printf '\033')" "$folder/out" && fail 'an escape byte'
says '^1\. ! BLOCKED '
says '^7 BLOCKED '
talk '1\n'
says '^Session c0de4471, BLOCKED\.$'
says '^Safest next step: '
talk '1\n1\n2\n3\n4\n13\n0\nq\n'
says '^STATE +! BLOCKED since'
says '^Brief, tampered\. What follows was written by the session'
says '^\| '
says 'refused'
says '^There is no choice 13\.$'
talk '/ stale\n'
says '^Only what matches:  ?stale$'
check 'the filter' 2 "$(sed -n '/^Only what/,$p' "$folder/out" | grep -c '^[0-9]*\. ')"
talk '99\nx\n\n-1\n0\n18446744073709551617\nh\nq\n'
says '^There is no choice 99\.$'
head -c 200000 /dev/zero | tr '\0' 'a' | "$baton" >"$folder/out" 2>&1
check 'a line without an end' 0 $?
printf '1\0\n\377\376\n\033[2J\nq\n' | "$baton" >"$folder/out" 2>&1
grep -q "$(printf '\033')" "$folder/out" && fail 'what was typed comes back as an escape byte'
check 'looking changed nothing' "$before" "$(tree .)"

# The session records: one is built when the word is typed, listed, and its brief read out as a quotation.
talk 'a\n'
says '^No record has been built yet in .*/baton/records'
recorded=$(number_of 7f3a91c2-auth)
talk "$recorded\n10\ny\n0\na\n"
says 'Type record to do it'
says '^Left\. Nothing was written\.$'
says '^No record has been built yet'
talk "$(number_of sess-1)\n10\n"
says '^No record of it can be built: no transcript of this session was found\.$'
talk "$recorded\n10\nrecord\n0\na\n9\n1\n0\nq\n"
says '^Done: recorded [0-9]+ turns'
says '^1 record in .*: 1 verify, 0 FAIL, 0 not checked\.$'
says '^1\. PASS 7f3a91c2-auth, project .*, harness claude-code, age [0-9]+s, source unchanged$'
says '^There is no choice 9\.$'
says '^Brief of 7f3a91c2-auth\. What follows was written by the session'
says '^\| # Handoff: 7f3a91c2-auth$'
talk 'a\nq\n'
check 'a record does not touch the ledger' "$before" "$(tree .)"

# Unlock: the whole word or nothing; then undo.
lock=.adlc/handoffs/91ab77e0.lock sum=$(sha256sum <.adlc/handoffs/91ab77e0.lock)
stale=$(number_of 91ab77e0)
for answer in '\n' 'y\n' 'yes\n' 'unloc\n' 'UNLOCK\n' ''; do
  talk "$stale\n8\n$answer"
  says 'Type unlock to do it'
  says 'Nothing was written'
done
check 'no short answer writes' "$before" "$(tree .)"
talk "$stale\n8\nunlock\n"
says '^Done: removed the lock of 91ab77e0$'
[ ! -e "$lock" ] || fail 'the lock is still there'
talk 'z\nundo\n'
says '^Done: put handoffs/91ab77e0.lock back'
check 'undo' "$sum" "$(sha256sum <"$lock")"

# From the menu of the locks; a living one is refused by its plan.
talk 'l\n1\nunlock\n'
says '^Done: removed the lock of 91ab77e0$'
talk "$(number_of 0f1e2d3c)\n8\nunlock\n"
says 'still alive'
[ -e .adlc/handoffs/0f1e2d3c.lock ] || fail 'a living lock was removed'

# Several at once: every item is named; only what is stale goes, and only with the whole word.
fresh
before=$(tree .)
for answer in '1 2 3\nno\n' '1 2 3\n' '99\n' '1 x\n' '\n' '2 3\nunlock\n' 's\nUNLOCK\n'; do
  talk "l\nm\n$answer"
  says 'Nothing was written'
  check "several: [$answer] writes nothing" "$before" "$(tree .)"
done
files=$(ls .adlc/handoffs)
talk 'l\nm\n99\n'
says '^There is no lock 99\.$'
talk 'l\nm\n1, 2 3\nunlock\n'
says '^91ab77e0, STALE: would be removed, no such process .*\. Lock: .*, pid [0-9]+, since '
says '^[0-9a-f]+, (PID-REUSE|FOREIGN): refused, '
says '^3 locks: 1 would be removed, 2 refused\.$'
says '^91ab77e0, STALE: removed, a copy is in the trash'
says '^3 locks: 1 removed, 2 refused\.$'
[ ! -e "$lock" ] || fail 'several: the stale lock is still there'
check 'several: nothing else went' '< 91ab77e0.lock' "$(diff <(printf '%s\n' "$files") <(ls .adlc/handoffs) | grep '^[<>]')"
talk 'l\nm\ns\n'
says '^No lock is stale\.$'
talk 'z\nundo\n'
says '^Done: put handoffs/91ab77e0.lock back'

# The order, turned round, and kept for the next time; the dashboard keeps it in the same place.
talk 'o\n2\nq\n'
says '^Sorted by session\.$'
first=$(sed -n '/^Sorted by/,$p' "$folder/out" | sed -n 's/^1\. . [A-Z-]* \([^,]*\),.*/\1/p' | tail -n 1)
check 'the first by session' 0aa1bb2c "$first"
talk 'o\n2\nq\n'
says '^Sorted by session, reversed\.$'
check 'the order is kept' 'session reversed' "$(cat "$XDG_STATE_HOME/baton/order")"
talk 'q\n'
check 'and is there again' sess-1 "$(sed -n 's/^1\. . [A-Z-]* \([^,]*\),.*/\1/p' "$folder/out")"
talk 'o\n1\no\n\no\nx\nq\n'
says '^Sorted worst first\.$'

# A brief is marked only when it was read out, and the mark holds for that text.
reader=$(number_of 7f3a91c2-auth)
talk "$reader\n9\nq\n"
says '^Have it read out first'
talk "$reader\n2\n9\nq\n"
says '^Marked as read'
check 'marked' true "$("$baton" show 7f3a91c2-auth --json | sed -n 's/.*"brief_reviewed": *\([a-z]*\).*/\1/p' | head -n 1)"
talk "$reader\n9\nq\n"
says '^The mark is gone'
check 'not marked' false "$("$baton" show 7f3a91c2-auth --json | sed -n 's/.*"brief_reviewed": *\([a-z]*\).*/\1/p' | head -n 1)"
talk "$(number_of sess-1)\n9\nq\n"
says '^There is no brief to mark as read'

# Bypass asks for scope and reason and wants its word; repair asks for its fields; continue wants the end of the id.
idle=$(number_of a81f3c55)
talk "$idle\n7\n2\n\nbypass\n"
says 'reason'
check 'no grant without a reason' 0 "$(find .adlc -name 'a81f3c55*grant*' -newer "$folder/err" | wc -l)"
fresh
talk "$(number_of 33aa55cc 2>/dev/null || echo 1)\n0\nq\n"
talk "$(number_of d00dfeed)\n6\n\n\n\nrepair\n"
says 'ticket, now T-122'
talk "$(number_of 7f3a91c2-auth)\n5\n$(answers)\nnope\n"
says 'Type auth to do it'
says 'Nothing was written'
talk "$(number_of 7f3a91c2-auth)\n5\n$(answers)\nauth\n"
says '^Done: '
talk 'q\n'
says 'DONE 7f3a91c2-auth'
grep -q '"reason":"read elsewhere"' "${XDG_STATE_HOME:-$HOME/.local/state}/baton/log" || fail 'the reason is not in the log'

# The brief that is handed on is read out; without a word about it nothing goes on; marked, no reason is wanted.
fresh
before=$(tree .)
talk "$(number_of 7f3a91c2-auth)\n5\n\n\n"
says '^\| ## Ticket'
says 'Nothing was written'
check 'left at the brief' "$before" "$(tree .)"
talk "$(number_of 7f3a91c2-auth)\n5\nmine-2\nread\nauth\n"
says '^Done: .*is continued by mine-2'
# An edited brief is bound only with a reason.
fresh
rm -f .adlc/handoffs/c0de4471.lock
talk "$(number_of c0de4471)\n6\n\n\n\n\n\n"
says 'TAMPERED.*why is that right'
says 'Nothing was written'
talk "$(number_of c0de4471)\n6\n\n\n\nedited by hand\nrepair\n"
says 'Type (bind|repair) to do it'

# Read-only, and no key.
fresh
before=$(tree .)
printf '%s\n8\nunlock\n' "$(number_of 91ab77e0)" | "$baton" --readonly >"$folder/out"
says 'Not possible now: read-only'
mv .adlc/baton-sample.json "$folder/"
talk "$(number_of 7f3a91c2-auth)\n5\n$(answers)\nauth\n"
mv "$folder/baton-sample.json" .adlc/
says 'Not possible now: no signing key'
check 'nothing written' "$before" "$(tree .)"

# A line for each change while it waits.
mkfifo "$folder/in"
"$baton" <"$folder/in" >"$folder/out" 2>&1 &
process=$!
exec 3>"$folder/in"
for _ in $(seq 200); do grep -q '^17\. ' "$folder/out" && break; sleep 0.05; done
rm .adlc/handoffs/91ab77e0.lock
for _ in $(seq 200); do grep -q '^Changed: 91ab77e0' "$folder/out" && break; sleep 0.05; done
says '^Changed: 91ab77e0, (IDLE|READY|WARN|DONE|RUN|gone|BLOCKED), was STALE-LOCK\.$'
check 'no list again' 1 "$(grep -c '^1\. ' "$folder/out")"
echo q >&3
exec 3>&-
wait "$process"
check 'it ends' 0 $?

# Beside the ledger: deliveries, stopped when the word is typed, and a handover that is due and then passed on.
mkdir -p "$folder/d/.ai" "$folder/d/.adlc" "$folder/claude/projects/p" && cd "$folder/d" || exit 1
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 CLAUDE_CONFIG_DIR=$folder/claude
git init -q -b main . && git -c user.name=a -c user.email=a@example.org commit -q --allow-empty -m one || exit 1
git remote add origin https://github.com/acme/pager.git
talk 'd\n1\ns\n0\nq\n'
says '^1 working trees, 0 open\. Only git was asked\.$'
says '^1\. d: absent, no delivery is recorded here$'
says '^There is no open record here\.$'
"$baton" delivery record --directive "$(printf 'Ship \033[31m it')" --authorize merge --pending merge --stop-reason user-pause --write >/dev/null
talk 'd\n1\ns\n\nthe owner said so\nsto\n0\nq\n'
says '^1\. d: usable, it may go on with the next step, next step merge$'
says '^  granted   merge$'
says '^Left\. Nothing was written\.$'
talk 'd\n1\ns\n\nthe owner said so\nstop\n9\n0\nq\n'
says '^Done: '
says '^1\. d: closed, '
says '^There is no choice 9\.$'
touch .ai/manifest.yaml
line() { printf '{"type":"%s","cwd":"%s","sessionId":"aaaa1111","timestamp":"2026-12-01T04:1%s:00.000Z","message":{"role":"%s","model":"m","content":"go"%s}}\n' "$1" "$folder/d" "$2" "$1" "$3"; }
{ line user 0 '' && line assistant 1 ',"usage":{"input_tokens":150000}'; } >"$CLAUDE_CONFIG_DIR/projects/p/aaaa1111.jsonl"
talk 'w\nq\n'
says '^handover due aaaa1111 '
talk "$(number_of aaaa1111)\n11\n12\nack\n12\nacknowledge\n12\n0\nw\nq\n"
says '^\[baton:handover-request v1 fill=150000 '
says '^Left\. Nothing was written\.$'
says '^Done: asked'
says '^asked +aaaa1111 '

[ "$failures" = 0 ] && echo 'all checks passed'
exit $((failures > 0))
