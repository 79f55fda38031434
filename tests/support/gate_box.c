/* tests/support/gate_box.c - scratch ledgers. */
#include "tests/support/gate_box.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "core/base/json.h"
#include "core/store/auth.h"
#include "core/store/grant.h"

static int64_t fixed_now(void *context) {
  return ((const struct gate_box *)context)->now_ms;
}

int gate_box_setup(void **state) {
  struct gate_box *box = calloc(1, sizeof *box);
  assert_non_null(box);
  scratch_make(&box->scratch);
  scratch_folder(&box->scratch, ".adlc");
  snprintf(box->ledger_dir, sizeof box->ledger_dir, "%s/.adlc", box->scratch.path);
  box->ledger = openat(box->scratch.dir, ".adlc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  assert_true(box->ledger >= 0);
  box->now_ms = GATE_NOW_MS;
  box->env = (struct bt_env){.cwd = box->scratch.path,
                             .root = box->scratch.path,
                             .ledger_dir = box->ledger_dir,
                             .host = "build-07",
                             .user = "op",
                             .pid = 4242,
                             .key = GATE_KEY,
                             .key_length = strlen(GATE_KEY),
                             .home = box->scratch.path,
                             .state_dir = box->scratch.path,
                             .clock_context = box,
                             .now_ms = fixed_now};
  *state = box;
  return 0;
}

int gate_box_teardown(void **state) {
  struct gate_box *box = *state;
  close(box->ledger);
  scratch_remove(&box->scratch);
  free(box);
  return 0;
}

static void make_parents(const struct gate_box *box, const char *path) {
  char parent[1024];
  for (const char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
    snprintf(parent, sizeof parent, "%.*s", (int)(slash - path), path);
    if (!gate_box_exists(box, parent))
      scratch_folder(&box->scratch, parent);
  }
}

void gate_box_text(const struct gate_box *box, const char *path, const char *text) {
  make_parents(box, path);
  scratch_text(&box->scratch, path, text);
}

void gate_box_folder(const struct gate_box *box, const char *path) {
  make_parents(box, path);
  if (!gate_box_exists(box, path))
    scratch_folder(&box->scratch, path);
}

static void quoted(char *out, size_t size, const char *text) {
  snprintf(out, size, text ? "\"%s\"" : "null", text ? text : "");
}

void gate_box_marker(const struct gate_box *box, const char *id, const char *status, const char *ticket,
                     const char *hash) {
  char path[512], text[1024], ticket_text[128], hash_text[128];
  quoted(ticket_text, sizeof ticket_text, ticket);
  quoted(hash_text, sizeof hash_text, hash);
  snprintf(path, sizeof path, ".adlc/handoffs/denies/%s.json", id);
  snprintf(text, sizeof text,
           "{\n  \"session_id\": \"%s\",\n  \"ticket_id\": %s,\n  \"content_hash\": %s,\n  \"status\": \"%s\",\n"
           "  \"since\": \"2026-10-09T14:00:00.000Z\",\n  \"host\": \"claude\",\n  \"schema\": 1\n}\n",
           id, ticket_text, hash_text, status);
  gate_box_text(box, path, text);
}

static void write_pretty(const struct gate_box *box, const char *path, struct bt_json *document) {
  struct bt_str text;
  assert_non_null(document);
  bt_str_init(&text, 1 << 20);
  bt_json_print_pretty(&text, document);
  bt_str_putc(&text, '\n');
  gate_box_text(box, path, text.data);
  bt_str_dispose(&text);
  bt_json_free(document);
}

void gate_box_grant(const struct gate_box *box, const char *session, const char *reason, int64_t written_at_ms) {
  char path[512];
  snprintf(path, sizeof path, ".adlc/handoffs/%s.bypass-grant.json", session);
  write_pretty(box, path, bt_grant_build(session, reason, written_at_ms, bt_env_key(&box->env), NULL));
}

void gate_box_auth(const struct gate_box *box, const char *consumer, const char *denied, const char *ticket,
                   const char *hash) {
  char path[512];
  snprintf(path, sizeof path, ".adlc/handoffs/%s.resume-auth.json", consumer);
  write_pretty(box, path, bt_auth_build(ticket, hash, denied, consumer, box->now_ms, bt_env_key(&box->env), NULL));
}

bool gate_box_exists(const struct gate_box *box, const char *path) {
  struct stat st;
  return fstatat(box->scratch.dir, path, &st, AT_SYMLINK_NOFOLLOW) == 0;
}

struct bt_json *gate_json(const char *text) {
  char *copy = strdup(text);
  assert_non_null(copy);
  for (char *at = copy; *at; at++)
    if (*at == '\'')
      *at = '"';
  struct bt_json *json = bt_json_parse(copy, strlen(copy), NULL);
  free(copy);
  assert_non_null(json);
  return json;
}
