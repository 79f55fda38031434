/* tests/support/gate_box.h - a scratch folder with a ledger in it, and an env with a fixed clock and key, for the gate's
 * tests. */
#ifndef BATON_TESTS_SUPPORT_GATE_BOX_H
#define BATON_TESTS_SUPPORT_GATE_BOX_H

#include <stdbool.h>
#include <stdint.h>

#include "core/env.h"
#include "tests/support/scratch.h"

struct bt_json;

#define GATE_NOW_MS INT64_C(1791555727000) /* 2026-10-09T14:22:07.000Z */
#define GATE_KEY "test-key"

struct gate_box {
  struct scratch scratch;
  char ledger_dir[96];
  int ledger; /* descriptor of .adlc */
  int64_t now_ms;
  struct bt_env env; /* key loaded */
};

/* Setup and teardown for cmocka: *state is the box. */
int gate_box_setup(void **state);
int gate_box_teardown(void **state);

/* As scratch_text and scratch_folder, with the folders above. */
void gate_box_text(const struct gate_box *box, const char *path, const char *text);
void gate_box_folder(const struct gate_box *box, const char *path);

/* Writes .adlc/handoffs/denies/ID.json. `status` as it stands in the file; ticket and hash NULL: null. */
void gate_box_marker(const struct gate_box *box, const char *id, const char *status, const char *ticket,
                     const char *hash);
/* Writes a signed grant / authorization made with the box's key. */
void gate_box_grant(const struct gate_box *box, const char *session, const char *reason, int64_t written_at_ms);
void gate_box_auth(const struct gate_box *box, const char *consumer, const char *denied, const char *ticket,
                   const char *hash);

bool gate_box_exists(const struct gate_box *box, const char *path); /* a link counts, dangling or not */

/* Parses text written with ' for ", for readable tests; the caller's. Fails the test when it is not JSON. */
struct bt_json *gate_json(const char *text);

#endif
