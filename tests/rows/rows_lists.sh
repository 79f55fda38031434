#!/usr/bin/env bash
# tests/rows/rows_lists.sh ROOT BATON - rows 27-36: narrowing, sorting, the pages of a session, hostile text, review marks.
. "$(dirname "$0")/lib.sh"
fixture
projects=$HOME/.claude/projects/$(printf %s "$FIX" | tr -c 'A-Za-z0-9' -)
mkdir -p "$projects"
uses() { # SESSION TOKENS
  printf '{"type":"assistant","sessionId":"%s","cwd":"%s","timestamp":"%s","message":{"id":"m","role":"assistant","model":"claude-opus-4-6","stop_reason":"end_turn","content":[{"type":"text","text":"last words of %s"}],"usage":{"input_tokens":%s,"output_tokens":0}}}\n' \
    "$1" "$FIX" "$(date -u +%FT%T.000Z)" "$1" "$2" > "$projects/$1.jsonl"
}
uses low-use 20000; uses top-use 190000; uses 7f3a91c2-auth 120000

row 27 'B; K /; text auth; see "1 of [0-9]+ +filter: auth"; S | grep -c "sess-1 "; K Enter; touch $H/denies/sess-1.json; K R;
  see "read again|1 of"; S | grep -c "sess-1 "; K Escape; see "sess-1 "; S | grep -c "[!] BLOCKED *sess-1 "' '0 0 1'
row 28 'baton list --filter "band:hard age<1h" --json | jq -r .sessions[].id;
  baton list --filter "state:blocked harness:pi age>1h" --json | jq -r .sessions[].id;
  baton list --filter "ticket:T-118" --json | jq -r .sessions[].id; baton list --filter "host:build-03" --json |
  jq -r .sessions[].id' \
  'top-use sess-1 7f3a91c2-auth 2b77aa90'
first() { S | grep -E '^[▸ ] [!x~*^ ] [A-Z-]+ ' | grep -v STATE | head -1 | grep -oE 'top-use|[0-9.]+%'; }
row 29 'B; see "top-use .*95.0%"; K s; K c; see "context used, most first"; first' 'top-use 95.0%'
row 29 'K S; see "reversed|least"; K q; see "left with 0"; B; S | grep -cE "context"' '[1-9]'
row 29 'K s; K t; see "worst first"; K q; see "left with 0"; B; see "worst first"' '(K S; )?'
row 30 'K q; see "left with"; H_=50 B; see "^ +IDLE +low-use"; S | grep -cE "^ +IDLE "; K f; see "problems only"; S |
  grep -cE "^ +IDLE "; K f; see "^ +IDLE "; K G; see "^▸ +DONE"; K N; see "^▸ \^ WARN"; selected' '[1-9] 0 66cc01fe'
row 30 'K g; see "^▸.*c0de4471"; K n; see "^▸.*7f3a91c2-auth"; K n; see "^▸.*d00dfeed"' ''

row 31 'K q; see "left with"; B; see "^── why "; K p; see "│── why "; K q; see "left with"; for W in 120 80 50; do B;
  [ $W = 50 ] || see "── why "; S | grep -oE "^── why|│── why" || echo absent; K q; see "left with"; done; W=120; B; K p p p;
  see "^── why"' \
  '│── why ── why absent'

# ---- the page of a session ----
row 32 'K q; see "left with"; B; pick 7f3a91c2-auth; K Enter; for tab in 1 2 3 4 5; do K $tab;
  case $tab in 1) see "^ *SESSION " ;; 2) see "sha256" ;; 3) see "last words" ;; 4) see "context-handoff-write" ;;
  5) see "\"session_id\"" ;; esac; S | sed -n 2p | grep -oE "$tab (overview|brief|transcript( tail)?|evidence|raw files)";
  done' \
  '1 overview 2 brief 3 transcript( tail)? 4 evidence 5 raw files'
row 33 'K 2; see "sha256"; K /; text rotate; K Enter; see "line [0-9]+.*/44"; S | grep -oE "line [0-9-]+.*/44.*%" | head -1;
  K n n n n; see "line [1-9][0-9]-44/44 +100%"' 'line 1-26/44 +59%'
row 36 'K 2; K m; see "marked as read"; baton show 7f3a91c2-auth --json | jq .brief_reviewed;
  echo >> $H/content/7f3a91c2-auth.md; echo more >> $H/content/7f3a91c2-auth.md; baton show 7f3a91c2-auth --json |
  jq .brief_reviewed' 'true false'

# A copy of the brief is kept when it is marked as read.
row 37 'baton brief 7f3a91c2-auth --diff | grep -c "^[+-][^+-]"; K d; see "^ *(│|\|)? *\+.*more"' '[12]'
row 37 'baton brief sess-1 --diff; echo "rc $?"' 'error: .* rc 1'

# ---- text of sessions cannot draw: nothing of it reaches the terminal as it is ----
fixture
{ cat "$H/content/7f3a91c2-auth.md"; printf 'wipe \033[2Jxx \033]0;title\007 back\rover \xe2\x80\xaeltr\xe2\x80\x8b zero\n'; } > "$work/brief" && mv "$work/brief" "$H/content/7f3a91c2-auth.md"
row 34 'B; mux pipe-pane -o "cat > $work/bytes"; pick 7f3a91c2-auth; K Enter; see "1 overview"; K 2; see sha256; K G; see "wipe"; mux pipe-pane; S | head -1 | grep -oE "^ baton"; grep -c $'"'\\e\\\\[2Jxx'"' "$work/bytes"; S | grep -oE "^ *(\||│).*wipe \^\[\[2Jxx \^\[\]0;title\^G back\^Mover"; flag pane_title' '.*baton 0 .*wipe .*\^Mover .*(payments|baton).*'
row 35 'S | grep -oE "<202E>ltr<200B> zero"' '<202E>ltr<200B> zero'
finish
