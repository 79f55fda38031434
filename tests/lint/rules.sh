#!/usr/bin/env bash
# tests/lint/rules.sh ROOT - checks the dependency rules that one line each can state (docs/ARCHITECTURE.md).
# Prints every breach and exits 1; prints nothing else.
set -u
cd "$1" || exit 1
status=0
breach() { printf 'rule %s: %s\n' "$1" "$2"; status=1; }

sources=$(find core views keymaps tui cli -name '*.[ch]' | sort)
# Code without comments and string literals (but the null device), "file:line:text".
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
          else out = out (tok == "\"/dev/null\"" ? tok : "\"\"")
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


# Prints the lines of standard input that hold one of WORDS and are no exception: "file word word, file word". An exception that
# its file no longer needs is named too, so that the list says what is true. KIND is call or word.
refuse() { # RULE KIND WORDS EXCEPTIONS
  awk -v rule="$1" -v kind="$2" -v words="$3" -v exceptions="${4:-}" '
    BEGIN {
      count = split(exceptions, files, /, */)
      for (i = 1; i <= count; i++) {
        n = split(files[i], parts, " ")
        for (k = 2; k <= n; k++) may[parts[1] " " parts[k]] = 1
      }
      pattern = "(^|[^a-zA-Z0-9_])(" words ")" (kind == "call" ? "[ \t]*\\(" : "($|[^a-zA-Z0-9_])")
    }
    {
      file = substr($0, 1, index($0, ":") - 1)
      text = substr($0, length(file) + 2)
      text = substr(text, index(text, ":") + 1)
      while (match(text, pattern)) {
        name = substr(text, RSTART, RLENGTH)
        text = substr(text, RSTART + RLENGTH - 1)
        gsub(/[^a-zA-Z0-9_]/, "", name)
        if ((file " " name) in may) { may[file " " name] = 2; continue }
        print "rule " rule ": " $0
        break
      }
    }
    END {
      for (key in may) {
        split(key, parts, " ")
        if (may[key] == 1 && (getline line < parts[1]) >= 0) print "rule " rule ": " parts[1] " no longer needs its exception for " parts[2]
      }
    }' | { ! grep . ; } || status=1
}
core_code=$(code $(find core -name '*.[ch]'))
all_code=$(code $sources)

# 3. core never prints, exits, or reads the environment, the clock or the terminal. Where it must, one file does it for all of core.
# The child between fork and exec, and the watch that ends the process in time, may leave by _exit; a temporary's name holds
# our pid so that a sweep can tell whose it is; mktime knows the time zone, which a time without an offset is in.
refuse 3 call 'printf|fprintf|vprintf|vfprintf|dprintf|vdprintf|puts|putchar|putc|fputs|fputc|fwrite|fflush|perror|syslog|psignal|exit|_exit|_Exit|quick_exit|abort|atexit|raise|getenv|secure_getenv|setenv|unsetenv|putenv|clearenv|time|clock|clock_gettime|clock_getres|gettimeofday|timespec_get|localtime|localtime_r|gmtime|gmtime_r|mktime|timegm|ctime|ctime_r|asctime|strftime|tzset|nanosleep|clock_nanosleep|sleep|usleep|alarm|setitimer|isatty|tcgetattr|tcsetattr|tcgetpgrp|ttyname|ttyname_r|ctermid|ioctl|gethostname|uname|getcwd|get_current_dir_name|chdir|fchdir|umask|getpid|getppid|getuid|geteuid|getgid|getegid|getlogin|getpwuid|getpwuid_r|getpwnam|localeconv|setlocale|nl_langinfo|fopen|fdopen|freopen|tmpfile|scanf|getchar|getline|system|popen|fork|vfork|execv|execve|execvp|execl|execlp' \
  'core/base/steady.c clock_gettime, core/base/clock.c mktime, core/base/child.c nanosleep, core/supervise/process.c fork execvp _exit chdir, core/hook/deadline.c _exit, core/base/fs_write.c getpid, core/records/write.c getpid nanosleep, core/handover/write.c getpid nanosleep, core/delivery/write.c nanosleep, core/ops/txn.c nanosleep, core/ops/ledger_lock.c nanosleep' <<< "$core_code"
refuse 3 word 'stdout|stderr|stdin|STDIN_FILENO|STDOUT_FILENO|STDERR_FILENO|environ|CLOCK_REALTIME' \
  'core/base/child.c environ STDIN_FILENO STDOUT_FILENO STDERR_FILENO, core/supervise/process.c environ STDIN_FILENO STDOUT_FILENO STDERR_FILENO, core/hook/deadline.c STDOUT_FILENO STDERR_FILENO' <<< "$core_code"

