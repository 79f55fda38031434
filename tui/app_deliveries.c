/* tui/app_deliveries.c - what lies beside the ledger: the deliveries of the working trees, and handover requests.
 *
 * Evaluating is slow and only done when their page is opened or it is asked for; acting goes through the same dialogs
 * as everything else. */
#include "tui/app_state.h"

#include <stdio.h>

#include "core/base/str.h"
#include "core/handover/request.h"
#include "core/ops/command.h"

#define LINE_BYTES_MAX ((size_t)64 * 1024)

/* ---- the page ---- */

void app_deliveries_ask(struct app *app, bool forge, struct effects *effects) {
  struct bt_scene *scene = &app->scene;
  if (scene->page != BT_PAGE_DELIVERIES)
    return;
  scene->deliveries_pending = true;
  scene->forge_pending = scene->forge_pending || forge; /* what is asked now must not answer for the forge without it */
  app_effect(effects, EFFECT_DELIVERIES)->length = scene->forge_pending;
}

static void open_page(struct app *app, struct effects *effects) {
  struct bt_scene *scene = &app->scene;
  if (!app->snapshot)
    return;
  app_open_page(app, BT_PAGE_DELIVERIES);
  scene->delivery_open = false;
  scene->delivery_rows = (struct bt_scroll){0, 0};
  app_deliveries_ask(app, false, effects);
}

void app_deliveries_press(struct app *app) {
  app->scene.delivery_open = !app->scene.delivery_open && bt_view_delivery(&app->scene);
  app->scene.delivery_top = 0;
}

bool app_deliveries_close(struct app *app) {
  bool was_open = app->scene.page == BT_PAGE_DELIVERIES && app->scene.delivery_open;
  app->scene.delivery_open = false;
  return was_open;
}

/* The selection stays on its tree. */
static size_t find_tree(const struct bt_delivery_view *view, const char *tree) {
  for (size_t i = 0; tree && i < view->count; i++)
    if (bt_text_equals(view->rows[i].tree, tree))
      return i;
  return 0;
}

struct effects app_delivered(struct app *app, struct bt_delivery_view *view, bool more, const struct bt_error *err) {
  struct bt_scene *scene = &app->scene;
  const struct bt_delivery_row *selected = bt_view_delivery(scene);
  snprintf(app->deliveries_error, sizeof(app->deliveries_error), "%s",
           view              ? ""
           : err->message[0] ? err->message
                             : bt_code_words(err->code));
  scene->deliveries_error = view ? NULL : app->deliveries_error;
  scene->deliveries_pending = scene->deliveries_pending && more;
  scene->forge_pending = scene->forge_pending && more;
  if (view)
    scene->delivery_rows.row = find_tree(view, selected ? selected->tree : NULL);
  else
    scene->delivery_open = false;
  scene->deliveries = view;
  bt_delivery_view_free(app->deliveries);
  app->deliveries = view;
  app_settle(app);
  return (struct effects){.changed = true};
}

void app_deliveries_copy(struct app *app, struct effects *effects) {
  const struct bt_delivery_row *row = bt_view_delivery(&app->scene);
  struct bt_str line;
  if (!row) {
    app_say(app, BT_SEVERITY_INFO, "there is no command to copy: nothing is known yet");
    return;
  }
  bt_str_init(&line, LINE_BYTES_MAX);
  bt_str_puts(&line, "baton delivery validate --repo ");
  bt_shell_word(&line, row->tree);
  bt_str_puts(&line, row->pr_number ? " --gh" : "");
  if (line.failed)
    app_say(app, BT_SEVERITY_ERROR, "too long to be copied");
  else
    app_copy(app, effects, line.data);
  bt_str_dispose(&line);
}

/* ---- verbs ---- */

static const struct bt_handover *handover_here(const struct app *app) {
  const struct bt_session *session = app->scene.page == BT_PAGE_LIST || app->scene.page == BT_PAGE_SESSION
                                         ? bt_view_session(&app->scene, app->snapshot)
                                         : NULL;
  return session ? bt_snapshot_handover(app->snapshot, session->id) : NULL;
}

static const char *ack_off(const struct app *app) {
  const struct bt_handover *handover = handover_here(app);
  return handover && handover->state == BT_ASK_STATE_DUE ? NULL : "no handover is due here";
}

