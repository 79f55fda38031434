/* views/explain.c - drawing an explanation of the gate. */
#include "views/explain.h"

#include <stdio.h>
#include <string.h>

#include "views/flow.h"
#include "views/parts.h"
#include "views/text.h"

enum { LAST_PARTS = 2 }; /* what is true; notes and the command */
enum { MARK_AT = 0, GLYPH_AT = 1, TEXT_AT = 4, WIDE_FROM = 100 };

static size_t told_parts(const struct bt_why *why) {
  size_t lines = 0, whole;
  for (const char *at = why->told; at && *at; at += whole, lines++)
    (void)bt_text_line(at, strlen(at), &whole);
  return lines ? lines : 1;
}

size_t bt_explain_parts(const struct bt_why *why) {
  return why ? why->rule_count + why->step_count + told_parts(why) + LAST_PARTS : 0;
}

size_t bt_explain_first_step(const struct bt_why *why) {
  return why && why->step_count && why->steps[0].helps ? why->rule_count : 0;
}

const struct bt_why_step *bt_explain_step(const struct bt_why *why, size_t part) {
  return why && part >= why->rule_count && part - why->rule_count < why->step_count
             ? &why->steps[part - why->rule_count]
             : NULL;
}

/* One pass over the page: draws it, or only counts; says where the part that is asked for lies. */
struct page {
  struct bt_flow flow;
  const struct bt_frame *frame;
  const struct bt_why *why;
  size_t part, wanted;
  struct bt_explain_place place;
};

static void begin_part(struct page *page) {
  if (page->part == page->wanted)
    page->place.first = page->part ? page->flow.line : 0;
}

/* The first line of a part carries the cursor. */
static void end_part(struct page *page, struct bt_flow before) {
  if (page->part == page->wanted) {
    struct bt_pane line = bt_flow_line(&before);
    page->place.end = page->flow.line;
    if (line.rows) {
      bt_pane_run(line, 0, MARK_AT, 1, BT_ROLE_SELECTION, "▸", '>');
      bt_pane_repaint(line, BT_ROLE_SELECTION);
      *page->frame->cursor = (struct bt_view_cursor){line.row, line.column, false};
    }
  }
  page->part++;
}

/* Text in `columns` from `column`: wrapped where the part has the cursor, else cut to the one line. */
static void add_text(struct page *page, int column, int columns, enum bt_role role, const char *text) {
  size_t length = strlen(text), done = 0;
  columns = columns < 1 ? 1 : columns;
  if (page->part != page->wanted) {
    bt_pane_field(bt_flow_line(&page->flow), 0, column, columns, BT_ALIGN_LEFT, role, text);
    return;
  }
  do {
    size_t skip = 0;
    size_t take = length > done ? bt_text_row(text + done, length - done, columns, 1, page->flow.unicode, &skip) : 0;
    bt_pane_slice(bt_flow_line(&page->flow), 0, column, role, text + done, take);
    done += take + skip;
  } while (done < length);
}

/* The page goes on below the longer of what was added and `other`. */
static void go_below(struct page *page, struct bt_flow other) {
  if (other.line > page->flow.line)
    page->flow.line = other.line;
}

/* ---- rules ---- */

static enum bt_role verdict_role(enum bt_rule_verdict verdict) {
  return verdict == BT_RULE_REFUSE ? BT_ROLE_BAD : verdict == BT_RULE_UNKNOWN ? BT_ROLE_WARNING : BT_ROLE_DEFAULT;
}

static void add_rule(struct page *page, const struct bt_why_rule *rule) {
  static const char *const words[] = {"pass", "REFUSE", "UNKNOWN"};
  static const char *const marks[] = {" ", "!", "?"};
  struct bt_flow before = page->flow;
  bool wide = page->flow.columns >= WIDE_FROM;
  char blocks[BT_PART_BYTES] = "", evidence[1024];
  begin_part(page);
  struct bt_pane line = bt_flow_line(&page->flow);
  bt_pane_text(line, 0, GLYPH_AT + 1, verdict_role(rule->verdict), marks[rule->verdict]);
  bt_pane_field(line, 0, TEXT_AT, 8, BT_ALIGN_LEFT, BT_ROLE_DEFAULT, rule->id);
  bt_pane_field(line, 0, 13, 8, BT_ALIGN_LEFT, verdict_role(rule->verdict), words[rule->verdict]);
  bt_pane_field(line, 0, 22, wide ? 30 : line.columns - 22, BT_ALIGN_LEFT, rule->code ? BT_ROLE_BOLD : BT_ROLE_DIM,
                rule->code ? rule->code : "-");
  if (wide)
    page->flow = before; /* what it rests on stands beside it */
  if (rule->blocks > 1)
    snprintf(blocks, sizeof blocks, "; keeps %zu known sessions waiting", rule->blocks);
  snprintf(evidence, sizeof evidence, "%s%s%s%s", rule->text ? rule->text : "", rule->file ? "   " : "",
           rule->file ? rule->file : "", blocks);
  add_text(page, wide ? 53 : 13, page->flow.columns - (wide ? 53 : 13),
           rule->verdict == BT_RULE_PASS ? BT_ROLE_DIM : BT_ROLE_DEFAULT, evidence);
  end_part(page, before);
}

