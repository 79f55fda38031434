/* core/records/adapt.c - which adapter, and how the file comes to it (adapt.h). */
#include "core/records/adapt.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/fs.h"
#include "core/base/go_on.h"
#include "core/base/utf8.h"
#include "core/harness/lines.h"
#include "core/harness/read_at.h"
#include "core/records/store.h"

#define PIECE_BYTES ((size_t)256 << 10)
#define HEAD_BYTES 4096
#define FILE_BYTES_MAX ((size_t)1 << 30)
#define LINE_BYTES_MAX ((size_t)1 << 30)

static const struct bt_adapter *const adapters[] = {&bt_adapter_claude,   &bt_adapter_codex, &bt_adapter_gemini,
                                                    &bt_adapter_opencode, &bt_adapter_pi,    &bt_adapter_copilot,
                                                    &bt_adapter_openai,   &bt_adapter_aider};

static const struct bt_adapter *adapter_of(const char *harness) {
  for (size_t i = 0; i < sizeof adapters / sizeof *adapters; i++) {
    if (bt_text_equals(adapters[i]->label, harness))
      return adapters[i];
  }
  return NULL;
}

bool bt_adapt_known(const char *harness) {
  return adapter_of(harness) != NULL;
}

const char *bt_adapt_labels(void) {
  return "claude-code codex gemini-cli opencode pi copilot-cli openai aider";
}

void bt_adapt_report_dispose(struct bt_adapt_report *report) {
  free(report->session);
  free(report->model);
  *report = (struct bt_adapt_report){0};
}

/* The file's name without .jsonl, .json or .md: the session where the store names none. */
static char *stem_of(const char *name) {
  static const char *const endings[] = {".jsonl", ".json", ".md"};
  const char *base = bt_path_basename(name);
  size_t length = strlen(base);
  for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
    if (bt_ends_with(base, endings[i])) {
      length -= strlen(endings[i]);
      break;
    }
  }
  return strndup(base, length);
}

/* Lines of a store. The last one, without an LF, counts only if it is whole. */
struct feed {
  struct bt_adapt *adapt;
  struct bt_tape tape;
};

static enum bt_code take_record(struct feed *feed, const char *line, size_t length, bool is_last) {
  struct bt_adapt *adapt = feed->adapt;
  if (line != NULL && bt_is_blank_w(line, length))
    return BT_OK;
  enum bt_code code = line != NULL ? bt_tape_parse(&feed->tape, line, length) : BT_CORRUPT;
  if (code == BT_NOMEM)
    return bt_error_set(adapt->err, code, adapt->request->name, "out of memory");
  if (code != BT_OK || bt_tape_type(&feed->tape, 0) != BT_JSON_OBJECT) {
    if (is_last)
      adapt->report->left_last = true;
    else
      adapt->report->unparsed++;
    return BT_OK;
  }
  adapt->tape = &feed->tape;
  adapt->as_role = adapt->as_kind = NULL;
  adapt->adapter->record(adapt, 0);
  return adapt->code;
}

static enum bt_code on_line(void *context, const char *line, size_t length) {
  struct feed *feed = context;
  if (feed->adapt->adapter->line == NULL)
    return take_record(feed, line, length, false);
  if (line == NULL) {
    feed->adapt->report->unparsed++;
    return BT_OK;
  }
  feed->adapt->adapter->line(feed->adapt, line, length > 0 && line[length - 1] == '\r' ? length - 1 : length);
  return feed->adapt->code;
}

static enum bt_code read_lines(struct bt_adapt *adapt, int fd, int64_t size) {
  struct bt_lines lines;
  struct feed feed = {.adapt = adapt};
  char *piece = malloc(PIECE_BYTES);
  enum bt_code code = piece != NULL ? BT_OK : BT_NOMEM;
  bt_lines_init(&lines, LINE_BYTES_MAX);
  bt_tape_init(&feed.tape);
  for (int64_t at = 0; code == BT_OK && at < size;) {
    size_t want = size - at < (int64_t)PIECE_BYTES ? (size_t)(size - at) : PIECE_BYTES;
    ssize_t got = bt_read_at(fd, piece, want, (uint64_t)at);
    code = bt_go_on(adapt->request->give_up, adapt->err);
    if (code != BT_OK)
      break;
    if (got < (ssize_t)want)
      code = bt_error_set_errno(adapt->err, got < 0 ? errno : EIO, adapt->request->name, "%s cannot be read",
                                adapt->request->name);
    else
      code = bt_lines_feed(&lines, piece, want, on_line, &feed);
    at += (int64_t)want;
  }
  if (code == BT_OK && adapt->adapter->line == NULL && lines.carry.length > 0)
    code = take_record(&feed, lines.carry.data, lines.carry.length, true);
  if (code == BT_OK && adapt->adapter->line != NULL) {
    if (lines.carry.length > 0 && adapt->request->is_over)
      adapt->adapter->line(adapt, lines.carry.data, lines.carry.length);
    adapt->adapter->line(adapt, NULL, 0);
    code = adapt->code;
  }
  if (code == BT_NOMEM)
    (void)bt_error_set(adapt->err, code, adapt->request->name, "out of memory");
  bt_tape_dispose(&feed.tape);
  bt_lines_dispose(&lines);
  free(piece);
  return code;
}

