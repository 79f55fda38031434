/* core/ops/continue_words.c - what the last step of the continue dialog says (dashboard.md 6.5). */
#include <string.h>

#include "core/base/utf8.h"
#include "core/harness/narrative.h"
#include "core/ops/command.h"
#include "core/ops/continue.h"
#include "core/ops/facts.h"
#include "core/ops/gather.h"

#define CONFIRM_CHARACTERS 4

/* The last four characters of the id as it is shown; all of a shorter one. */
static const char *confirm_word(struct bt_planner *planner, const char *session) {
  const char *shown = bt_planner_visible(planner, session);
  size_t length = shown != NULL ? strlen(shown) : 0, at = 0, count = 0;
  while (at < length) {
    (void)bt_utf8_next(shown, length, &at);
    count++;
  }
  for (at = 0; count > CONFIRM_CHARACTERS && at < length; count--)
    (void)bt_utf8_next(shown, length, &at);
  return shown != NULL ? shown + at : NULL;
}

static void describe_rows(struct bt_planner *planner, const struct bt_json *record) {
  const struct bt_request *request = &planner->plan->request;
  const struct bt_op_details *details = planner->details;
  bt_plan_row(planner, "status", "open",
              bt_planner_text(planner, "consumed by %s", bt_planner_visible(planner, request->session)));
  bt_plan_row(planner, "ticket_id", bt_fact_text(planner, record, "ticket_id"),
              bt_planner_visible(planner, details->ticket_id));
  bt_plan_row(planner, "content_hash", bt_fact_text(planner, record, "content_hash"), details->content_hash);
  bt_plan_row(planner, "content_kind", bt_fact_text(planner, record, "content_kind"), "capture");
  bt_plan_row(planner, "host", bt_fact_text(planner, record, "host"),
              request->host != NULL ? bt_planner_visible(planner, request->host) : "local");
}

static void describe_steps(struct bt_planner *planner) {
  const struct bt_request *request = &planner->plan->request;
  const struct bt_op_details *details = planner->details;
  const char *denied = request->deny_session;
  bt_step_take_lock(planner, denied);
  bt_plan_step(planner, "re-check", NULL, "the deny record is byte for byte what this plan saw, else stop");
  bt_plan_step(planner, "write brief", bt_planner_path(planner, BT_FILE_CAPTURE, denied),
               bt_planner_text(planner, "%zu bytes, sha256 %.12s", details->body_length, details->content_hash));
  bt_plan_step(planner, "write final", bt_planner_path(planner, BT_FILE_FINAL, denied), "content_kind capture");
  bt_plan_step(planner, "authorise", bt_planner_path(planner, BT_FILE_AUTH, request->session),
               "signed, exclusive, only for this successor");
  bt_step_record(planner, BT_CONTINUE_GATE);
  bt_plan_step(planner, "consume deny", bt_planner_path(planner, BT_FILE_DENY, denied),
               bt_planner_text(planner, "open -> consumed by %s", bt_planner_visible(planner, request->session)));
  bt_step_release_lock(planner);
}

static void describe_narrative(struct bt_planner *planner, const struct bt_narrative *narrative) {
  if (narrative == NULL)
    bt_plan_check(planner, BT_CHECK_WARN, "no transcript is given: the brief has no last words of the session");
  else if (narrative->text == NULL)
    bt_plan_check(planner, BT_CHECK_WARN, "no last words: %s",
                  narrative->note != NULL ? bt_planner_visible(planner, narrative->note)
                                          : "the transcript has no final message");
  else
    bt_plan_check(planner, BT_CHECK_OK, "last words of the session are in the brief, from %s",
                  bt_planner_visible(planner, planner->plan->request.capture_from));
}

static void describe_checks(struct bt_planner *planner, const struct bt_json *record, const struct bt_brief *brief,
                            const struct bt_narrative *narrative) {
  const struct bt_request *request = &planner->plan->request;
  bt_plan_check(planner, BT_CHECK_OK, "ticket %s is bound", bt_planner_visible(planner, planner->details->ticket_id));
  if (!brief->title_known)
    bt_plan_check(planner, BT_CHECK_WARN, "the ticket store has no title for it");
  bt_plan_check(planner, BT_CHECK_OK, "brief composed and hashed just now");
  if (brief->was_cut)
    bt_plan_check(planner, BT_CHECK_WARN, "the brief was cut at 64 KiB");
  describe_narrative(planner, narrative);
  if (planner->env->key != NULL)
    bt_plan_check(planner, BT_CHECK_OK, "key loaded (never shown, never logged)");
  if (brief->dirty_lines > 0)
    bt_plan_check(planner, BT_CHECK_WARN, "the working tree has uncommitted changes (%zu line%s of status)",
                  brief->dirty_lines, brief->dirty_lines == 1 ? "" : "s");
  (void)bt_fact_brief(planner, request->deny_session, record, NULL);
  bt_fact_binds(planner, record);
  bt_fact_lock(planner, request->deny_session);
  bt_fact_other_denies(planner, request->deny_session);
}

/* A line for a shell, from any folder. */
static const char *start_line(struct bt_planner *planner) {
  struct bt_str line;
  bt_str_init(&line, 2 * BT_PATH_MAX_BYTES);
  bt_str_puts(&line, "start it with   ");
  bt_start_command(&line, planner->plan->request.session, planner->env->ledger_dir);
  const char *text = line.failed ? NULL : bt_planner_text(planner, "%s", line.data);
  bt_str_dispose(&line);
  return text;
}

void bt_continue_describe(struct bt_planner *planner, const struct bt_json *record, const struct bt_brief *brief,
                          const struct bt_narrative *narrative) {
  struct bt_plan *plan = planner->plan;
  const char *denied = plan->request.deny_session;
  bt_plan_fact(planner, BT_FILE_FINAL, denied, true);
  bt_plan_fact(planner, BT_FILE_AUTH, plan->request.session, true);
  describe_rows(planner, record);
  describe_steps(planner);
  describe_checks(planner, record, brief, narrative);
  bt_plan_will(planner, "%s stays denied for ever: it is not un-denied, the work moves.",
               bt_planner_visible(planner, denied));
  bt_plan_will(planner, "One successor only, no second use.");
  bt_plan_will_not(planner, "It does not start the successor and does not touch the working tree.");
  plan->confirm_word = confirm_word(planner, denied);
  plan->after = start_line(planner);
}
