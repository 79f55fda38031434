/* tests/fuzz/fuzz_view.c - any bytes as a session's texts, at any size: the screen stays whole and printable.
 *
 * The first five bytes choose rows, columns, page, tab and overlay; the rest is what sessions wrote. */
#include <stdbool.h>
#include <string.h>

#include "core/base/clock.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/picture.h"
#include "tests/support/still.h"
#include "views/prepare.h"
#include "views/view.h"

struct texts {
  struct bt_snapshot snapshot;
  struct bt_session session;
  struct bt_capture capture;
  struct bt_reason reason;
  struct bt_lock lock;
  struct bt_raw_file raw;
  struct bt_log_row row;
  struct bt_log_view log;
  struct bt_record_item item;
  struct bt_records_view records;
  struct bt_bulk_line line;
  bool marked;
  char word[512];
};

static void fill(struct texts *texts, const uint8_t *bytes, size_t size) {
  size_t length = size < sizeof texts->word - 1 ? size : sizeof texts->word - 1;
  memcpy(texts->word, bytes, length);
  texts->capture = (struct bt_capture){.status = BT_BRIEF_TAMPERED,
                                       .text = (const char *)bytes,
                                       .text_length = size,
                                       .path = texts->word,
                                       .actual_hash = texts->word};
  texts->raw = (struct bt_raw_file){.path = texts->word, .text = (const char *)bytes, .length = size};
  texts->reason = (struct bt_reason){texts->word, texts->word};
  texts->lock = (struct bt_lock){.name = texts->word,
                                 .path = texts->word,
                                 .host = texts->word,
                                 .why = texts->word,
                                 .pid_text = texts->word,
                                 .started_at = texts->word,
                                 .nonce = texts->word};
  texts->session = (struct bt_session){.id = texts->word,
                                       .id_short = texts->word,
                                       .ticket_id = texts->word,
                                       .harness = texts->word,
                                       .title = texts->word,
                                       .capture = &texts->capture,
                                       .lock = &texts->lock,
                                       .reasons = &texts->reason,
                                       .reason_count = 1,
                                       .next = {BT_VERB_UNLOCK, texts->word, texts->word}};
  texts->snapshot = (struct bt_snapshot){.taken_at_ms = STILL_NOW_MS,
                                         .ledger_present = true,
                                         .store = {.ok = true},
                                         .project = texts->word,
                                         .host = texts->word,
                                         .sessions = &texts->session,
                                         .session_count = 1,
                                         .locks = &texts->lock,
                                         .lock_count = 1};
}

/* The evidence log, and what is marked. */
static void fill_more(struct texts *texts, struct bt_scene *scene, uint8_t choice) {
  const char *word = texts->word;
  texts->row = (struct bt_log_row){.key = word,
                                   .gate = word,
                                   .seq = word,
                                   .session = word,
                                   .successor = word,
                                   .ticket = word,
                                   .outcome = word,
                                   .file = word,
                                   .data = word,
                                   .read_as = word,
                                   .chain_reason = word,
                                   .derived = choice & 1,
                                   .signature = (enum bt_log_signature)(choice % (BT_LOG_OWN + 1))};
  texts->log =
      (struct bt_log_view){.rows = &texts->row, .count = 1, .entries = 1, .chain_broken = choice & 2 ? word : NULL};
  texts->line = (struct bt_bulk_line){.name = word,
                                      .record = word,
                                      .words = word,
                                      .has_lock = choice & 4,
                                      .verdict = (enum bt_lock_verdict)(choice % BT_LOCK_VERDICT_COUNT),
                                      .fate = (enum bt_bulk_fate)(choice % BT_BULK_FATE_COUNT)};
  texts->marked = true;
  scene->log = &texts->log;
  scene->bulk = &texts->line;
  scene->bulk_count = 1;
  scene->bulk_phase = (enum bt_bulk_phase)(choice >> 4 & 3);
  scene->preview = (enum bt_preview)(choice >> 6 & 3);
  if (choice & 8) {
    scene->marked_sessions = scene->marked_locks = &texts->marked;
    scene->mark_count = 1;
  }
}

