/* tui/effect.h - carries out what the app asks for, with the real core, and gives it the answers.
 *
 * Plans and executions happen here and now; a refresh goes to the loader, what is about records, and the plans and
 * executions of deliveries (tui/act.h, act_is_slow), to the librarian. */
#ifndef BATON_TUI_EFFECT_H
#define BATON_TUI_EFFECT_H

#include <stdbool.h>

#include "core/base/str.h"
#include "core/env.h"
#include "tui/app.h"
#include "tui/librarian.h"
#include "tui/deliverer.h"
#include "tui/loader.h"

struct effector {
  const struct bt_env *env;
  struct app *app;
  struct loader *loader;
  struct bt_log_source *evidence; /* owned once the log was read; NULL at first */
  struct librarian *librarian;    /* NULL where what is shown came from a file */
  bool beside;                    /* long checks may be done beside the screen: somebody waits for effect_log_fd */
  struct verifier *verifier;      /* owned once it was needed */
  struct deliverer *deliverer;    /* NULL: an evaluation is done here and now */
  bool changed;                   /* something may look different; the loop draws and resets it */
  bool at_once;                   /* a refresh was asked for: what comes of it is shown without a second look */
  bool imported;                  /* what is shown came from a file: this host's ledger is not looked at */
  bool quit;
  /* The page on show as JSON (tui/tui.h); NULL: there is none. */
  bool (*page_json)(const struct bt_snapshot *snapshot, const struct bt_scene *scene, struct bt_str *out);
};

void effect_dispose(struct effector *effector); /* what it has kept */
int effect_log_fd(
    const struct effector *effector); /* has input when effect_take_log has something; -1: nothing is awaited */
void effect_take_log(struct effector *effector);
void effect_run(struct effector *effector, struct effects effects);
void effect_take_records(struct effector *effector); /* what the librarian has answered */

#endif