static const char *delivery_off(const struct app *app, enum bt_verb verb) {
  const struct bt_delivery_row *row = app->scene.page == BT_PAGE_DELIVERIES ? bt_view_delivery(&app->scene) : NULL;
  if (!row)
    return "no delivery is selected";
  if (row->error || !row->governed)
    return "there is no open record here";
  if (verb == BT_VERB_RECONCILE && !bt_starts_with(row->verdict, "reconcile:"))
    return "there is nothing to reconcile here";
  return NULL;
}

bool app_is_beside(enum bt_verb verb) {
  return verb == BT_VERB_ACK || verb == BT_VERB_RECONCILE || verb == BT_VERB_STOP;
}

const char *app_beside_off(const struct app *app, enum bt_verb verb) {
  const char *reason = verb == BT_VERB_ACK ? ack_off(app) : delivery_off(app, verb);
  return reason ? reason : bt_snapshot_verb_blocked(app->snapshot, verb);
}

static struct bt_request request_of(const struct app *app, enum bt_verb verb) {
  struct bt_request request = {.verb = verb};
  const struct bt_delivery_row *row = bt_view_delivery(&app->scene);
  if (verb == BT_VERB_ACK) {
    request.session = handover_here(app)->session;
  } else {
    request.tree = row->tree;
    request.pr_state = row->forge_text;
    request.pr_taken_ms = row->pr_taken_ms;
  }
  return request;
}

/* As for the verbs of the ledger: what would only be refused still gets its dialog where there is something to read. */
static void act(struct app *app, enum bt_verb verb, struct effects *effects) {
  const char *reason = !app->snapshot            ? "nothing is loaded yet"
                       : app->snapshot->imported ? "this is a snapshot: nothing can be changed from it"
                       : verb == BT_VERB_ACK     ? ack_off(app)
                                                 : delivery_off(app, verb);
  if (reason) {
    snprintf(app->message, sizeof(app->message), "%s: %s", bt_verb_word(verb), reason);
    app_say(app, BT_SEVERITY_WARN, app->message);
    return;
  }
  struct bt_request request = request_of(app, verb);
  if (confirm_open_request(&app->confirm, &app->scene.dialog, &request,
                           verb == BT_VERB_ACK ? request.session : request.tree))
    app_want_plan(app, effects);
  else
    app_say(app, BT_SEVERITY_ERROR, "out of memory");
}

/* ---- the request ---- */

static void copy_request(struct app *app, struct effects *effects) {
  const struct bt_handover *handover = app->snapshot ? handover_here(app) : NULL;
  struct bt_str text;
  if (!handover || !handover->measured) {
    app_say(app, BT_SEVERITY_INFO, "nothing is known of how full this session is: there is nothing to ask with");
    return;
  }
  bt_str_init(&text, LINE_BYTES_MAX);
  bt_ask_request_text(&text, handover->fill, handover->window, (uint64_t)handover->line, BT_ASK_COMMAND);
  if (text.failed) {
    app_say(app, BT_SEVERITY_ERROR, "too long to be copied");
  } else {
    app_copy(app, effects, text.data);
    app_say(app, BT_SEVERITY_INFO,
            handover->state == BT_ASK_STATE_DUE ? "copied: the handover request; pass it on, then acknowledge it"
                                                : "copied: the handover request; none is due here");
  }
  bt_str_dispose(&text);
}

bool app_deliveries_act(struct app *app, enum bt_action action, struct effects *effects) {
  switch (action) {
  case BT_ACTION_DELIVERIES:
    open_page(app, effects);
    return true;
  case BT_ACTION_FORGE:
    app_deliveries_ask(app, true, effects);
    return true;
  case BT_ACTION_ACK:
    act(app, BT_VERB_ACK, effects);
    return true;
  case BT_ACTION_RECONCILE:
    act(app, BT_VERB_RECONCILE, effects);
    return true;
  case BT_ACTION_STOP:
    act(app, BT_VERB_STOP, effects);
    return true;
  case BT_ACTION_COPY_REQUEST:
    copy_request(app, effects);
    return true;
  default:
    return false;
  }
}
