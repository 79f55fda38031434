/* core/ops/sample.h - writes the bundled sample ledger: every state of a session in one folder, safe to play with.
 *
 * Owns: the copying. Its texts are sample/ledger.template and sample/transcripts.template, embedded; times, host and process ids are filled in, and
 * authorizations, grants and evidence are signed: with env->key where there is one, else with the published key of
 * core/store/sample.h. */
#ifndef BATON_CORE_OPS_SAMPLE_H
#define BATON_CORE_OPS_SAMPLE_H

#include "core/base/error.h"
#include "core/env.h"
#include "core/ops/sample_template.h"

/* Facts of this machine: process 1 lives and began long ago, and some pid is free. */
void bt_sample_world_of(const struct bt_env *env, struct bt_sample_world *world);

/* Makes env->root (its parent must be there) and env->ledger_dir, and fills it. BT_STATE when there is a ledger
 * already, BT_READONLY, BT_IO, BT_NOMEM. What was written before a failure stays. */
enum bt_code bt_sample_write(const struct bt_env *env, const struct bt_sample_world *world,
                             struct bt_error *err) BT_NODISCARD;

#endif
