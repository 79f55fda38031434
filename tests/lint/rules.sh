#!/usr/bin/env bash
# tests/lint/rules.sh ROOT - checks the dependency rules that one line each can state (docs/ARCHITECTURE.md).
# Prints every breach and exits 1; prints nothing else.
set -u
cd "$1" || exit 1
status=0
breach() { printf 'rule %s: %s\n' "$1" "$2"; status=1; }

sources=$(find core views keymaps tui cli -name '*.[ch]' | sort)
# Code without comments and string literals, "file:line:text".
code() {
  awk '
    FNR == 1 { in_comment = 0 }
    {
      line = $0; out = ""
      while (line != "") {
        if (in_comment) {
          p = index(line, "*/")
          if (!p) { line = ""; break }
          line = substr(line, p + 2); in_comment = 0
        } else if (match(line, /"([^"\\]|\\.)*"|\/\*|\/\//)) {
          tok = substr(line, RSTART, RLENGTH)
          out = out substr(line, 1, RSTART - 1)
          line = substr(line, RSTART + RLENGTH)
          if (tok == "/*") in_comment = 1
          else if (tok == "//") line = ""
          else out = out "\"\""
        } else { out = out line; line = "" }
      }
      if (out ~ /[^ \t]/) print FILENAME ":" FNR ":" out
    }' "$@"
}

# 1, 2, 5, 6, 8. Who may include what, in one pass over every include line.
include_breaches() {
  awk '
    function top(path) { return substr(path, 1, index(path, "/") - 1) }
    function layer(path,   parts, n) {
      if (path == "core/env.h") return "model"
      n = split(path, parts, "/")
      return n < 3 ? "supervise" : parts[2] # a header of core itself may use all of it
    }
    function breach(rule, text) { printf "rule %s: %s:%d %s\n", rule, FILENAME, FNR, text }
    function third_party(pattern, owner) { if (target ~ pattern && FILENAME != owner) breach(2, "includes " target ", which only " owner " may") }
    BEGIN {
      n = split("base model text harness store ops hook handover delivery records supervise", order, " ")
      for (i = 1; i <= n; i++) rank[order[i]] = i
    }
    /^[ \t]*#[ \t]*include[ \t]*[<"]/ {
      quoted = ($0 ~ /include[ \t]*"/)
      target = $0
      sub(/^[^<"]*[<"]/, "", target); sub(/[>"].*$/, "", target)
      third_party("^(n?curses|term)\\.h$|ncursesw/", "tui/term.c")
      third_party("^cjson/|cJSON", "core/base/json.c")
      third_party("^openssl/", "core/base/digest.c")
      third_party("^git2", "core/store/repo.c")
      third_party("pcre2", "core/text/redact.c")
      third_party("utf8proc", "core/base/utf8.c")
      if (!quoted || target ~ /_embed\.h$/) next
      if (target !~ /\//) { breach(8, target " is not written from the root"); next }
      if (!(target in there)) { there[target] = ((getline line < target) >= 0); close(target) }
      if (!there[target]) breach(8, "no such file " target)
      from = top(FILENAME); to = top(target)
      if (from == "core") {
        if (to != "core") breach(1, "includes " target " from outside core")
        else if (rank[layer(target)] > rank[layer(FILENAME)]) breach(1, layer(FILENAME) " may not include " target)
      }
      if (from == "views" && target !~ /^(views|core\/model|core\/base)\//) breach(5, "includes " target)
      if (from == "keymaps" && target !~ /^(keymaps|core\/base)\//) breach(6, "includes " target)
      if (to == "tui" && from != "tui" && FILENAME !~ /^cli\/cmd_ui/) breach(5, "only cli/cmd_ui.c may include tui/")
    }' $sources
}
include_breaches | { ! grep . ; } || status=1

# 3. core never prints, exits, or reads the environment, the clock or the terminal. A child between fork and exec may only leave by
# _exit; a bounded wait needs the monotonic clock: the files that do either are named.
waiters='core/store/git_run.c core/base/child.c core/supervise/process.c core/hook/deadline.c core/ops/ledger_lock.c core/base/wait.c'
core_code=$(code $(find core -name '*.[ch]'))
printf '%s\n' "$core_code" |
  grep -E '[^a-zA-Z0-9_](printf|fprintf|vprintf|vfprintf|puts|putchar|fputs|perror|exit|_exit|abort|getenv|secure_getenv|setenv|putenv|time|clock_gettime|gettimeofday|isatty|tcgetattr|tcsetattr|ttyname|gethostname|getcwd|localeconv|setlocale)[[:space:]]*\(|[^a-zA-Z0-9_](stdout|stderr|stdin|environ)[^a-zA-Z0-9_]' |
  awk -v waiters=" $waiters " '{ file = substr($0, 1, index($0, ":") - 1) }
    index(waiters, " " file " ") && /_exit|clock_gettime|environ/ { next }
    { print "rule 3: " $0 }' | { ! grep . ; } || status=1

# 4. Only the ledger's writer and each other store's one writer use the writing half of core/base/fs.h.
writers='core/base/fs_write.c core/base/fs_change.c core/base/fs_walk.c core/base/fs_whole.c core/ops/txn.c core/ops/actionlog.c core/ops/trash.c core/ops/own_file.c core/ops/sample.c core/harness/index_write.c core/hook/settings_write.c core/supervise/status.c core/records/write.c core/delivery/write.c core/handover/write.c core/ops/marks.c'
while IFS=: read -r file line text; do
  case " $writers " in *" $file "*) continue ;; esac
  case "$file" in *.h) continue ;; esac
  breach 4 "$file:$line:$text"
done < <(code $(find core views keymaps tui cli -name '*.c') |
  grep -E 'bt_fs_(make_folders|replace|create|overwrite|append|unlink|rename)_at[[:space:]]*\(|[^a-zA-Z0-9_](rename|renameat|renameat2|unlink|unlinkat|mkdir|mkdirat|rmdir|truncate|ftruncate|symlink|link|chmod|fchmod)[[:space:]]*\(|O_CREAT')

# 5. Views cannot fail, allocate, block or know the time.
code $(find views -name '*.c') | grep -E '[^a-zA-Z0-9_](malloc|calloc|realloc|strdup|open|openat|read|time|clock_gettime)[[:space:]]*\(' |
  grep -vE '^views/(prepare|surface)[a-z_]*\.c' | sed 's/^/rule 5: /' | { ! grep . ; } || status=1

# House rules that a grep can hold: banned calls, a first line that says what the file is, files one can read at a sitting.
code $sources | grep -E '[^a-zA-Z0-9_](strcpy|strcat|sprintf|vsprintf|gets|strtok|system|popen|alloca|tmpnam|mktemp|atoi|atol|atof)[[:space:]]*\(' |
  while IFS= read -r hit; do printf 'banned: %s\n' "$hit"; done | { ! grep . ; } || status=1
awk 'FNR == 1 { if (index($0, "/* " FILENAME " - ") != 1) printf "first line: %s does not begin \"/* %s - \"\n", FILENAME, FILENAME }
  FNR == 451 { printf "long file: %s has more than 450 lines\n", FILENAME }' $sources | { ! grep . ; } || status=1
exit $status
