#!/usr/bin/env bash
# tests/lint/rules.sh ROOT - checks the dependency rules that one line each can state (docs/ARCHITECTURE.md).
# Prints every breach and exits 1; prints nothing else.
set -u
cd "$1" || exit 1
status=0
breach() { printf 'rule %s: %s\n' "$1" "$2"; status=1; }

sources=$(find core views keymaps tui cli -name '*.[ch]' | sort)
includes() { grep -nE '^[[:space:]]*#[[:space:]]*include' "$@" /dev/null; }
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

# 1. core includes nothing outside core; inside core, only towards base.
order='base model text harness store ops hook handover delivery records supervise'
rank() { local i=0 n; for n in $order; do i=$((i + 1)); [ "$n" = "$1" ] && { echo $i; return; }; done; echo 0; }
while IFS=: read -r file line text; do
  target=$(printf '%s' "$text" | sed -n 's/.*"\([^"]*\)".*/\1/p')
  [ -n "$target" ] || continue
  case "$target" in
    core/*) ;;
    *_embed.h) continue ;;
    *) breach 1 "$file:$line includes $target from outside core"; continue ;;
  esac
  from=$(printf '%s' "$file" | cut -d/ -f2)
  to=$(printf '%s' "$target" | cut -d/ -f2)
  case "$file" in core/*.h) [ "$(printf '%s' "$file" | tr -cd / | wc -c)" = 1 ] && from=supervise ;; esac
  [ "$target" = core/env.h ] && to=model
  [ "$(rank "$to")" -le "$(rank "$from")" ] || breach 1 "$file:$line: $from may not include $target"
done < <(includes $(find core -name '*.[ch]'))

# 2. One third-party header, one file.
one() { # PATTERN ALLOWED_FILE
  local hit
  for hit in $(includes $sources | grep -E "[<\"]($1)" | cut -d: -f1 | sort -u); do
    [ "$hit" = "$2" ] || breach 2 "$hit includes $1, which only $2 may"
  done
}
one '(n?curses|term)\.h|ncursesw/' tui/term.c
one 'cjson/|cJSON' core/base/json.c
one 'openssl/' core/base/digest.c
one 'git2' core/store/repo.c
one 'pcre2' core/text/redact.c
one 'utf8proc' core/base/utf8.c

# 3. core never prints, exits, or reads the environment, the clock or the terminal.
core_code=$(code $(find core -name '*.[ch]'))
printf '%s\n' "$core_code" | grep -E '[^a-zA-Z0-9_](printf|fprintf|vprintf|vfprintf|puts|putchar|fputs|perror|exit|_exit|abort|getenv|secure_getenv|setenv|putenv|time|clock_gettime|gettimeofday|isatty|tcgetattr|tcsetattr|ttyname|gethostname|getcwd|localeconv|setlocale)[[:space:]]*\(|[^a-zA-Z0-9_](stdout|stderr|stdin|environ)[^a-zA-Z0-9_]' |
  grep -vE '^tests/|lint: allow' > /tmp/.lint.$$ 2>/dev/null
# A child between fork and exec may only leave by _exit; a bounded wait needs the monotonic clock.
while IFS= read -r hit; do
  file=${hit%%:*}
  case "$file" in
    core/store/git_run.c | core/base/child.c | core/supervise/process.c | core/hook/deadline.c | core/ops/ledger_lock.c | core/base/wait.c)
      printf '%s' "$hit" | grep -qE '_exit|clock_gettime|environ' && continue ;;
  esac
  [ -n "$hit" ] && breach 3 "$hit"
done < /tmp/.lint.$$
rm -f /tmp/.lint.$$

# 4. Only the ledger's writer and each other store's one writer use the writing half of core/base/fs.h.
writers='core/base/fs_write.c core/base/fs_change.c core/base/fs_walk.c core/ops/txn.c core/ops/actionlog.c core/ops/trash.c core/ops/sample.c core/harness/index_write.c core/hook/settings_write.c core/supervise/status.c core/records/write.c core/delivery/write.c core/handover/write.c core/ops/marks.c'
while IFS=: read -r file line text; do
  case " $writers " in *" $file "*) continue ;; esac
  case "$file" in *.h) continue ;; esac
  breach 4 "$file:$line:$text"
done < <(code $(find core views keymaps tui cli -name '*.c') |
  grep -E 'bt_fs_(make_folders|replace|create|overwrite|append|unlink|rename)_at[[:space:]]*\(|[^a-zA-Z0-9_](rename|renameat|renameat2|unlink|unlinkat|mkdir|mkdirat|rmdir|truncate|ftruncate|symlink|link|chmod|fchmod)[[:space:]]*\(|O_CREAT')

# 5. Views include core/model and core/base only.  6. Keymaps include core/base only.
while IFS=: read -r file line text; do
  target=$(printf '%s' "$text" | sed -n 's/.*"\([^"]*\)".*/\1/p')
  case "$target" in '' | views/* | core/model/* | core/base/*) ;; *) breach 5 "$file:$line includes $target" ;; esac
done < <(includes $(find views -name '*.[ch]'))
while IFS=: read -r file line text; do
  target=$(printf '%s' "$text" | sed -n 's/.*"\([^"]*\)".*/\1/p')
  case "$target" in '' | keymaps/* | core/base/* | *_embed.h) ;; *) breach 6 "$file:$line includes $target" ;; esac
done < <(includes $(find keymaps -name '*.[ch]'))
code $(find views -name '*.c') | grep -E '[^a-zA-Z0-9_](malloc|calloc|realloc|strdup|open|openat|read|time|clock_gettime)[[:space:]]*\(' |
  grep -vE '^views/(prepare|surface)[a-z_]*\.c' | while IFS= read -r hit; do printf 'rule 5: %s\n' "$hit"; done | { ! grep . ; } || status=1
# tui is seen by cmd_ui alone.
while IFS=: read -r file line text; do
  case "$file" in cli/cmd_ui*.c) ;; *) breach 5 "$file:$line: only cli/cmd_ui.c may include tui/" ;; esac
done < <(includes $(find cli core views keymaps -name '*.[ch]') | grep '"tui/')

# 8. Includes are written from the root and exist.
while IFS=: read -r file line text; do
  target=$(printf '%s' "$text" | sed -n 's/.*"\([^"]*\)".*/\1/p')
  [ -n "$target" ] || continue
  case "$target" in *_embed.h) continue ;; esac
  case "$target" in */*) [ -f "$target" ] || breach 8 "$file:$line: no such file $target" ;; *) breach 8 "$file:$line: $target is not written from the root" ;; esac
done < <(includes $sources)

# House rules that a grep can hold: banned calls, a first line that says what the file is, files one can read at a sitting.
code $sources | grep -E '[^a-zA-Z0-9_](strcpy|strcat|sprintf|vsprintf|gets|strtok|system|popen|alloca|tmpnam|mktemp|atoi|atol|atof)[[:space:]]*\(' |
  while IFS= read -r hit; do printf 'banned: %s\n' "$hit"; done | { ! grep . ; } || status=1
for file in $sources; do
  head -n 1 "$file" | grep -qF "/* $file - " || { printf 'first line: %s does not begin "/* %s - "\n' "$file" "$file"; status=1; }
  lines=$(wc -l < "$file")
  [ "$lines" -le 450 ] || { printf 'long file: %s has %s lines\n' "$file" "$lines"; status=1; }
done
exit $status
