/* tests/support/shown.c - putting one path in the place of another. */
#include "tests/support/shown.h"

#include <stdint.h>
#include <string.h>

#include "core/base/arena.h"
#include "core/base/str.h"

#define SHOWN_MAX ((size_t)4 << 20)

static const char *replaced(struct bt_arena *arena, const char *text, const char *real, const char *shown) {
  struct bt_str out;
  const char *found;
  if (!text)
    return NULL;
  bt_str_init(&out, SHOWN_MAX);
  while ((found = strstr(text, real))) {
    bt_str_append(&out, text, (size_t)(found - text));
    bt_str_puts(&out, shown);
    text = found + strlen(real);
  }
  bt_str_puts(&out, text);
  const char *copy = bt_arena_strdup(arena, out.data);
  bt_str_dispose(&out);
  return copy;
}

void shown_plan(struct bt_plan *plan, const char *root, const char *home) {
  struct bt_plan_step *steps = (struct bt_plan_step *)(uintptr_t)plan->steps;
  plan->command = replaced(plan->arena, plan->command, root, SHOWN_ROOT);
  plan->after = replaced(plan->arena, plan->after, root, SHOWN_ROOT);
  plan->human = replaced(plan->arena, plan->human, root, SHOWN_ROOT);
  struct bt_plan_check *checks = (struct bt_plan_check *)(uintptr_t)plan->checks;
  for (size_t i = 0; i < plan->check_count; i++)
    checks[i].text = replaced(plan->arena, checks[i].text, root, SHOWN_ROOT);
  for (size_t i = 0; i < plan->step_count; i++) {
    steps[i].path = replaced(plan->arena, steps[i].path, home, SHOWN_HOME);
    steps[i].note = replaced(plan->arena, steps[i].note, home, SHOWN_HOME);
  }
}

void shown_records(struct bt_records_view *records, const char *root, const char *home) {
  struct bt_record_item *items = (struct bt_record_item *)(uintptr_t)records->items;
  records->root = replaced(records->arena, replaced(records->arena, records->root, root, SHOWN_ROOT), home, SHOWN_HOME);
  for (size_t i = 0; i < records->count; i++)
    items[i].folder = replaced(records->arena, items[i].folder, root, SHOWN_ROOT);
}

void shown_why(struct bt_why *why, const char *root) {
  struct bt_why_step *steps = (struct bt_why_step *)(uintptr_t)why->steps;
  why->command = replaced(why->arena, why->command, root, SHOWN_ROOT);
  for (size_t i = 0; i < why->step_count; i++)
    steps[i].command = replaced(why->arena, steps[i].command, root, SHOWN_ROOT);
}
