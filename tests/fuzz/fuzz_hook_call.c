/* tests/fuzz/fuzz_hook_call.c - any bytes as a hook document: what is read stays inside its limits, and what is answered is
 * JSON of one line. */
#include <string.h>

#include "core/base/json.h"
#include "core/hook/answer.h"
#include "core/hook/call.h"
#include "core/hook/judge.h"
#include "tests/fuzz/fuzz.h"

static void check_answer(const struct bt_hook_call *call, const char *session) {
  const char *codes[2] = {"D0:invalid_session_id", call->path_count > 0 ? call->paths[0] : "none"};
  const struct bt_denial denial = {.kind = BT_DENIAL_HANDOFF,
                                   .reasons = codes,
                                   .count = 2,
                                   .detail = call->tool,
                                   .program = "/usr/bin/baton",
                                   .session_id = session};
  struct bt_str reason, document;
  bt_str_init(&reason, BT_ANSWER_MAX);
  bt_str_init(&document, 2 * BT_ANSWER_MAX);
  bt_answer_reason(&reason, &denial);
  bt_answer_deny(&document, reason.data);
  FUZZ_CHECK(!reason.failed && !document.failed);
  FUZZ_CHECK(memchr(document.data, '\n', document.length) == document.data + document.length - 1);
  struct bt_json *json = bt_json_parse(document.data, document.length, NULL);
  FUZZ_CHECK(json != NULL);
  bt_json_free(json);
  bt_str_dispose(&reason);
  bt_str_dispose(&document);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  for (int harness = BT_HOOK_ANY; harness <= BT_HOOK_CODEX; harness++) {
    struct bt_hook_call call;
    struct bt_str session;
    enum bt_code code = bt_hook_call_read((const char *)data, size, (enum bt_hook_harness)harness, &call, NULL);
    bt_str_init(&session, 3 * BT_HOOK_DOCUMENT_MAX);
    FUZZ_CHECK(call.path_count <= BT_HOOK_PATHS_MAX);
    if (code == BT_OK) {
      FUZZ_CHECK(call.tool != NULL && (call.gated || call.path_count == 0));
      FUZZ_CHECK(!call.is_shell || call.gated);
      bt_hook_session(&session, &call);
      if (bt_hook_is_recovery(&call, "/bin/sh", session.data))
        FUZZ_CHECK(call.is_shell && call.command_count == 1);
      check_answer(&call, session.data);
    }
    bt_str_dispose(&session);
    bt_hook_call_dispose(&call);
  }
  return 0;
}
