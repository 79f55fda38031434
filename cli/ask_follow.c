/* cli/ask_follow.c - `baton ask watch --follow`: what happens is said when it happens, each ask once. */
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "cli/ask_watch.h"
#include "cli/cmd_ask.h"
#include "cli/out.h"
#include "core/handover/write.h"

#define POLL_MS 2000
#define LINE_MAX_BYTES (1u << 20)

/* False: it could not be said. */
static bool print_event(const struct ask_watch *watch, const struct bt_ask_session *session, const char *event) {
  const struct bt_ask_machine *machine = &session->replay.machine;
  struct bt_str out;
  bt_str_init(&out, LINE_MAX_BYTES);
  if (watch->json) {
    bt_str_printf(&out, "{\"schema\":\"baton/ask-event-v1\",\"event\":\"%s\",", event);
    ask_put_text(&out, "session", session->id);
    bt_str_putc(&out, ',');
    ask_put_text(&out, "root", session->replay.root);
    bt_str_putc(&out, ',');
    ask_put_figures(&out, machine);
    bt_str_printf(&out, ",\"ordinal\":%" PRIu64 ",", machine->ordinal);
    ask_put_text(&out, "at", session->replay.last_at[0] != '\0' ? session->replay.last_at : NULL);
    bt_str_puts(&out, "}\n");
  } else {
    bt_str_printf(&out, "%-8s ", event);
    ask_put_line(&out, session);
  }
  if (strcmp(event, "ask") == 0 && watch->cli->stdout_tty)
    bt_str_putc(&out, '\a');
  bool said = out_text(&out) == 0;
  bt_str_dispose(&out);
  return said;
}

/* Each ask once, over restarts too. */
static void announce(struct ask_watch *watch, struct bt_ask_session *session) {
  struct bt_ask_keep *keep = &session->keep;
  uint64_t ordinal = session->replay.machine.ordinal;
  struct bt_error err = {0};
  if (bt_ask_keep_has(keep->notified, keep->notified_count, ordinal))
    return;
  if (!print_event(watch, session, "ask"))
    return; /* not remembered as said: the next one says it */
  bt_ask_keep_add(keep->notified, &keep->notified_count, ordinal);
  keep->window_ordinal = ordinal;
  if (!watch->cli->env.readonly && bt_ask_keep_write(watch->cli->env.state_dir, session->id, keep, &err) != BT_OK)
    (void)out_error(&err);
}

static void on_notice(void *context, struct bt_ask_session *session, const struct bt_ask_notice *notice) {
  struct ask_watch *watch = context;
  if (session->fresh || !bt_ask_session_is_current(session))
    return; /* history: what still stands of it is announced afterwards */
  if (notice->asks)
    announce(watch, session);
  else if (notice->before != notice->after && notice->after == BT_ASK_STATE_ASKED)
    (void)print_event(watch, session, "asked");
  else if (notice->before != notice->after && notice->after == BT_ASK_STATE_WRITTEN)
    (void)print_event(watch, session, "written");
  else if (notice->before != notice->after && notice->after == BT_ASK_STATE_REARMED)
    (void)print_event(watch, session, "re-armed");
}

/* Returns when something may have changed; false when nobody reads our output any more. */
static bool wait_for_change(int watch, const struct bt_ask_sessions *sessions) {
  static const uint32_t interest = IN_CREATE | IN_MODIFY | IN_MOVED_TO | IN_DELETE | IN_ONLYDIR;
  char path[8192], events[4096];
  struct pollfd wait[] = {{.fd = STDOUT_FILENO}, {.fd = watch, .events = POLLIN}};
  if (watch >= 0) { /* again and again: a folder may be new, and adding a watch twice is one watch */
    (void)inotify_add_watch(watch, sessions->projects, interest);
    for (size_t i = 0; i < sessions->count; i++) {
      const char *name = sessions->items[i]->path;
      (void)snprintf(path, sizeof path, "%s/%.*s", sessions->projects, (int)strcspn(name, "/"), name);
      (void)inotify_add_watch(watch, path, interest);
    }
  }
  if (poll(wait, 2, POLL_MS) > 0 && wait[1].revents != 0) {
    while (read(watch, events, sizeof events) > 0) {
    }
  }
  return (wait[0].revents & (POLLERR | POLLHUP | POLLNVAL)) == 0;
}

static void announce_ends(struct ask_watch *watch, bool *told, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (watch->sessions.items[i]->gone && !told[i] &&
        bt_ask_sessions_find(&watch->sessions, watch->sessions.items[i]->id) == NULL) /* not only moved */
      (void)print_event(watch, watch->sessions.items[i], "ended");
    told[i] = watch->sessions.items[i]->gone;
  }
}

/* Of what was read from the start, what is due now is said; the past is not. */
static void announce_standing(struct ask_watch *watch) {
  for (size_t i = 0; i < watch->sessions.count; i++) {
    struct bt_ask_session *session = watch->sessions.items[i];
    if (session->anew && bt_ask_session_is_current(session) &&
        bt_ask_state_of(&session->replay.machine) == BT_ASK_STATE_DUE)
      announce(watch, session);
    session->anew = false;
  }
}

int ask_follow(struct ask_watch *watch) {
  struct bt_error err = {0};
  int changes = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  bool *told = NULL;
  enum bt_code code = BT_OK;
  watch->sessions.notice = on_notice;
  watch->sessions.context = watch;
  do {
    size_t before = watch->sessions.count;
    code = bt_ask_sessions_update(&watch->sessions, &err);
    bool *grown = realloc(told, (watch->sessions.count + 1) * sizeof *told);
    if (code == BT_OK && grown == NULL)
      code = bt_error_set(&err, BT_NOMEM, "ask", "out of memory");
    told = grown != NULL ? grown : told;
    if (code != BT_OK)
      break;
    for (size_t i = before; i < watch->sessions.count; i++)
      told[i] = false;
    bt_ask_sessions_acknowledge(&watch->sessions);
    announce_standing(watch);
    announce_ends(watch, told, watch->sessions.count);
  } while (wait_for_change(changes, &watch->sessions));
  if (changes >= 0)
    close(changes);
  free(told);
  return code == BT_OK ? 0 : ask_fail(&err);
}
