/* cli/cmd_ui_plain.c - the menus. */
#include "cli/cmd_ui_plain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cmd.h"
#include "cli/cmd_ui_act.h"
#include "cli/cmd_ui_beside.h"
#include "cli/cmd_ui_line.h"
#include "cli/cmd_ui_more.h"
#include "cli/cmd_ui_records.h"
#include "cli/look.h"
#include "cli/out.h"
#include "core/model/changes.h"
#include "core/records/plan.h"
#include "core/store/load.h"
#include "tui/notify.h"

struct plain {
  struct cli_env *cli;
  struct line_reader reader;
  struct watch *watch;
  struct notify notify;
  struct bt_snapshot *snapshot;
  struct bt_str line;   /* what was typed last */
  struct bt_str filter; /* empty: all */
  struct ui_order order;
  char read_hash[BT_SHA256_HEX]; /* of the brief that was read out last */
  char **ids;                    /* what the numbers of the menu last said stand for */
  size_t id_count;
  bool all; /* the sessions of every repository */
  bool left;
};

/* ---- the ledger ---- */

static bool load(struct plain *plain) {
  struct bt_snapshot *snapshot;
  struct bt_error err = {.code = BT_OK};
  if (look_load(plain->cli, BT_LOAD_TICKETS | LOOK_TRANSCRIPTS, plain->all, &snapshot, &err) != BT_OK) {
    ui_say("The ledger cannot be read: %s", err.message);
    return false;
  }
  bt_snapshot_free(plain->snapshot);
  plain->snapshot = snapshot;
  return true;
}

static void say_change(const struct bt_change *change) {
  const char *id = change->after ? change->after->id : change->before->id;
  ui_say("Changed: %s, %s, was %s.", id, change->after ? bt_state_word(change->after->state) : "gone",
         change->before ? bt_state_word(change->before->state) : "not there");
}

/* One line a change; whatever is being typed stays. */
static void changed(void *context) {
  struct plain *plain = context;
  struct bt_snapshot *before = plain->snapshot;
  struct bt_changes changes;
  struct bt_error err = {.code = BT_OK};
  plain->snapshot = NULL;
  if (!load(plain)) {
    plain->snapshot = before;
    return;
  }
  if (bt_changes_between(before, plain->snapshot, &changes, &err) == BT_OK)
    for (size_t i = 0; i < changes.count; i++)
      say_change(&changes.items[i]);
  if (notify_changes(&plain->notify, before, plain->snapshot, &err) != BT_OK)
    ui_say("%s", err.message);
  bt_changes_dispose(&changes);
  bt_snapshot_free(before);
  fflush(stdout);
}

static bool read_line(struct plain *plain) {
  bool there = line_read(&plain->reader, plain->watch, changed, plain, &plain->line);
  plain->left = plain->left || !there;
  return there;
}

static bool typed(const struct plain *plain, const char *word) {
  return strcmp(plain->line.data, word) == 0;
}

/* Runs a command of the command line on this ledger. */
static void run(struct plain *plain, const char *first, const char *second, const char *third) {
  char *argv[6] = {NULL};
  const char *words[] = {first, "--dir", plain->cli->env.ledger_dir, second, third};
  const struct cmd *command = cmd_find(first);
  bool whole = command != NULL;
  int argc = 0;
  fflush(stdout);
  for (size_t i = 0; i < 5 && words[i]; i++) {
    argv[argc] = strdup(words[i]);
    whole = whole && argv[argc++];
  }
  if (whole)
    (void)command->run(plain->cli, argc, argv);
  for (int i = 0; i < argc; i++)
    free(argv[i]);
}

/* ---- one session ---- */

static const struct bt_session *session_of(const struct plain *plain, const char *id) {
  return bt_snapshot_session(plain->snapshot, id);
}

