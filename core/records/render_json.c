/* core/records/render_json.c - HANDOFF.summary.json and the head of HANDOFF.llm.json (render.h). */
#include <string.h>

#include "core/records/manifest.h"
#include "core/records/render_head.h"
#include "core/records/units.h"

#define SUMMARY_STATE_UNITS 600

/* Copies a value of the manifest under another name; an absent one stays absent. */
static enum bt_code copy_value(struct bt_json *to, const char *key, const struct bt_json *manifest, const char *from) {
  const struct bt_json *value = bt_json_get(manifest, from);
  return value != NULL ? bt_json_set(to, key, bt_json_clone(value)) : BT_OK;
}

static struct bt_json *session_of(const struct bt_render *render) {
  struct bt_json *session = bt_json_new_object();
  if (session != NULL && bt_json_set_string(session, "id", render->id) == BT_OK &&
      copy_value(session, "harness", render->manifest, "harness") == BT_OK &&
      copy_value(session, "model", render->manifest, "model") == BT_OK &&
      (render->title == NULL || bt_json_set_string(session, "title", render->title) == BT_OK))
    return session;
  bt_json_free(session);
  return NULL;
}

static struct bt_json *loops_of(const struct bt_render *render) {
  struct bt_json *list = bt_json_new_array();
  const struct bt_loops *loops = &render->gist->loops;
  for (size_t i = 0; list != NULL && i < loops->count; i++) {
    if (bt_json_push(list, bt_json_new_string(loops->lines[i])) != BT_OK) {
      bt_json_free(list);
      return NULL;
    }
  }
  return list;
}

static struct bt_json *artifacts(void) {
  struct bt_json *artifacts = bt_json_new_object();
  if (artifacts != NULL && bt_json_set_string(artifacts, "full_payload", BT_FILE_PAYLOAD) == BT_OK &&
      bt_json_set_string(artifacts, "timeline", BT_FILE_TIMELINE) == BT_OK &&
      bt_json_set_string(artifacts, "tool_calls", BT_FILE_TOOLS) == BT_OK)
    return artifacts;
  bt_json_free(artifacts);
  return NULL;
}

static struct bt_json *provenance_of(const struct bt_json *manifest) {
  static const char *const keys[][2] = {
      {"sources", "source_paths"}, {"raw_sha256", "raw_sha256"}, {"manifest_sha256", "manifest_sha256"},
      {"revision", "revisions"},   {"watermark", "watermark"},   {"total_turns", "turn_count"}};
  struct bt_json *provenance = bt_json_new_object();
  for (size_t i = 0; provenance != NULL && i < sizeof keys / sizeof *keys; i++) {
    if (copy_value(provenance, keys[i][0], manifest, keys[i][1]) != BT_OK) {
      bt_json_free(provenance);
      return NULL;
    }
  }
  return provenance;
}

struct bt_json *bt_render_head(const struct bt_render *render, const char *schema_version, size_t state_units) {
  struct bt_json *head = bt_json_new_object();
  struct bt_str state;
  bt_str_init(&state, BT_STATE_UNITS * 3);
  bt_units_head(&state, render->state, strlen(render->state), state_units);
  bool ok = head != NULL && !state.failed && bt_json_set_string(head, "schema_version", schema_version) == BT_OK &&
            bt_json_set(head, "session", session_of(render)) == BT_OK &&
            copy_value(head, "project", render->manifest, "project") == BT_OK &&
            copy_value(head, "generated_at", render->manifest, "updated_at") == BT_OK &&
            bt_json_set_string(head, "objective", render->objective) == BT_OK &&
            bt_json_set_string(head, "state_now", state.data) == BT_OK &&
            bt_json_set(head, "open_loops", loops_of(render)) == BT_OK &&
            bt_json_set_string(head, "evidence_class", "OBSERVED") == BT_OK &&
            copy_value(head, "counts", render->manifest, "counts") == BT_OK &&
            bt_json_set(head, "artifacts", artifacts()) == BT_OK &&
            bt_json_set(head, "provenance", provenance_of(render->manifest)) == BT_OK;
  bt_str_dispose(&state);
  if (ok)
    return head;
  bt_json_free(head);
  return NULL;
}

enum bt_code bt_render_summary(struct bt_str *out, const struct bt_render *render) {
  struct bt_json *head = bt_render_head(render, "2.0.0-summary", SUMMARY_STATE_UNITS);
  bt_json_print_pretty(out, head);
  bool ok = head != NULL && !out->failed;
  bt_json_free(head);
  return ok ? BT_OK : BT_NOMEM;
}
