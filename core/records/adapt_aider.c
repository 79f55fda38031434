/* core/records/adapt_aider.c - Aider's chat history (adapt.h; spec/session-records.md 12.8). */
#include <stdlib.h>
#include <string.h>

#include "core/base/utf8.h"
#include "core/records/adapt.h"

#define STARTED "# aider chat started at "

enum run { NONE, USER, RESULT, ASSISTANT };

/* Blank lines before a run are nobody's; so are those behind an answer. */
static void drop_blank_end(struct bt_str *text) {
  for (size_t at = text->length; at > 0; at--) {
    if (text->data[at - 1] != '\n')
      continue;
    if (!bt_is_blank_w(text->data + at, text->length - at))
      return;
    text->length = at - 1;
    text->data[text->length] = '\0';
  }
}

static void put_run(struct bt_adapt *adapt, enum run *run) {
  static const char *const roles[] = {"", "user", "tool", "assistant"};
  if (*run == ASSISTANT)
    drop_blank_end(&adapt->text);
  if (*run != NONE)
    bt_adapt_put(adapt, roles[*run], *run == RESULT ? "tool_result" : "text");
  bt_adapt_begin(adapt);
  *run = NONE;
}

/* `#### ` begins the user's lines, `> ` a result's; the text is what stands behind. */
static enum run run_of(struct bt_slice *line) {
  static const struct {
    const char *mark;
    enum run run;
  } marks[] = {{"#### ", USER}, {"> ", RESULT}};
  for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
    size_t length = strlen(marks[i].mark);
    if (line->length >= length - 1 && memcmp(line->data, marks[i].mark, length - 1) == 0 &&
        (line->length == length - 1 || line->data[length - 1] == ' ')) {
      size_t skip = line->length < length ? line->length : length;
      *line = (struct bt_slice){line->data + skip, line->length - skip};
      return marks[i].run;
    }
  }
  return ASSISTANT;
}

static void start_session(struct bt_adapt *adapt, struct bt_slice stamp) {
  struct bt_slice trimmed = bt_trim_w(stamp.data, stamp.length);
  bt_str_clear(&adapt->ts);
  bt_utf8_decode8(&adapt->ts, trimmed.data, trimmed.length);
  free(adapt->session);
  adapt->session = strdup(adapt->ts.data);
  if (adapt->session == NULL)
    adapt->code = bt_error_set(adapt->err, BT_NOMEM, adapt->request->name, "out of memory");
}

static void begin(struct bt_adapt *adapt) {
  adapt->state = calloc(1, sizeof(enum run));
  if (adapt->state == NULL)
    adapt->code = bt_error_set(adapt->err, BT_NOMEM, adapt->request->name, "out of memory");
}

static void end(struct bt_adapt *adapt) {
  free(adapt->state);
}

static void take_line(struct bt_adapt *adapt, const char *bytes, size_t length) {
  enum run *run = adapt->state;
  if (bytes == NULL) { /* the last run may still grow */
    if (adapt->request->is_over)
      put_run(adapt, run);
    else if (*run != NONE)
      adapt->report->left_last = true;
    return;
  }
  struct bt_slice line = {bytes, length};
  if (length >= strlen(STARTED) && memcmp(bytes, STARTED, strlen(STARTED)) == 0) {
    put_run(adapt, run);
    start_session(adapt, (struct bt_slice){bytes + strlen(STARTED), length - strlen(STARTED)});
    return;
  }
  enum run now = run_of(&line);
  bool is_blank = bt_is_blank_w(line.data, line.length);
  if (now == ASSISTANT && is_blank && *run != ASSISTANT) { /* between runs: ends one, begins none */
    put_run(adapt, run);
    return;
  }
  if (now != *run)
    put_run(adapt, run);
  else
    bt_str_putc(&adapt->text, '\n');
  *run = now;
  bt_utf8_decode8(&adapt->text, line.data, line.length);
}

const struct bt_adapter bt_adapter_aider = {.label = "aider", .line = take_line, .begin = begin, .end = end};
