/* tui/deliverer.h - evaluates the deliveries of all working trees on a thread of its own: git and the forge's tool are
 * slow to answer. */
#ifndef BATON_TUI_DELIVERER_H
#define BATON_TUI_DELIVERER_H

#include <stdbool.h>

#include "core/base/error.h"
#include "core/env.h"
#include "core/model/delivery_view.h"

struct deliverer;

/* `env` is borrowed and must not change. NULL with err when the system gives no thread. */
struct deliverer *deliverer_new(const struct bt_env *env, struct bt_error *err) BT_NODISCARD;
void deliverer_free(struct deliverer *deliverer); /* gives a running gh up. NULL is allowed */

/* False: out of memory, no answer will come. What is asked while another question waits is answered with it, and the forge
 * is asked where any of them wants it. */
bool deliverer_ask(struct deliverer *deliverer, bool ask_forge);
int deliverer_fd(const struct deliverer *deliverer);
/* False: no news. True: *view moves out, or is NULL and err says why. *more: another answer is to come. */
bool deliverer_take(struct deliverer *deliverer, struct bt_delivery_view **view, bool *more, struct bt_error *err);

#endif
