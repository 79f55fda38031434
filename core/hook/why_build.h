/* core/hook/why_build.h - an explanation while it is being built: shared by the two halves of core/hook/why.h. */
#ifndef BATON_CORE_HOOK_WHY_BUILD_H
#define BATON_CORE_HOOK_WHY_BUILD_H

#include "core/base/arena.h"
#include "core/hook/pretool.h"
#include "core/hook/why.h"

#define BT_WHY_RULES_MAX 4096 /* more records than this are counted, not listed */
#define BT_WHY_NOTES_MAX 8

struct bt_why_build {
  const struct bt_env *env;
  const struct bt_snapshot *snapshot;
  const struct bt_why_request *request;
  const struct bt_pretool_decision *decision;
  struct bt_why *why;
  struct bt_arena *arena;
  bool failed; /* memory was short */
};

/* One line of words in the arena; NULL (and build->failed) when memory is short. */
const char *bt_why_words(struct bt_why_build *build, const char *fmt, ...) BT_PRINTF(2, 3);

/* The record that the i-th reason is about; NULL: none. */
const struct bt_json *bt_why_record(const struct bt_why_build *build, size_t reason);

/* Fills why->rules and the counts (core/hook/why_rules.c). */
void bt_why_build_rules(struct bt_why_build *build);
/* Fills why->steps (core/hook/why_steps.c). Rules must be there. */
void bt_why_build_steps(struct bt_why_build *build);

#endif
