/* core/model/snapshot.c - the words of states and bands, and finding a session. */
#include "core/model/snapshot.h"

#include <stdio.h>

#include <string.h>

#include "core/base/arena.h"
#include "core/base/str.h"

const char *bt_state_word(enum bt_state state) {
  switch (state) {
  case BT_STATE_BLOCKED:
    return "BLOCKED";
  case BT_STATE_STALE_LOCK:
    return "STALE-LOCK";
  case BT_STATE_FOREIGN:
    return "FOREIGN";
  case BT_STATE_READY:
    return "READY";
  case BT_STATE_WARN:
    return "WARN";
  case BT_STATE_RUN:
    return "RUN";
  case BT_STATE_DONE:
    return "DONE";
  case BT_STATE_IDLE:
  case BT_STATE_COUNT:
    break;
  }
  return "IDLE";
}

char bt_state_glyph(enum bt_state state) {
  static const char glyphs[BT_STATE_COUNT] = {'!', 'x', '~', '*', '^', ' ', ' ', ' '};
  return state < BT_STATE_COUNT ? glyphs[state] : ' ';
}

const char *bt_band_word(enum bt_band band) {
  switch (band) {
  case BT_BAND_OK:
    return "ok";
  case BT_BAND_WARN:
    return "WARN";
  case BT_BAND_HANDOFF:
    return "HANDOFF";
  case BT_BAND_HARD:
    return "HARD";
  case BT_BAND_UNKNOWN:
    break;
  }
  return "?";
}

const char *bt_verb_word(enum bt_verb verb) {
  switch (verb) {
  case BT_VERB_WRITE:
    return "write";
  case BT_VERB_RESUME:
    return "resume";
  case BT_VERB_BYPASS:
    return "bypass";
  case BT_VERB_REPAIR:
    return "repair";
  case BT_VERB_UNLOCK:
    return "unlock";
  case BT_VERB_CONTINUE:
    return "continue";
  case BT_VERB_UNDO:
    return "undo";
  case BT_VERB_ACK:
    return "acknowledge";
  case BT_VERB_RECONCILE:
    return "reconcile";
  case BT_VERB_STOP:
    return "stop";
  case BT_VERB_RECORD:
    return "record";
  case BT_VERB_NONE:
  case BT_VERB_COUNT:
    break;
  }
  return "none";
}

const char *bt_snapshot_verb_blocked(const struct bt_snapshot *snapshot, enum bt_verb verb) {
  if (verb == BT_VERB_NONE || verb >= BT_VERB_COUNT)
    return NULL;
  if (snapshot->imported)
    return "this is a snapshot";
  if (snapshot->readonly)
    return "read-only";
  if (verb == BT_VERB_UNLOCK || verb == BT_VERB_UNDO || verb == BT_VERB_ACK || verb == BT_VERB_RECONCILE ||
      verb == BT_VERB_STOP || verb == BT_VERB_RECORD)
    return NULL; /* needs no key and leaves no entry (spec 8.7) */
  if (!snapshot->key_loaded)
    return "no signing key";
  return snapshot->ledger_lock_note;
}

void bt_snapshot_free(struct bt_snapshot *snapshot) {
  if (!snapshot)
    return;
  if (snapshot->kept)
    snapshot->release(snapshot->kept);
  bt_arena_free(snapshot->arena);
}

const struct bt_session *bt_snapshot_session(const struct bt_snapshot *snapshot, const char *id) {
  if (!snapshot || !id)
    return NULL;
  for (size_t i = 0; i < snapshot->session_count; i++)
    if (strcmp(snapshot->sessions[i].id, id) == 0)
      return &snapshot->sessions[i];
  return NULL;
}

void bt_percent_text(char out[BT_PERCENT_BYTES], const struct bt_context *context) {
  double pct = context->used_pct;
  if (!context->used_known || !context->window_known || !(pct >= 0))
    snprintf(out, BT_PERCENT_BYTES, "?");
  else if (pct >= 100)
    snprintf(out, BT_PERCENT_BYTES, context->over_window ? ">100%%" : "100%%");
  else {
    int tenths = (int)(pct * 10 + 1e-6); /* cut, as the hundredths were */
    snprintf(out, BT_PERCENT_BYTES, "%d.%d%%", tenths / 10, tenths % 10);
  }
}

const struct bt_supervised *bt_snapshot_supervised(const struct bt_snapshot *snapshot, const char *id) {
  for (size_t i = 0; i < snapshot->supervised_count; i++) {
    const struct bt_supervised *one = &snapshot->supervised[i];
    for (size_t s = 0; bt_text_equals(one->ledger_dir, snapshot->ledger_dir) && s < one->session_count; s++) {
      if (strcmp(one->sessions[s], id) == 0)
        return one;
    }
  }
  return NULL;
}
