/* tui/app_news.c - the newest event on the message line: what has changed in the ledger while somebody looks.
 *
 * Told is what calls for somebody, or did: not that a session works or rests. An answer to a key is never overwritten
 * by it; the next key takes it away (dashboard.md 6.1). Where the keys share that line nothing is told: they stay. */
#include "tui/app_state.h"

#include <stdio.h>
#include <string.h>

#include "core/base/str.h"
#include "core/base/utf8.h"
#include "core/model/changes.h"
#include "views/layout.h"
#include "views/parts.h"

#define NEWS_BYTES_MAX ((size_t)64 * 1024)
#define ID_BYTES 64 /* of an id; more would push out what happened to it */

/* While transcripts are being read (`reading`), what they tell comes and goes with nothing having happened. */
static bool counts(const struct bt_session *session, bool reading) {
  return session && (reading ? session->state < BT_STATE_READY
                             : session->state != BT_STATE_RUN && session->state != BT_STATE_IDLE);
}

static enum bt_brief_status brief_of(const struct bt_session *session) {
  return session && session->capture ? session->capture->status : BT_BRIEF_NONE;
}

/* What has happened to the brief of one that was there before; NULL: nothing bad. */
static const char *brief_event(const struct bt_session *before, const struct bt_session *after) {
  enum bt_brief_status status = brief_of(after);
  if (brief_of(before) == status)
    return NULL;
  switch (status) {
  case BT_BRIEF_TAMPERED:
    return "its brief no longer matches the recorded hash (TAMPERED)";
  case BT_BRIEF_MISSING:
    return "its brief is gone (MISSING)";
  case BT_BRIEF_OVERSIZE:
    return "its brief has become too large to be read (OVERSIZE)";
  case BT_BRIEF_UNREADABLE:
    return "its brief can no longer be read (UNREADABLE)";
  default:
    return NULL;
  }
}

/* The beginning of an id, cut between characters. */
static void put_id(struct bt_str *out, const char *id) {
  size_t length = strlen(id), keep = length < ID_BYTES ? length : ID_BYTES;
  while (keep > 0 && keep < length && ((unsigned char)id[keep] & 0xc0) == 0x80)
    keep--;
  bt_text_visible(out, id, keep);
  if (keep < length)
    bt_str_puts(out, "..");
}

/* The event of one session, appended; false: there is none to tell. */
static bool put_event(struct bt_str *out, const struct bt_session *before, const struct bt_session *after,
                      bool reading) {
  const char *brief = before ? brief_event(before, after) : NULL;
  bool moved = !before || !after || before->state != after->state;
  if (!brief && !(moved && (counts(before, reading) || counts(after, reading))))
    return false;
  put_id(out, after ? after->id : before->id);
  if (brief)
    bt_str_printf(out, ": %s", brief);
  else if (!after)
    bt_str_printf(out, ": gone, was %s", bt_state_word(before->state));
  else if (!before)
    bt_str_printf(out, ": new, %s", bt_state_word(after->state));
  else
    bt_str_printf(out, ": %s, was %s", bt_state_word(after->state), bt_state_word(before->state));
  return true;
}

/* The first event, in the order of the list, to `out`; how many there are. */
static size_t gather(struct bt_str *out, const struct bt_changes *changes, bool reading) {
  struct bt_str other;
  size_t count = 0;
  bt_str_init(&other, NEWS_BYTES_MAX);
  for (size_t i = 0; i < changes->count; i++) {
    bt_str_clear(&other);
    count += put_event(count ? &other : out, changes->items[i].before, changes->items[i].after, reading);
  }
  bt_str_dispose(&other);
  return count;
}

void app_news_tell(struct app *app, const struct bt_snapshot *before) {
  const struct bt_snapshot *after = app->snapshot;
  struct bt_changes changes;
  struct bt_str event;
  char clock[BT_PART_BYTES], text[sizeof(app->message)];
  struct bt_layout layout = bt_layout_of(&app->scene, after);
  bool no_room = (app->scene.message && !app->news) || layout.hints_row == layout.message_row;
  if (no_room || !before || !after)
    return;
  bool reading = before->transcripts_pending || after->transcripts_pending ||
                 before->transcripts_known != after->transcripts_known; /* at first none is known */
  bt_str_init(&event, NEWS_BYTES_MAX);
  if (bt_changes_with_briefs(before, after, &changes, NULL) == BT_OK) {
    size_t count = gather(&event, &changes, reading);
    bt_clock_near(clock, &app->scene, after->taken_at_ms, after->taken_at_ms);
    snprintf(text, sizeof(text), "%s  %s", clock, event.data ? event.data : "");
    size_t length = strlen(text);
    if (count > 1)
      snprintf(text + length, sizeof(text) - length, "   and %zu more", count - 1);
    if (count && !event.failed) {
      app_say(app, BT_SEVERITY_WARN, text);
      app->news = true;
    }
  }
  bt_changes_dispose(&changes);
  bt_str_dispose(&event);
}
