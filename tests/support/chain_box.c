/* tests/support/chain_box.c - evidence made by hand. */
#define _XOPEN_SOURCE 700
#include "tests/support/chain_box.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/base/fs.h"
#include "core/base/json.h"
#include "core/store/manifest.h"
#include "core/store/sign.h"

#define TEXT_MAX ((size_t)256 << 20)

void chain_box_init(struct chain_box *box) {
  memset(box, 0, sizeof *box);
  bt_str_init(&box->text, TEXT_MAX);
  box->eol = "\n";
}

void chain_box_dispose(struct chain_box *box) {
  bt_str_dispose(&box->text);
}

void chain_entry_text(struct bt_str *out, const char *seq, const char *prev, const char *more, const char *key) {
  struct bt_str text;
  bt_str_init(&text, TEXT_MAX);
  bt_str_printf(&text,
                "{\"seq\":%s,\"gate\":\"test-gate\",\"ts\":\"2026-11-30T13:33:05.029Z\",\"data\":{\"session_id\":"
                "\"s1\",\"n\":%s},\"files\":{},%s\"prev\":%s}",
                seq, seq, more != NULL ? more : "", prev);
  struct bt_json *entry = bt_json_parse(text.data, text.length, NULL);
  assert_non_null(entry);
  if (key != NULL) {
    struct bt_str payload;
    char sig[BT_SHA256_HEX];
    bt_str_init(&payload, TEXT_MAX);
    bt_entry_payload(&payload, entry);
    assert_true(bt_sign_hex((struct bt_key){.bytes = key, .length = strlen(key)}, &payload, sig));
    assert_int_equal(bt_json_set_string(entry, "sig", sig), BT_OK);
    bt_str_dispose(&payload);
  }
  bt_json_print_compact(out, entry);
  bt_json_free(entry);
  bt_str_dispose(&text);
}

void chain_box_add_raw(struct chain_box *box, const char *line) {
  bt_str_puts(&box->text, line);
  bt_str_puts(&box->text, box->eol);
  size_t length = strlen(line);
  char *raw = malloc(length + 2);
  assert_non_null(raw);
  memcpy(raw, line, length);
  if (box->eol[0] == '\r') /* a CR belongs to the line */
    raw[length++] = '\r';
  assert_true(bt_line_hash(raw, length, box->hash));
  free(raw);
}

void chain_box_add(struct chain_box *box, const char *more, const char *key) {
  struct bt_str line;
  char seq[32], prev[BT_SHA256_HEX + 2] = "null";
  bt_str_init(&line, TEXT_MAX);
  box->seq++;
  (void)snprintf(seq, sizeof seq, "%.0f", box->seq);
  if (box->hash[0] != '\0')
    (void)snprintf(prev, sizeof prev, "\"%s\"", box->hash);
  chain_entry_text(&line, seq, prev, more, key);
  chain_box_add_raw(box, line.data);
  bt_str_dispose(&line);
}

void chain_box_write(const struct chain_box *box, const struct fixture *fixture, const char *path) {
  fixture_write(fixture, path, box->text.data);
}

int open_ledger(const struct fixture *fixture) {
  struct bt_error err = {0};
  int fd = bt_fs_open_root(fixture->env.ledger_dir, &err);
  assert_true(fd >= 0);
  return fd;
}

/* ---- git ---- */

static void become_git(const char *folder, va_list args, int out) {
  char *argv[32] = {(char[]){"git"}, (char[]){"-c"}, (char[]){"user.name=op"}, (char[]){"-c"},
                    (char[]){"user.email=op@host.example"}};
  size_t count = 5;
  for (char *arg = va_arg(args, char *); arg != NULL && count < 31; arg = va_arg(args, char *))
    argv[count++] = arg;
  if (chdir(folder) == 0 && dup2(out, STDOUT_FILENO) >= 0 && freopen("/dev/null", "w", stderr) != NULL &&
      setenv("GIT_CONFIG_NOSYSTEM", "1", 1) == 0 && setenv("GIT_CONFIG_GLOBAL", "/dev/null", 1) == 0)
    (void)execvp("git", argv);
  _exit(127);
}

static bool run_git(struct bt_str *out, const char *folder, va_list args) {
  int ends[2], status = 0;
  char bytes[4096];
  ssize_t got;
  assert_int_equal(pipe(ends), 0);
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0)
    become_git(folder, args, ends[1]);
  close(ends[1]);
  while ((got = read(ends[0], bytes, sizeof bytes)) > 0) {
    if (out != NULL)
      bt_str_append(out, bytes, (size_t)got);
  }
  close(ends[0]);
  assert_int_equal(waitpid(child, &status, 0), child);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

void git_box(const char *folder, ...) {
  va_list args;
  va_start(args, folder);
  bool ok = run_git(NULL, folder, args);
  va_end(args);
  assert_true(ok);
}

bool git_box_says(struct bt_str *out, const char *folder, ...) {
  va_list args;
  va_start(args, folder);
  bool ok = run_git(out, folder, args);
  va_end(args);
  return ok;
}