static void print_brief(struct plain *plain, const char *id) {
  const struct bt_session *session = session_of(plain, id);
  const struct bt_capture *brief = session ? session->capture : NULL;
  if (!brief || !brief->text) {
    ui_say("There is no brief to read.");
    return;
  }
  ui_say("Brief, %s. What follows was written by the session: data, not instructions.", bt_brief_word(brief->status));
  ui_quote(brief->text, brief->text_length);
  snprintf(plain->read_hash, sizeof(plain->read_hash), "%s", brief->actual_hash ? brief->actual_hash : "");
  ui_say("End of the brief.");
}

static void print_next(const struct plain *plain, const char *id) {
  const struct bt_session *session = session_of(plain, id);
  if (session)
    ui_say("Safest next step: %s%s%s", session->next.text, session->next.blocked_by ? ". Not now: " : "",
           session->next.blocked_by ? session->next.blocked_by : "");
}

static void act(struct plain *plain, enum bt_verb verb, const char *id) {
  const struct bt_session *session = session_of(plain, id);
  if (!session)
    ui_say("The session is gone.");
  else if (verb == BT_VERB_UNLOCK && (!session->lock || session->lock->view_only))
    ui_say("There is no lock to remove.");
  else if (verb == BT_VERB_RECORD && bt_record_off(session))
    ui_say("No record of it can be built: %s.", bt_record_off(session));
  else if (verb != BT_VERB_RECORD && verb != BT_VERB_UNLOCK && verb != BT_VERB_BYPASS &&
           (!session->deny || session->deny->status != BT_DENY_OPEN))
    ui_say("This session has no open deny.");
  else
    ui_act(plain->cli, &plain->reader, verb, plain->snapshot, session, session->lock);
  (void)load(plain);
}

static void review(struct plain *plain, const char *id) {
  const struct bt_session *session = session_of(plain, id);
  if (session)
    ui_review(plain->cli, session, plain->read_hash);
  (void)load(plain);
}

static void choose_for(struct plain *plain, const char *id) {
  switch (strtol(plain->line.data, NULL, 10)) {
  case 1:
    run(plain, "show", id, "--color=never");
    break;
  case 2:
    print_brief(plain, id);
    break;
  case 3:
    run(plain, "why", id, NULL);
    break;
  case 4: {
    char flag[8 + LINE_BYTES_MAX];
    snprintf(flag, sizeof(flag), "--session=%.4000s", id);
    run(plain, "log", flag, "--color=never");
    break;
  }
  case 5:
    act(plain, BT_VERB_CONTINUE, id);
    break;
  case 6:
    act(plain, BT_VERB_REPAIR, id);
    break;
  case 7:
    act(plain, BT_VERB_BYPASS, id);
    break;
  case 8:
    act(plain, BT_VERB_UNLOCK, id);
    break;
  case 9:
    review(plain, id);
    break;
  case 10:
    act(plain, BT_VERB_RECORD, id);
    break;
  case 11:
    ui_handover_request(plain->cli, id);
    break;
  case 12:
    ui_handover_passed_on(plain->cli, &plain->reader, id);
    break;
  default:
    ui_say("There is no choice %s.", plain->line.data);
  }
}

static void session_menu(struct plain *plain, const char *id) {
  while (!plain->left) {
    const struct bt_session *session = session_of(plain, id);
    if (!session) {
      ui_say("Session %s is gone.", id);
      return;
    }
    ui_say("Session %s, %s.", id, bt_state_word(session->state));
    print_next(plain, id);
    ui_say("1 overview, 2 brief, 3 why is it refused, 4 evidence, 5 continue, 6 repair, 7 bypass, 8 unlock, "
           "9 mark the brief as read or not, 10 build or refresh its record, 11 the handover request, "
           "12 you have passed it on, 0 back");
    ui_prompt("Choice");
    if (!read_line(plain) || typed(plain, "0"))
      return;
    if (typed(plain, "q"))
      plain->left = true;
    else if (plain->line.length)
      choose_for(plain, id);
  }
}

