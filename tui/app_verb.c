/* tui/app_verb.c - from the key of a verb to its dialog: one gate, one request, one place that executes. */
#include "tui/app_state.h"

#include <stdio.h>

#include "core/model/id.h"
#include "core/ops/command.h"

#define START_BYTES_MAX ((size_t)32 * 1024)

/* What the verb would be about: the session of the page; for unlock also a lock. Either may be NULL. */
struct subject {
  const struct bt_session *session;
  const struct bt_lock *lock;
  bool of_record; /* a record is selected, whether or not its session is listed */
};

static struct subject find_subject(const struct app *app) {
  struct subject subject = {NULL, NULL, false};
  if (!app->snapshot)
    return subject;
  if (app->scene.page == BT_PAGE_LOG) {
    const struct bt_log_row *row = bt_view_log_row(&app->scene);
    subject.session = row && row->session ? bt_snapshot_session(app->snapshot, row->session) : NULL;
    return subject;
  }
  if (app->scene.page == BT_PAGE_RECORDS) { /* of this ledger, where it has the session */
    const struct bt_record_item *record = bt_view_record(&app->scene);
    subject.of_record = record != NULL;
    subject.session = record && record->session ? bt_snapshot_session(app->snapshot, record->session) : NULL;
    return subject;
  }
  if (app->scene.page == BT_PAGE_LOCKS) {
    subject.lock = bt_view_lock(&app->scene, app->snapshot);
    if (subject.lock && subject.lock->kind == BT_LOCK_SESSION)
      subject.session = bt_snapshot_session(app->snapshot, subject.lock->name);
  } else {
    const struct bt_why_step *step = app_why_step(app);
    subject.session = bt_view_session(&app->scene, app->snapshot);
    if (step && step->helps && step->subject) /* the record that the step under the cursor is about */
      subject.session = bt_snapshot_session(app->snapshot, step->subject);
    subject.lock = subject.session ? subject.session->lock : NULL;
  }
  return subject;
}

const struct bt_session *app_subject_session(const struct app *app) {
  if (app->scene.page == BT_PAGE_WHY && app->snapshot)
    return bt_view_session(&app->scene, app->snapshot);
  return find_subject(app).session;
}

/* Nothing there to open a dialog about; NULL when there is. */
static const char *no_subject(const struct subject *subject, enum bt_verb verb) {
  if (verb == BT_VERB_UNDO) /* what the trash holds only its plan knows */
    return NULL;
  if (verb == BT_VERB_UNLOCK) {
    if (!subject->lock)
      return "there is no lock to remove";
    return subject->lock->view_only ? "this lock is another program's: it is only shown" : NULL;
  }
  if (verb == BT_VERB_RECORD)
    return app_records_off(subject->session, subject->of_record);
  if (!subject->session)
    return "no session is selected";
  if (verb == BT_VERB_BYPASS)
    return NULL;
  const struct bt_deny *deny = subject->session->deny;
  return deny && deny->status == BT_DENY_OPEN ? NULL : "this session has no open deny";
}

static const char *verb_off(const struct app *app, const struct subject *subject, enum bt_verb verb) {
  const char *reason = no_subject(subject, verb);
  if (reason)
    return reason;
  reason = bt_snapshot_verb_blocked(app->snapshot, verb);
  if (reason || verb != BT_VERB_UNLOCK)
    return reason;
  if (subject->lock->verdict == BT_LOCK_STALE || subject->lock->verdict == BT_LOCK_PID_REUSE)
    return NULL;
  return subject->lock->why ? subject->lock->why : bt_lock_verdict_word(subject->lock->verdict);
}

struct hints_off app_verbs_off(const struct app *app) {
  struct hints_off off = {{NULL}};
  struct subject subject = find_subject(app);
  for (int verb = BT_VERB_NONE + 1; verb < BT_VERB_COUNT; verb++)
    off.reason[verb] = !app->snapshot                      ? "nothing is loaded yet"
                       : app_is_beside((enum bt_verb)verb) ? app_beside_off(app, (enum bt_verb)verb)
                                                           : verb_off(app, &subject, (enum bt_verb)verb);
  return off;
}

void app_want_plan(struct app *app, struct effects *effects) {
  confirm_asked(&app->confirm);
  app_effect(effects, EFFECT_PLAN)->request = confirm_request(&app->confirm);
}

/* The one gate. A verb that would only be refused still gets its dialog where there is something to look at: the
 * plan's own words say what stands in the way, and its button stays locked. */
void app_verb_act(struct app *app, enum bt_verb verb, struct effects *effects) {
  struct subject subject = find_subject(app);
  const char *reason = !app->snapshot            ? "nothing is loaded yet"
                       : app->snapshot->imported ? "this is a snapshot: nothing can be changed from it"
                                                 : no_subject(&subject, verb);
  if (reason) {
    snprintf(app->message, sizeof(app->message), "%s: %s", bt_verb_word(verb), reason);
    app_say(app, BT_SEVERITY_WARN, app->message);
  } else if (!confirm_open(&app->confirm, &app->scene.dialog, verb, app->snapshot, subject.session, subject.lock)) {
    app_say(app, BT_SEVERITY_ERROR, "out of memory");
  } else {
    app_want_plan(app, effects);
  }
}