# 4. Only the ledger's writer and each other store's one writer change files. What is not in the reading half of core/base/fs.h
# counts as the writing half, so that a new function needs no new line here.
writers='core/base/fs_write.c core/base/fs_change.c core/base/fs_walk.c core/base/fs_whole.c core/ops/txn.c core/ops/actionlog.c core/ops/trash.c core/ops/own_file.c core/ops/sample.c core/harness/index_write.c core/hook/settings_write.c core/supervise/status.c core/records/write.c core/delivery/write.c core/handover/write.c core/ops/state_file.c'
outside=$(printf '%s\n' "$all_code" | awk -v writers=" $writers " '
  { file = substr($0, 1, index($0, ":") - 1) }
  file !~ /\.h$/ && index(writers, " " file " ") == 0 {
    gsub(/bt_fs_(open_root|open_file_at|open_folder_at|openat|stat_at|read_at|read_and_stat_at|read_fd|read_tail_at|list_at|listing_dispose|fail|refuse_kind)[ \t]*\(/, "(")
    print
  }')
# stderr is kept in a nameless file while the screen is curses own; the two files of /proc are read by stdio.
refuse 4 call 'bt_fs_[a-z_]*|bt_txn_make_root|rename|renameat|renameat2|unlink|unlinkat|remove|mkdir|mkdirat|rmdir|truncate|ftruncate|fallocate|posix_fallocate|symlink|symlinkat|link|linkat|chmod|fchmod|fchmodat|lchmod|chown|fchown|fchownat|lchown|utime|utimes|utimensat|futimens|mknod|mknodat|mkfifo|mkfifoat|creat|mkstemp|mkostemp|mkdtemp|tmpfile|fopen|freopen|copy_file_range|setxattr|fsetxattr|pwrite|pwritev' \
  'tui/capture.c tmpfile, cli/proc.c fopen' <<< "$outside"
refuse 4 word 'O_CREAT|O_TRUNC|O_APPEND|O_TMPFILE|O_WRONLY|O_RDWR' <<< "$(grep -v '"/dev/null"' <<< "$outside")"
# A writer's functions are called in its own folder alone. Operations of the ledger are core/ops; the gate spends and marks.
refuse 4 call 'bt_txn_(open|replace|create|overwrite|append|unlink|unlink_if|rename|make_folders|undo|commit)' \
  'core/hook/pretool.c bt_txn_open bt_txn_unlink' <<< "$(grep -v '^core/ops/' <<< "$outside")"
refuse 4 call 'bt_(draft|growth)_[a-z_]*|bt_store_lock_take|bt_write_(file|folder|folders|move|remove_file|remove_empty|sweep|sync)' \
  <<< "$(grep -v '^core/records/' <<< "$outside")"

# 5. Views cannot fail, allocate, block, read or know the time; what is allocated once for many frames is in views/prepare.c.
views_code=$(grep '^views/' <<< "$all_code")
refuse 5 call 'malloc|calloc|realloc|reallocarray|aligned_alloc|free|strdup|strndup|asprintf|vasprintf|open_memstream|getline|open|openat|close|read|pread|write|poll|select|stat|lstat|fstat|fstatat|opendir|readdir|fopen|fread|fgets|fclose|getenv|time|clock|clock_gettime|gettimeofday|localtime|localtime_r|gmtime|gmtime_r|mktime|strftime|nanosleep|sleep|usleep|printf|puts|fprintf|bt_(str|arena|fs|json|tape|child|thread|steady|digest|hashset|error)_[a-z0-9_]*' \
  'views/prepare.c malloc calloc realloc free bt_error_set' <<< "$views_code"

# House rules that a grep can hold: banned calls, no typedefs, a first line that says what the file is, files one can read at a
# sitting.
refuse 'of the house, banned' call 'strcpy|strcat|stpcpy|sprintf|vsprintf|gets|strtok|system|popen|alloca|tmpnam|tempnam|mktemp|atoi|atol|atoll|atof|umask' <<< "$all_code"
refuse 'of the house, typedef' word 'typedef' <<< "$all_code"
awk 'FNR == 1 { if (index($0, "/* " FILENAME " - ") != 1) printf "first line: %s does not begin \"/* %s - \"\n", FILENAME, FILENAME }
  FNR == 451 { printf "long file: %s has more than 450 lines\n", FILENAME }' $sources | { ! grep . ; } || status=1
exit $status