/* ---- the locks ---- */

static void say_lock(size_t number, const struct bt_lock *lock) {
  ui_say("%zu. %s %s, host %s, pid %s: %s", number, bt_lock_verdict_word(lock->verdict), lock->name,
         lock->host ? lock->host : "unknown", lock->pid_text ? lock->pid_text : "unknown", lock->why ? lock->why : "");
}

static void unlock(struct plain *plain, const char *path) {
  for (size_t i = 0; i < plain->snapshot->lock_count; i++) {
    const struct bt_lock *lock = &plain->snapshot->locks[i];
    if (strcmp(lock->path, path) != 0)
      continue;
    if (lock->view_only)
      ui_say("This lock is another program's: it is only shown.");
    else
      ui_act(plain->cli, &plain->reader, BT_VERB_UNLOCK, plain->snapshot, NULL, lock);
    (void)load(plain);
    return;
  }
  ui_say("This lock is gone.");
}

static void forget_menu(struct plain *plain) {
  for (size_t i = 0; i < plain->id_count; i++)
    free(plain->ids[i]);
  free(plain->ids);
  plain->ids = NULL;
  plain->id_count = 0;
}

/* The number keeps standing for what was read out, whatever happens to the ledger meanwhile. */
static bool remember(struct plain *plain, const char *id) {
  char **grown = realloc(plain->ids, (plain->id_count + 1) * sizeof(*grown));
  if (!grown)
    return false;
  plain->ids = grown;
  plain->ids[plain->id_count] = strdup(id);
  if (!plain->ids[plain->id_count])
    return false;
  plain->id_count++;
  return true;
}

static const char *chosen(const struct plain *plain) {
  char *end;
  unsigned long number = strtoul(plain->line.data, &end, 10);
  return plain->line.length && *end == '\0' && number >= 1 && number <= plain->id_count ? plain->ids[number - 1] : NULL;
}

static void lock_menu(struct plain *plain) {
  while (!plain->left) {
    forget_menu(plain);
    ui_say("%zu locks, by verdict.", plain->snapshot->lock_count);
    for (size_t i = 0; i < plain->snapshot->lock_count && remember(plain, plain->snapshot->locks[i].path); i++)
      say_lock(i + 1, &plain->snapshot->locks[i]);
    ui_prompt("Number of a lock to remove, m several at once, d for details, 0 back");
    if (!read_line(plain) || typed(plain, "0"))
      return;
    const char *path = chosen(plain);
    if (typed(plain, "q"))
      plain->left = true;
    else if (typed(plain, "m")) {
      ui_unlock_several(plain->cli, &plain->reader, plain->snapshot, plain->ids, plain->id_count);
      (void)load(plain);
    } else if (typed(plain, "d"))
      run(plain, "locks", "--color=never", NULL);
    else if (path)
      unlock(plain, path);
    else if (plain->line.length)
      ui_say("There is no choice %s.", plain->line.data);
  }
}

/* ---- the sessions ---- */

static void say_head(const struct plain *plain) {
  const struct bt_snapshot *snapshot = plain->snapshot;
  ui_say("baton, %s, ledger %s%s%s.", snapshot->project ? snapshot->project : "", snapshot->ledger_dir,
         snapshot->readonly ? ", read-only" : "", snapshot->key_loaded ? "" : ", signing key missing");
  for (int state = 0; state < BT_STATE_COUNT; state++)
    if (snapshot->state_counts[state])
      printf("%zu %s  ", snapshot->state_counts[state], bt_state_word((enum bt_state)state));
  printf("%zu sessions\n", snapshot->session_count);
}

static void say_session(size_t number, const struct bt_session *session) {
  char used[BT_PERCENT_BYTES];
  bt_percent_text(used, &session->context);
  ui_say("%zu. %c %s %s, %s, %s used, band %s. %s", number, bt_state_glyph(session->state),
         bt_state_word(session->state), session->id, session->harness ? session->harness : "harness unknown", used,
         bt_band_word(session->context.band), session->next.text ? session->next.text : "");
}

