#!/usr/bin/env bash
# tests/rows/rows_timing.sh ROOT BATON - rows 80, 84, 85, 87, 88 and 104: how soon, how quiet, how steady, how large.
# Each time is the best of three, so that one busy moment of the machine decides nothing. BATON_ROWS_LONG=1: at full length.
. "$(dirname "$0")/lib.sh"
fixture
long=${BATON_ROWS_LONG:-} slack=${BATON_ROWS_SLACK:-1} # a build with sanitizers is several times slower

milliseconds() { echo $(($(date +%s%N) / 1000000)); }
best_of_3() { # BEFORE ACT EXPRESSION: the fewest milliseconds from ACT until the screen (no longer, with `!`) matches
  local best=999999 took began tries absent wanted
  for _ in 1 2 3; do
    eval "$1"
    began=$(milliseconds)
    eval "$2"
    tries=0 absent=0
    wanted=$(eval "echo \"$3\"")
    case $wanted in '! '*) absent=1 ;; esac
    while [ $tries -lt 1000 ]; do
      shows "${wanted#! }"
      [ $? = $absent ] && break
      tries=$((tries + 1))
    done
    took=$(($(milliseconds) - began))
    [ $took -lt $best ] && best=$took
  done
  echo "$best"
}
less() { if [ "$1" -lt $(($2 * slack)) ]; then echo "$1 ms, less than $2"; else echo "$1 ms, too late"; fi; }

row 80 'B; less "$(best_of_3 "K ?; await LOOK" "K Escape" "! LOOK")" 150' '[0-9]+ ms, less than 150'
n=0
fresh() { n=$((n + 1)); await '! BLOCKED'; }
row 84 'B; see " live "; less "$(best_of_3 fresh "add_deny late-\$n" "late-\$n ")" 1000' '[0-9]+ ms, less than 1000'
rm "$FIX/$H"/denies/late-*
row 84 'B --no-inotify; see "poll"; less "$(best_of_3 fresh "add_deny late-\$n" "late-\$n ")" 3000' '[0-9]+ ms, less than 3000'
rm "$FIX/$H"/denies/late-*

# ---- steadiness ----
above() { S | sed '/^▸/q' | grep -cE '^ +! BLOCKED'; }
row 85 'B; pick sess-1; K Escape; see "── [0-9]+ sessions"; see "^▸.*sess-1 "; above; for i in 1 2 3 4 5;
  do add_deny "sess-0$i"; sed -i "s/\"since\": \"[^\"]*\"/\"since\": \"$(ago "1 minute")\"/" $H/denies/sess-0$i.json; done;
  see "BLOCKED 12"; see "^▸.*sess-1 "; selected; above' '5 sess-1 10'
row 85 'pick 7f3a91c2-auth; K Escape; see "^▸.*7f3a91c2-auth"; rm $H/denies/sess-0*.json; see "BLOCKED 12|BLOCKED 7|store";
  see "^▸.*7f3a91c2-auth"; selected' '7f3a91c2-auth'
fixture
flicker() { # a lock comes and goes every 100 ms for two seconds; how often does what is shown of it change?
  cp $H/91ab77e0.lock "$work/kept"
  (for _ in 1 2 3 4 5 6 7 8 9 10; do rm $H/91ab77e0.lock; sleep 0.1; cp "$work/kept" $H/91ab77e0.lock; sleep 0.1; done) &
  local toggler=$! shown last= changes=-1
  while kill -0 $toggler 2> /dev/null; do
    shown=$(S | sed -n 's/^[▸ ] [!x~*^ ] \([A-Z-]*\) *91ab77e0 .*/\1/p')
    [ "$shown" = "$last" ] || changes=$((changes + 1))
    last=$shown
  done
  echo "$changes changes"
}
row 88 'B; see "^..x STALE-LOCK +91ab77e0"; flicker; see "^..x STALE-LOCK +91ab77e0"' '[01] changes'

# ---- idle: between two redraws of the clock; a live grant would count down every second ----
rm "$FIX/$H"/*.bypass-grant.json
idle=10 && [ -n "$long" ] && idle=50
cpu() { awk -v tick="$(getconf CLK_TCK)" '{ print int(($14 + $15) * 1000 / tick) }' "/proc/$(process)/stat"; }
quiet() {
  local before
  soon settled "$(process)" # what was asked for while it opened
  while [ $((10#$(date +%S) + idle + 3)) -gt 59 ]; do sleep 0.2; done
  mux pipe-pane -o "cat > '$work/bytes'"
  before=$(cpu)
  sleep "$idle" # the interval that is measured
  echo "$idle s: $(($(cpu) - before)) ms of CPU, $(wc -c < "$work/bytes") bytes written"
  mux pipe-pane
}
row 87 'B; gone "grant live"; quiet' "$idle s: ([0-9]|[1-4][0-9]) ms of CPU, 0 bytes written"

# ---- a large store of transcripts ----
files=1000 bytes=$((64 << 20)) && [ -n "$long" ] && files=5000 bytes=$((2 << 30))
if [ -x "$tools/gen_transcripts" ] && [ -x "$tools/timeit" ]; then
  "$tools/gen_transcripts" --store "$work/large" "$files" "$bytes" "$FIX" > /dev/null
  export CLAUDE_CONFIG_DIR=$work/large
  large() { # warm: the third run; then the largest memory
    "$tools/timeit" 3 -- "$baton" list --json | awk '{ printf "%d ms, %d KiB\n", $1, $4 }'
  }
  row 104 'baton list --json | jq ".sessions | length"; baton list --json > /dev/null; large |
    awk -v slack=$slack "{ print; exit !(\$1 < 1000 * slack && \$3 < 65536 * slack) }" && echo within' \
    '[0-9]+ [0-9]+ ms, [0-9]+ KiB within'
else
  cannot 104 'the generator of transcripts is not built'
fi
finish