static enum bt_code read_document(struct bt_adapt *adapt) {
  struct bt_str bytes;
  struct bt_tape tape;
  bt_str_init(&bytes, FILE_BYTES_MAX);
  bt_tape_init(&tape);
  enum bt_code code = bt_records_read(adapt->request->path, &bytes, adapt->err);
  if (code == BT_OK && (code = bt_tape_parse(&tape, bytes.data, bytes.length)) != BT_OK)
    code =
        bt_error_set(adapt->err, code, adapt->request->name, "%s is not one whole JSON document", adapt->request->name);
  if (code == BT_OK) {
    adapt->tape = &tape;
    adapt->as_role = adapt->as_kind = NULL;
    adapt->adapter->document(adapt, 0);
    code = adapt->code;
  }
  bt_tape_dispose(&tape);
  bt_str_dispose(&bytes);
  return code;
}

static enum bt_code read_source(struct bt_adapt *adapt, int fd) {
  const struct bt_adapter *adapter = adapt->adapter;
  struct stat found;
  char head[HEAD_BYTES];
  if (fstat(fd, &found) != 0)
    return bt_error_set_errno(adapt->err, errno, adapt->request->name, "%s cannot be read", adapt->request->name);
  bool is_document = adapter->record == NULL && adapter->line == NULL;
  if (!is_document && adapter->is_document != NULL) {
    ssize_t got = bt_read_at(fd, head, sizeof head, 0);
    is_document = got > 0 && adapter->is_document(adapt->request, head, (size_t)got);
  }
  return is_document ? read_document(adapt) : read_lines(adapt, fd, (int64_t)found.st_size);
}

enum bt_code bt_adapt(const struct bt_adapt_request *request,
                      enum bt_code (*take)(void *context, const char *line, size_t length, struct bt_error *err),
                      void *context, struct bt_adapt_report *report, struct bt_error *err) {
  struct bt_error why = {0};
  struct bt_adapt adapt = {.request = request,
                           .adapter = adapter_of(request->harness),
                           .report = report,
                           .take = take,
                           .take_context = context,
                           .err = err};
  *report = (struct bt_adapt_report){0};
  if (adapt.adapter == NULL)
    return bt_error_set(err, BT_INPUT, request->harness, "harness %s is not supported; known: %s", request->harness,
                        bt_adapt_labels());
  int fd = bt_records_open(request->path, &why);
  if (fd < 0) {
    if (err != NULL)
      *err = why;
    return why.code == BT_MISSING ? bt_error_set(err, BT_INPUT, request->name, "source not found: %s", request->name)
                                  : why.code;
  }
  bt_str_init(&adapt.ts, BT_ADAPT_TEXT_MAX);
  bt_str_init(&adapt.text, BT_ADAPT_TEXT_MAX);
  bt_str_init(&adapt.line, BT_ADAPT_TEXT_MAX * 2);
  if (adapt.adapter->begin != NULL)
    adapt.adapter->begin(&adapt);
  char *stem = stem_of(request->name);
  enum bt_code code = stem == NULL ? bt_error_set(err, BT_NOMEM, request->name, "out of memory") : adapt.code;
  adapt.stem = stem;
  if (code == BT_OK)
    code = read_source(&adapt, fd);
  if (adapt.adapter->end != NULL)
    adapt.adapter->end(&adapt);
  report->session = adapt.session;
  report->model = adapt.model;
  free(adapt.cwd);
  free(stem);
  bt_str_dispose(&adapt.ts);
  bt_str_dispose(&adapt.text);
  bt_str_dispose(&adapt.line);
  (void)close(fd);
  return code;
}