static void add_rules(struct page *page) {
  char right[BT_PART_BYTES];
  snprintf(right, sizeof right, "%zu records read", page->why->records_read);
  bt_flow_rule(&page->flow, "rules, in the order the gate evaluates them", page->flow.columns >= 72 ? right : NULL);
  struct bt_pane line = bt_flow_line(&page->flow);
  bt_pane_text(line, 0, TEXT_AT, BT_ROLE_HEAD, "RULE");
  bt_pane_text(line, 0, 13, BT_ROLE_HEAD, "VERDICT");
  bt_pane_text(line, 0, 22, BT_ROLE_HEAD, "REASON CODE");
  if (page->flow.columns >= WIDE_FROM)
    bt_pane_text(line, 0, 53, BT_ROLE_HEAD, "EVIDENCE");
  for (size_t i = 0; i < page->why->rule_count; i++)
    add_rule(page, &page->why->rules[i]);
}

/* ---- steps ---- */

static const char *key_of(const struct page *page, const struct bt_why_step *step) {
  const char *key = step->helps && step->verb < BT_VERB_COUNT ? page->frame->scene->verbs[step->verb].keys : NULL;
  return key ? key : "";
}

static void add_step(struct page *page, const struct bt_why_step *step) {
  struct bt_flow before = page->flow;
  bool wide = page->flow.columns >= WIDE_FROM;
  enum bt_role role = step->helps ? BT_ROLE_DEFAULT : BT_ROLE_DIM;
  char number[BT_PART_BYTES] = "-", text[1024], after[1024];
  begin_part(page);
  struct bt_pane line = bt_flow_line(&page->flow);
  if (step->helps)
    snprintf(number, sizeof number, "%u", step->number);
  bt_pane_field(line, 0, 2, 3, BT_ALIGN_RIGHT, role, number);
  bt_pane_field(line, 0, 6, 2, BT_ALIGN_LEFT, step->blocked_by ? BT_ROLE_KEY_OFF : BT_ROLE_KEY, key_of(page, step));
  page->flow = before;
  snprintf(text, sizeof text, "%s%s%s", step->subject ? step->subject : "", step->subject ? ": " : "",
           step->text ? step->text : "");
  int whole = page->flow.columns;
  add_text(page, 9, (wide ? whole - 42 : whole) - 9, step->helps && step->number == 1 ? BT_ROLE_NEXT_STEP : role, text);
  snprintf(after, sizeof after, "%s%s%s%s%s", step->helps ? step->lasts : "DOES NOT HELP",
           step->needs ? "; needs " : "", step->needs ? step->needs : "",
           step->blocked_by ? (step->helps ? "; not now: " : ": ") : "", step->blocked_by ? step->blocked_by : "");
  enum bt_role after_role = step->blocked_by && step->helps ? BT_ROLE_WARNING : BT_ROLE_DIM;
  struct bt_flow end = page->flow;
  if (wide)
    page->flow = before;
  if (wide || page->part == page->wanted)
    add_text(page, wide ? whole - 40 : 11, wide ? 40 : whole - 11, after_role, after);
  go_below(page, end);
  end_part(page, before);
}

static void add_steps(struct page *page) {
  bt_flow_rule(&page->flow, "what would clear it, most durable first",
               page->flow.columns >= 90 ? "nothing is done without a dialog" : NULL);
  if (!page->why->step_count)
    bt_flow_wrap(&page->flow, TEXT_AT, BT_ROLE_DIM, "Nothing has to be cleared.");
  for (size_t i = 0; i < page->why->step_count; i++)
    add_step(page, &page->why->steps[i]);
}

/* ---- texts ---- */