/* Authorised, and its predecessor's record is consumed: starting it is what is left to do. */
static bool may_start(const struct bt_session *session) {
  return session && session->state == BT_STATE_READY && session->auth_deny &&
         session->auth_deny->status == BT_DENY_CONSUMED && bt_id_is_prompt_safe(session->id);
}

static void copy_start(struct app *app, const struct bt_session *session, struct effects *effects) {
  struct bt_str line;
  bt_str_init(&line, START_BYTES_MAX);
  bt_start_command(&line, session->id, app->snapshot->ledger_dir);
  if (line.failed)
    app_say(app, BT_SEVERITY_ERROR, "too long to be copied");
  else
    app_copy(app, effects, line.data);
  bt_str_dispose(&line);
}

void app_copy_next(struct app *app, struct effects *effects) {
  if (app->scene.page == BT_PAGE_LOG) {
    app_log_copy(app, effects);
    return;
  }
  if (app->scene.page == BT_PAGE_RECORDS) {
    app_records_copy(app, effects);
    return;
  }
  if (app->scene.page == BT_PAGE_DELIVERIES) {
    app_deliveries_copy(app, effects);
    return;
  }
  if (app->scene.page == BT_PAGE_WHY && app->scene.why) {
    const struct bt_why_step *step = app_why_step(app);
    app_copy(app, effects, step && step->command ? step->command : app->scene.why->command);
    return;
  }
  struct subject subject = find_subject(app);
  if (app->scene.page != BT_PAGE_LOCKS && may_start(subject.session)) {
    copy_start(app, subject.session, effects);
    return;
  }
  enum bt_verb verb = app->scene.page == BT_PAGE_LOCKS ? BT_VERB_UNLOCK
                      : subject.session                ? subject.session->next.verb
                                                       : BT_VERB_NONE;
  bool possible =
      verb == BT_VERB_UNLOCK || verb == BT_VERB_REPAIR || verb == BT_VERB_BYPASS || verb == BT_VERB_CONTINUE;
  if (verb == BT_VERB_RESUME || verb == BT_VERB_WRITE) /* no dialog makes these: its steps have their commands */
    app_say(app, BT_SEVERITY_INFO, "the command of this step is on its why page: copy it there");
  else if (!possible || no_subject(&subject, verb))
    app_say(app, BT_SEVERITY_INFO, "there is no command to copy: nothing is to be done here");
  else if (!form_open(&app->copying, &app->copying_dialog, verb, app->snapshot, subject.session, subject.lock))
    app_say(app, BT_SEVERITY_ERROR, "out of memory");
  else
    app_effect(effects, EFFECT_PLAN_TO_COPY)->request = form_request(&app->copying);
}

void app_dialog_act(struct app *app, enum bt_action action, struct effects *effects) {
  const char *locked = action == BT_ACTION_PRESS ? confirm_locked(&app->confirm) : NULL;
  app_dialog_answer(app, confirm_act(&app->confirm, action), effects);
  if (locked && confirm_is_open(&app->confirm))
    app_say(app, BT_SEVERITY_INFO, locked);
}

void app_dialog_answer(struct app *app, enum confirm_answer answer, struct effects *effects) {
  switch (answer) {
  case CONFIRM_NOTHING:
  case CONFIRM_CHANGED:
    break;
  case CONFIRM_STOP:
    app_effect(effects, EFFECT_STOP);
    break;
  case CONFIRM_LEAVE:
    if (app->confirm.form.fixed.verb == BT_VERB_RECORD) /* nobody waits for the plan */
      app_effect(effects, EFFECT_STOP);
    confirm_close(&app->confirm);
    app_say(app, BT_SEVERITY_INFO, "left: nothing was written");
    break;
  case CONFIRM_PLAN:
    app_want_plan(app, effects);
    break;
  case CONFIRM_EXECUTE:
    app_effect(effects, EFFECT_EXECUTE)->plan = app->confirm.plan;
    break;
  case CONFIRM_REVIEW:
    app_effect(effects, EFFECT_REVIEW_BRIEF)->plan = app->confirm.plan;
    break;
  case CONFIRM_REPAIR:
    confirm_close(&app->confirm);
    app_verb_act(app, BT_VERB_REPAIR, effects);
    break;
  case CONFIRM_SCROLL_DOWN:
  case CONFIRM_SCROLL_UP:
    bt_view_move(&app->scene, app->snapshot, answer == CONFIRM_SCROLL_DOWN ? 1 : -1);
    break;
  case CONFIRM_SHOW_DRY_RUN: {
    struct effect *effect = app_effect(effects, EFFECT_PAGER);
    effect->text = app->confirm.plan->payload;
    effect->length = bt_slice_of(effect->text).length;
    break;
  }
  }
}
