/* tests/fuzz/fuzz_records.c - a transcript of any bytes: every turn that comes of it is a line that reads back to the
 * same turn, whichever way the bytes are cut; the streaming JSON check agrees with the parser; a configuration never
 * crashes. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/json.h"
#include "core/base/utf8.h"
#include "core/records/config.h"
#include "core/records/gist.h"
#include "core/records/intake.h"
#include "core/records/json_check.h"
#include "core/records/timeline.h"
#include "tests/fuzz/fuzz.h"

struct sink {
  struct bt_record_reader reader;
  struct bt_gist gist;
  struct bt_str line, all;
};

static enum bt_code on_head(void *context, const char *session, const char *thread, struct bt_error *err) {
  (void)context, (void)err;
  FUZZ_CHECK(session == NULL || session[0] != '\0');
  FUZZ_CHECK(thread == NULL || thread[0] != '\0');
  return BT_OK;
}

static enum bt_code on_seq(void *context, double seq, bool *wanted, struct bt_error *err) {
  (void)context, (void)err;
  FUZZ_CHECK(seq == seq);
  *wanted = true;
  return BT_OK;
}

static enum bt_code on_turn(void *context, double seq, const struct bt_record_turn *turn, struct bt_error *err) {
  struct sink *sink = context;
  struct bt_record_turn again;
  (void)seq, (void)err;
  bt_str_clear(&sink->line);
  bt_record_turn_put(&sink->line, turn);
  FUZZ_CHECK(bt_utf8_is_plain(sink->line.data, sink->line.length));
  FUZZ_CHECK(memchr(sink->line.data, '\n', sink->line.length - 1) == NULL);
  FUZZ_CHECK(bt_record_turn_read(&sink->reader, sink->line.data, sink->line.length - 1, &again) == BT_OK);
  FUZZ_CHECK(bt_record_turn_is_plain(&again, sink->line.data, sink->line.length - 1));
  FUZZ_CHECK(again.class_ == turn->class_);
  FUZZ_CHECK(bt_gist_add(&sink->gist, turn, 0, sink->line.length - 1) == BT_OK);
  bt_str_append(&sink->all, sink->line.data, sink->line.length);
  return BT_OK;
}

static void read_all(struct bt_str *out, bool is_jsonl, const char *bytes, size_t length, size_t piece) {
  static const struct bt_intake_ops ops = {.on_head = on_head, .on_seq = on_seq, .on_turn = on_turn};
  struct sink sink;
  char raw[BT_SHA256_HEX];
  bt_record_reader_init(&sink.reader);
  bt_gist_init(&sink.gist);
  bt_str_init(&sink.line, 1 << 26);
  bt_str_init(&sink.all, 1 << 28);
  struct bt_intake *intake = bt_intake_new(is_jsonl, &ops, &sink);
  FUZZ_CHECK(intake != NULL);
  for (size_t at = 0; at < length; at += piece)
    FUZZ_CHECK(bt_intake_feed(intake, bytes + at, length - at < piece ? length - at : piece, NULL) == BT_OK);
  FUZZ_CHECK(bt_intake_finish(intake, raw, NULL) == BT_OK);
  bt_intake_free(intake);
  bt_str_append(out, sink.all.data, sink.all.length);
  bt_str_dispose(&sink.line);
  bt_str_dispose(&sink.all);
  bt_gist_dispose(&sink.gist);
  bt_record_reader_dispose(&sink.reader);
}

static void check_json(const char *bytes, size_t length) {
  struct bt_json_check *check = malloc(sizeof *check);
  struct bt_json *tree = bt_json_parse(bytes, length, NULL);
  FUZZ_CHECK(check != NULL);
  bt_json_check_init(check);
  (void)bt_json_check_feed(check, bytes, length / 2);
  (void)bt_json_check_feed(check, bytes + length / 2, length - length / 2);
  FUZZ_CHECK(bt_json_check_end(check) == (tree != NULL));
  bt_json_free(tree);
  free(check);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const char *bytes = (const char *)data;
  for (int is_jsonl = 0; is_jsonl < 2; is_jsonl++) {
    struct bt_str whole, pieces;
    bt_str_init(&whole, 1 << 28);
    bt_str_init(&pieces, 1 << 28);
    read_all(&whole, is_jsonl, bytes, size, size + 1);
    read_all(&pieces, is_jsonl, bytes, size, 7);
    FUZZ_CHECK(whole.length == pieces.length && memcmp(whole.data, pieces.data, whole.length) == 0);
    bt_str_dispose(&whole);
    bt_str_dispose(&pieces);
  }
  check_json(bytes, size);
  struct bt_config config;
  struct bt_str faults;
  bt_config_init(&config);
  bt_str_init(&faults, 1 << 26);
  enum bt_code code = bt_config_parse(&config, bytes, size, &faults, NULL);
  FUZZ_CHECK((code == BT_OK) == (faults.length == 0));
  bt_config_dispose(&config);
  bt_str_dispose(&faults);
  return 0;
}