/* One line of what was told, behind the bar: it quotes what sessions named. */
static void add_told_line(struct page *page, const char *text, size_t length) {
  struct bt_flow before = page->flow;
  size_t done = 0;
  begin_part(page);
  do {
    size_t skip = 0;
    int room = page->flow.columns - TEXT_AT;
    size_t take = length > done ? bt_text_row(text + done, length - done, room, 1, page->flow.unicode, &skip) : 0;
    struct bt_pane row = bt_flow_line(&page->flow);
    bt_pane_run(row, 0, 2, 1, BT_ROLE_GUTTER, "│", '|');
    bt_pane_slice(row, 0, TEXT_AT, BT_ROLE_QUOTED, text + done, take);
    done += take + skip;
  } while (done < length);
  end_part(page, before);
}

static void add_told(struct page *page) {
  const char *at = page->why->told;
  if (!at || !*at) {
    static const char nothing[] = "Nothing: the call is let through.";
    add_told_line(page, nothing, sizeof nothing - 1);
  }
  for (size_t whole; at && *at; at += whole) {
    size_t length = bt_text_line(at, strlen(at), &whole);
    add_told_line(page, at, length);
  }
}

static void add_truth(struct page *page) {
  struct bt_flow before = page->flow;
  begin_part(page);
  bt_flow_labelled(&page->flow, 2, BT_ROLE_LABEL, "really true", 16, BT_ROLE_BOLD,
                   page->why->truth ? page->why->truth : "A file cannot show what a running agent remembers (D1).");
  end_part(page, before);
}

static void add_rest(struct page *page) {
  struct bt_flow before = page->flow;
  const struct bt_why *why = page->why;
  begin_part(page);
  if (why->blocks)
    bt_flow_printf(&page->flow, 2, BT_ROLE_LABEL, "also refused", 16, BT_ROLE_DEFAULT, "%zu other session%s known here",
                   why->blocks, why->blocks == 1 ? "" : "s");
  for (size_t i = 0; i < why->note_count; i++)
    bt_flow_labelled(&page->flow, 2, BT_ROLE_LABEL, i ? NULL : "note", 16, BT_ROLE_DEFAULT, why->notes[i]);
  bt_flow_labelled(&page->flow, 2, BT_ROLE_LABEL, "from a shell", 16, BT_ROLE_DEFAULT, why->command);
  end_part(page, before);
}

static void add_page(struct page *page) {
  add_rules(page);
  add_steps(page);
  bt_flow_rule(&page->flow, "the message the agent was shown", NULL);
  add_told(page);
  add_truth(page);
  add_rest(page);
  page->place.lines = page->flow.line;
  if (page->part == page->wanted + 1)
    page->place.end = page->flow.line;
}

struct bt_explain_place bt_explain_find(const struct bt_frame *frame, size_t part) {
  struct page page = {.frame = frame, .why = frame->scene->why, .wanted = part};
  if (!page.why)
    return page.place;
  bt_flow_count(&page.flow, frame->screen.columns - 1, frame->scene->unicode);
  add_page(&page);
  return page.place;
}

static void draw_question(const struct bt_frame *frame, const struct bt_why *why) {
  struct bt_pane row = bt_pane_cut(frame->screen, 1, 0, 1, frame->screen.columns);
  char answer[BT_PART_BYTES];
  if (why->allowed)
    snprintf(answer, sizeof answer, "ANSWER  YES");
  else
    snprintf(answer, sizeof answer, "ANSWER  NO - %zu rule%s", why->refused_count,
             why->refused_count == 1 ? " refuses" : "s refuse");
  int width = (int)strlen(answer), room = row.columns - width - 4;
  if (room > 24)
    bt_pane_field(row, 0, 1, room, BT_ALIGN_LEFT, BT_ROLE_DEFAULT, why->question);
  bt_pane_text(row, 0, room > 24 ? row.columns - width - 1 : 1, why->allowed ? BT_ROLE_VERIFIED : BT_ROLE_BAD, answer);
}

void bt_explain_draw(const struct bt_frame *frame) {
  struct bt_pane body = bt_frame_body(frame);
  struct page page = {.frame = frame, .why = frame->scene->why, .wanted = frame->scene->why_scroll.row};
  *frame->cursor = (struct bt_view_cursor){body.row, body.column, false};
  if (!page.why) {
    bt_pane_field(body, body.rows > 2, 2, body.columns - 3, BT_ALIGN_LEFT, BT_ROLE_WARNING,
                  !frame->scene->session_id ? "This session is not there any more."
                  : frame->scene->why_error ? frame->scene->why_error
                                            : "No answer yet.");
    return;
  }
  draw_question(frame, page.why);
  bt_flow_start(&page.flow, bt_pane_cut(body, 0, 0, body.rows, body.columns - 1), frame->scene->why_scroll.top);
  add_page(&page);
}