static void say_sessions(struct plain *plain) {
  forget_menu(plain);
  say_head(plain);
  if (plain->filter.length)
    ui_say("Only what matches: %s", plain->filter.data);
  size_t count;
  uint32_t *rows = ui_order_rows(plain->snapshot, plain->filter.data, plain->order, &count);
  for (size_t i = 0; i < count; i++)
    if (remember(plain, plain->snapshot->sessions[rows[i]].id))
      say_session(plain->id_count, &plain->snapshot->sessions[rows[i]]);
  free(rows);
}

static const char choices[] =
    "number of a session, s list, o order, l locks, e evidence, a session records, d deliveries, w handovers, z undo the last unlock, "
    "/ and words to filter, r read again, q quit";

/* True when the list is to be said again. */
static bool take_choice(struct plain *plain) {
  const char *id = chosen(plain);
  if (id) {
    char *own = strdup(id); /* the menu of that session makes a menu of its own */
    if (own)
      session_menu(plain, own);
    free(own);
  } else if (typed(plain, "q")) {
    plain->left = true;
  } else if (typed(plain, "l")) {
    lock_menu(plain);
    return true; /* its numbers were others */
  } else if (typed(plain, "o")) {
    return ui_order_ask(plain->cli, &plain->reader, &plain->order);
  } else if (typed(plain, "h")) {
    ui_say("Choices: %s.", choices);
  } else if (typed(plain, "e")) {
    run(plain, "log", "--color=never", NULL);
  } else if (typed(plain, "a")) {
    plain->left = !ui_records(plain->cli, &plain->reader);
  } else if (typed(plain, "d")) {
    plain->left = !ui_deliveries(plain->cli, &plain->reader);
  } else if (typed(plain, "w")) {
    ui_handovers(plain->cli);
  } else if (typed(plain, "z")) {
    ui_act(plain->cli, &plain->reader, BT_VERB_UNDO, plain->snapshot, NULL, NULL);
    (void)load(plain);
  } else if (plain->line.data[0] == '/') {
    bt_str_clear(&plain->filter);
    bt_str_puts(&plain->filter, plain->line.data + 1);
    return true;
  } else if (typed(plain, "r")) {
    return load(plain);
  } else if (typed(plain, "s")) {
    return true;
  } else if (plain->line.length) {
    ui_say("There is no choice %s.", plain->line.data);
  }
  return false;
}

static void main_menu(struct plain *plain) {
  bool again = true;
  ui_say("Choices: %s.", choices);
  while (!plain->left) {
    if (again)
      say_sessions(plain);
    ui_prompt("Choice, h for help");
    again = read_line(plain) && take_choice(plain);
  }
  printf("\n");
}

int ui_plain(struct cli_env *cli, const struct config *config, bool all) {
  struct plain plain = {.cli = cli, .all = all, .notify = {.command = config->values[CONFIG_ON_BLOCKED].text}};
  struct bt_error err = {.code = BT_OK};
  line_reader_init(&plain.reader);
  ui_order_load(&cli->env, &plain.order);
  bt_str_init(&plain.line, 4 * LINE_BYTES_MAX);
  bt_str_init(&plain.filter, 4 * LINE_BYTES_MAX);
  plain.watch = watch_new(cli->env.root, cli->env.ledger_dir, config_is(config, CONFIG_INOTIFY, "on"), &err);
  int status = 1;
  if (!plain.watch)
    status = out_error(&err);
  else if (load(&plain)) {
    main_menu(&plain);
    status = out_flush();
  }
  forget_menu(&plain);
  watch_free(plain.watch);
  bt_snapshot_free(plain.snapshot);
  line_reader_dispose(&plain.reader);
  bt_str_dispose(&plain.line);
  bt_str_dispose(&plain.filter);
  return status;
}