/* The session records: read, being read again, or not to be read. */
static void fill_records(struct texts *texts, struct bt_scene *scene, uint8_t choice) {
  const char *word = texts->word;
  texts->item = (struct bt_record_item){.id = word,
                                        .session = choice & 8 ? word : NULL,
                                        .project = word,
                                        .harness = word,
                                        .objective = word,
                                        .folder = word,
                                        .source = choice & 16 ? word : NULL,
                                        .updated_ms = choice & 32 ? STILL_NOW_MS : BT_TIME_UNKNOWN,
                                        .turns = choice * 1e6,
                                        .verdict = (enum bt_record_verdict)(choice % (BT_RECORD_UNCHECKED + 1)),
                                        .why = choice & 4 ? word : NULL,
                                        .source_state = (enum bt_record_source)(choice % (BT_RECORD_ELSEWHERE + 1))};
  texts->records = (struct bt_records_view){.root = word,
                                            .rule = "env",
                                            .items = &texts->item,
                                            .count = choice & 1,
                                            .projects = 1,
                                            .verdicts = {1, choice & 1, choice & 4}};
  scene->records = choice & 2 ? &texts->records : NULL;
  scene->records_error = choice & 64 ? word : NULL;
  scene->records_busy = choice & 128;
}

static void open_dialog(struct bt_dialog *dialog, struct bt_plan *plan, const char *word) {
  *plan = (struct bt_plan){.title = word, .summary = word, .command = word, .after = word, .confirm_word = word};
  dialog->phase = BT_DIALOG_READY;
  dialog->plan = plan;
  dialog->stale = word;
  dialog->items[0] = (struct bt_item){.kind = BT_ITEM_TEXT, .label = word};
  dialog->items[1] = (struct bt_item){.kind = BT_ITEM_CONFIRM, .label = word};
  dialog->items[2] = (struct bt_item){.kind = BT_ITEM_BUTTON, .label = "Cancel"};
  dialog->item_count = 3;
  snprintf(dialog->items[0].field.text, BT_FIELD_BYTES, "%s", word);
  dialog->items[0].field.length = dialog->items[0].field.cursor = strlen(dialog->items[0].field.text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static struct bt_cell cells[64 * 210];
  struct texts texts = {.word = ""};
  struct bt_prepared prepared = {0};
  struct bt_scene scene = {.prepared = &prepared};
  struct bt_surface surface;
  struct bt_view_cursor cursor;
  struct bt_plan plan;
  if (size < 6)
    return 0;
  fill(&texts, data + 5, size - 5);
  scene.rows = data[0] % 64;
  scene.columns = data[1] % 210;
  scene.unicode = data[2] & 1;
  scene.page = (enum bt_page)((data[2] >> 1) % BT_PAGE_COUNT);
  scene.tab = (enum bt_tab)(data[3] % BT_TAB_COUNT);
  scene.overlay = (enum bt_overlay)(data[4] % BT_OVERLAY_COUNT);
  fill_more(&texts, &scene, data[3]);
  fill_records(&texts, &scene, data[3]);
  scene.session_id = texts.session.id;
  scene.raw = &texts.raw;
  scene.raw_count = 1;
  scene.message = texts.word;
  snprintf(scene.search.text, BT_FIELD_BYTES, "%.3s", texts.word);
  scene.search.length = strlen(scene.search.text);
  open_dialog(&scene.dialog, &plan, texts.word);
  scene.dialog.focus = (data[4] >> 4) % 3;
  bt_surface_init(&surface, cells, scene.rows, scene.columns, scene.unicode);
  FUZZ_CHECK(bt_prepared_update(&prepared, &texts.snapshot, &scene, NULL) == BT_OK);
  bt_view_settle(&scene, &texts.snapshot);
  bt_view_move(&scene, &texts.snapshot, data[4]);
  bt_view_draw(&surface, &texts.snapshot, &scene, &cursor);
  FUZZ_CHECK(picture_is_sound(&surface));
  bt_prepared_dispose(&prepared);
  return 0;
}
