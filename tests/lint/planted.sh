#!/usr/bin/env bash
# tests/lint/planted.sh ROOT - the rules can fail: each breach is planted in a copy of a small tree, and rules.sh must name its line.
set -u
root=$(cd "$1" && pwd) || exit 1
work=$(mktemp -d "${TMPDIR:-/tmp}/baton-lint.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/core/ops" "$work/core/records" "$work/core/hook" "$work/tui" "$work/cli"
cp -R "$root/core/base" "$root/core/model" "$root/core/env.h" "$work/core/" && cp -R "$root/keymaps" "$root/views" "$work/" || exit 1
said=$(bash "$root/tests/lint/rules.sh" "$work" 2>&1) || { printf 'the small tree is not clean:\n%s\n' "$said"; exit 1; }
[ -z "$said" ] || { printf 'rules.sh says something of a clean tree:\n%s\n' "$said"; exit 1; }

# Planted: `plant FILE RULE CODE`. The breach is line 2 of FILE, of RULE; what names FILE without a line is for `plant_file`.
names=() rules=()
plant() {
  printf '/* %s - planted. */\n%s\n' "$1" "$3" > "$work/$1"
  names+=("$1:2") rules+=("$2")
}
fine=()
plant_fine() { # FILE CODE: looks like a breach and is none
  printf '/* %s - planted. */\n%s\n' "$1" "$2" > "$work/$1"
  fine+=("$1")
}
each() { # FOLDER RULE CODE...: one file for each
  local folder=$1 rule=$2 code n=0
  shift 2
  for code in "$@"; do
    n=$((n + 1))
    plant "$folder/planted_${rule%% *}_$(printf '%s' "${rule##* }" | tr -dc a-z0-9)_$n.c" "$rule" "$code"
  done
}

each core/base 1 '#include "views/surface.h"' '#include "core/model/gate.h"'
each cli 2 '#include <curses.h>' '#include <cjson/cJSON.h>' '#include <openssl/sha.h>' '#include <git2.h>' '#include <pcre2.h>' '#include <utf8proc.h>'
each core/ops 3 'int a = printf("");' 'void a(void) { exit(1); }' 'void a(void) { _exit (1); }' 'char *a = getenv("A");' \
  'long a = time(NULL);' 'struct tm *a = localtime(&t);' 'struct tm *a = localtime_r(&t, &b);' 'long a = mktime(&t);' \
  'int a = strftime(b, 1, "", &c);' 'int a = nanosleep(&b, NULL);' 'int a = sleep(1);' 'int a = clock_gettime(b, &c);' \
  'FILE *a = fopen("a", "r");' 'int a = isatty(0);' 'int a = getpid();' 'FILE *a = stdout;' 'int a = STDERR_FILENO;' 'char **a = environ;' \
  'int a = fork();' 'int a = chdir("/");'
each tui 4 'int a = linkat(1, "", 2, "", 0);' 'int a = symlinkat("", 2, "");' 'int a = fchmodat(1, "", 0, 0);' \
  'int a = utimensat(1, "", NULL, 0);' 'FILE *a = fopen("a", "w");' 'int a = rename("a", "b");' 'int a = open("a", O_WRONLY);' \
  'int a = open("a", O_RDWR | O_TRUNC);' 'int a = mkstemp(b);' 'int a = bt_fs_set_mtime_at(1, "", 0, NULL);' \
  'int a = bt_fs_replace_as_at(1, "", "", 0, 0, NULL);' 'int a = bt_fs_newly_made_at(1, "");' 'int a = bt_txn_make_root("", NULL);' \
  'int a = bt_txn_replace(b, "", "", 0, NULL);' 'int a = bt_write_file(1, "", "", 0, NULL);' 'int a = bt_draft_begin(&b, 1, "", 0, NULL);'
each core/hook 4 'int a = bt_fs_unlink_at(1, "", NULL);' 'int a = bt_store_lock_take(&b, 1, 0, true, NULL);'
each views 5 'void *a = malloc(1);' 'int a = read(1, b, 1);' 'long a = time(NULL);' 'int a = bt_fs_open_root("", NULL);' \
  'void a(void) { bt_str_puts(b, ""); }' 'void *a = bt_arena_alloc(b, 1);' 'void *a = bt_json_get(b, "");' 'FILE *a = fopen("", "r");' \
  '#include "core/ops/txn.h"' '#include "tui/app.h"'
each keymaps 6 '#include "views/surface.h"'
each tui 8 '#include "app.h"' '#include "tui/no_such_file.h"'
each cli 'of the house, banned' 'char *a = strcpy(b, c);' 'int a = atoi("1");' 'int a = system("");' 'int a = umask(0);'
each core/base 'of the house, typedef' 'typedef int number;' 'typedef void (*function)(void);'
printf '/* tui/other.c - planted. */\n' > "$work/tui/planted_first.c"
{ printf '/* tui/planted_long.c - planted. */\n'; yes '' | head -n 450; } > "$work/tui/planted_long.c"
printf '/* core/base/steady.c - the clock that is no longer asked here. */\n' > "$work/core/base/steady.c"

plant_fine core/ops/fine_text.c 'const char *a = "printf(x) typedef stdout"; /* time(NULL), malloc(1) */'
plant_fine core/ops/fine_name.c 'int a = bt_exit(1) + my_time(2) + b.timeout + typedefs;'
plant_fine tui/fine_null.c 'int a = open("/dev/null", O_WRONLY) + bt_fs_open_root("", NULL) + bt_fs_read_at(1, "", b, NULL);'
plant_fine core/records/fine_writer.c 'int a = bt_write_file(1, "", "", 0, NULL);'
plant_fine views/fine_slice.c 'struct bt_slice a = bt_slice_of("");'

said=$(bash "$root/tests/lint/rules.sh" "$work" 2>&1) && { echo 'rules.sh is content with a tree full of breaches'; exit 1; }
status=0
for ((i = 0; i < ${#names[@]}; i++)); do
  grep -qE "^rule ${rules[i]}: ${names[i]}[: ]" <<< "$said" || { printf 'not found: rule %s in: %s\n' "${rules[i]}" "$(sed -n 2p "$work/${names[i]%:2}")"; status=1; }
done
for name in "${fine[@]}"; do
  grep -F "$name" <<< "$said" && { printf 'and that is no breach\n'; status=1; }
done
for line in 'first line: tui/planted_first.c ' 'long file: tui/planted_long.c ' \
  'rule 3: core/base/steady.c no longer needs its exception for clock_gettime'; do
  grep -qF "$line" <<< "$said" || { printf 'not found: %s\n' "$line"; status=1; }
done
[ "$status" = 0 ] && printf '%d breaches planted, each was named\n' $((${#names[@]} + 3))
exit $status
