/* tui/hints.c - footer, verb keys and help from action table and keymap. */
#include "tui/hints.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "views/text.h"

struct wanted_hint {
  enum bt_mode mode;
  enum bt_action action;
  const char *label;
  bool keep;
};

/* Most important first within a mode. */
static const struct wanted_hint wanted_hints[] = {
    {BT_MODE_LIST, BT_ACTION_UNLOCK_MARKED, "unlock marked", false},
    {BT_MODE_LIST, BT_ACTION_OPEN, "open", false},
    {BT_MODE_LIST, BT_ACTION_COPY_REQUEST, "request", false},
    {BT_MODE_LIST, BT_ACTION_ACK, "passed on", false},
    {BT_MODE_LIST, BT_ACTION_CONTINUE, "continue", false},
    {BT_MODE_LIST, BT_ACTION_UNLOCK, "unlock", false},
    {BT_MODE_LIST, BT_ACTION_REPAIR, "repair", false},
    {BT_MODE_LIST, BT_ACTION_BYPASS, "bypass", false},
    {BT_MODE_LIST, BT_ACTION_WHY, "why", false},
    {BT_MODE_LIST, BT_ACTION_LOCKS, "locks", false},
    {BT_MODE_LIST, BT_ACTION_LOG, "log", false},
    {BT_MODE_LIST, BT_ACTION_FILTER, "filter", false},
    {BT_MODE_LIST, BT_ACTION_SORT, "sort", false},
    {BT_MODE_LIST, BT_ACTION_MARK, "mark", false},
    {BT_MODE_LIST, BT_ACTION_NEXT_PROBLEM, "next problem", false},
    {BT_MODE_LIST, BT_ACTION_COPY, "copy command", false},
    {BT_MODE_LIST, BT_ACTION_DELIVERIES, "deliveries", false},
    {BT_MODE_LIST, BT_ACTION_RECORDS, "records", false},
    {BT_MODE_LIST, BT_ACTION_COPY_JSON, "copy as JSON", false},
    {BT_MODE_LIST, BT_ACTION_WRITE_VIEW, "write to a file", false},
    {BT_MODE_LIST, BT_ACTION_HELP, "help", true},
    {BT_MODE_LIST, BT_ACTION_QUIT, "quit", true},
    {BT_MODE_SESSION, BT_ACTION_NEXT_TAB, "next tab", false},
    {BT_MODE_SESSION, BT_ACTION_COPY_REQUEST, "request", false},
    {BT_MODE_SESSION, BT_ACTION_ACK, "passed on", false},
    {BT_MODE_SESSION, BT_ACTION_REVIEW, "mark as read", false},
    {BT_MODE_SESSION, BT_ACTION_DIFF, "difference", false},
    {BT_MODE_SESSION, BT_ACTION_CONTINUE, "continue", false},
    {BT_MODE_SESSION, BT_ACTION_UNLOCK, "unlock", false},
    {BT_MODE_SESSION, BT_ACTION_REPAIR, "repair", false},
    {BT_MODE_SESSION, BT_ACTION_BYPASS, "bypass", false},
    {BT_MODE_SESSION, BT_ACTION_WHY, "why", false},
    {BT_MODE_SESSION, BT_ACTION_SEARCH, "search", false},
    {BT_MODE_SESSION, BT_ACTION_NEXT_MATCH, "next match", false},
    {BT_MODE_SESSION, BT_ACTION_PAGER, "$PAGER", false},
    {BT_MODE_SESSION, BT_ACTION_COPY, "copy command", false},
    {BT_MODE_SESSION, BT_ACTION_COPY_JSON, "copy as JSON", false},
    {BT_MODE_SESSION, BT_ACTION_WRITE_VIEW, "write to a file", false},
    {BT_MODE_SESSION, BT_ACTION_HELP, "help", true},
    {BT_MODE_SESSION, BT_ACTION_BACK, "back", true},
    {BT_MODE_LOCKS, BT_ACTION_UNLOCK_MARKED, "unlock marked", false},
    {BT_MODE_LOCKS, BT_ACTION_UNLOCK, "unlock", false},
    {BT_MODE_LOCKS, BT_ACTION_OPEN, "session", false},
    {BT_MODE_LOCKS, BT_ACTION_REFRESH, "re-probe", false},
    {BT_MODE_LOCKS, BT_ACTION_COPY, "copy command", false},
    {BT_MODE_LOCKS, BT_ACTION_FILTER, "filter", false},
    {BT_MODE_LOCKS, BT_ACTION_MARK, "mark", false},
    {BT_MODE_LOCKS, BT_ACTION_MARK_STALE, "mark all stale", false},
    {BT_MODE_LOCKS, BT_ACTION_COPY_JSON, "copy as JSON", false},
    {BT_MODE_LOCKS, BT_ACTION_WRITE_VIEW, "write to a file", false},
    {BT_MODE_LOCKS, BT_ACTION_HELP, "help", true},
    {BT_MODE_LOCKS, BT_ACTION_BACK, "back", true},
    {BT_MODE_LOG, BT_ACTION_OPEN, "session", false},
    {BT_MODE_LOG, BT_ACTION_FILTER, "filter", false},
    {BT_MODE_LOG, BT_ACTION_FOLLOW, "follow on/off", false},
    {BT_MODE_LOG, BT_ACTION_TIMES, "UTC/local", false},
    {BT_MODE_LOG, BT_ACTION_COPY, "copy line", false},
    {BT_MODE_LOG, BT_ACTION_COPY_JSON, "copy as JSON", false},
    {BT_MODE_LOG, BT_ACTION_WRITE_VIEW, "write to a file", false},
    {BT_MODE_LOG, BT_ACTION_HELP, "help", true},
    {BT_MODE_LOG, BT_ACTION_BACK, "back", true},
    {BT_MODE_RECORDS, BT_ACTION_OPEN, "its brief", false},
    {BT_MODE_RECORDS, BT_ACTION_RECORD, "build or refresh", false},
    {BT_MODE_RECORDS, BT_ACTION_REFRESH, "verify again", false},
    {BT_MODE_RECORDS, BT_ACTION_COPY, "copy command", false},
    {BT_MODE_RECORDS, BT_ACTION_COPY_JSON, "copy as JSON", false},
    {BT_MODE_RECORDS, BT_ACTION_WRITE_VIEW, "write to a file", false},
    {BT_MODE_RECORDS, BT_ACTION_HELP, "help", true},
    {BT_MODE_RECORDS, BT_ACTION_BACK, "back", true},
    {BT_MODE_DELIVERIES, BT_ACTION_OPEN, "open", false},
    {BT_MODE_DELIVERIES, BT_ACTION_RECONCILE, "reconcile", false},
    {BT_MODE_DELIVERIES, BT_ACTION_STOP, "stop", false},
    {BT_MODE_DELIVERIES, BT_ACTION_FORGE, "ask the forge", false},
    {BT_MODE_DELIVERIES, BT_ACTION_REFRESH, "look again", false},
    {BT_MODE_DELIVERIES, BT_ACTION_COPY, "copy command", false},
    {BT_MODE_DELIVERIES, BT_ACTION_COPY_JSON, "copy as JSON", false},
    {BT_MODE_DELIVERIES, BT_ACTION_WRITE_VIEW, "write to a file", false},
    {BT_MODE_DELIVERIES, BT_ACTION_HELP, "help", true},
    {BT_MODE_DELIVERIES, BT_ACTION_BACK, "back", true},
    {BT_MODE_WHY, BT_ACTION_OPEN, "do the step", false},
    {BT_MODE_WHY, BT_ACTION_DOWN, "move", false},
    {BT_MODE_WHY, BT_ACTION_ASK, "ask about another", false},
    {BT_MODE_WHY, BT_ACTION_OVERVIEW, "session", false},
    {BT_MODE_WHY, BT_ACTION_LOCKS, "locks", false},
    {BT_MODE_WHY, BT_ACTION_COPY, "copy command", false},
    {BT_MODE_WHY, BT_ACTION_COPY_JSON, "copy as JSON", false},
    {BT_MODE_WHY, BT_ACTION_WRITE_VIEW, "write to a file", false},
    {BT_MODE_WHY, BT_ACTION_HELP, "help", true},
    {BT_MODE_WHY, BT_ACTION_BACK, "back", true},
    {BT_MODE_HELP, BT_ACTION_FILTER, "find", false},
    {BT_MODE_HELP, BT_ACTION_DOWN, "scroll", false},
    {BT_MODE_HELP, BT_ACTION_BACK, "close", true},
    {BT_MODE_CONFIRM, BT_ACTION_CANCEL, "cancel", true},
    {BT_MODE_CONFIRM, BT_ACTION_FOCUS_NEXT, "move", false},
    {BT_MODE_CONFIRM, BT_ACTION_PRESS, "press", false},
    {BT_MODE_CONFIRM, BT_ACTION_CHOOSE_NEXT, "choose, scroll", false},
    {BT_MODE_CONFIRM, BT_ACTION_REVIEW, "mark as read", false},
    {BT_MODE_CONFIRM, BT_ACTION_STEP_BACK, "previous step", false},
    {BT_MODE_CONFIRM, BT_ACTION_DIFF, "difference", false},
    {BT_MODE_CONFIRM, BT_ACTION_DRY_RUN, "dry run", false},
    {BT_MODE_CONFIRM, BT_ACTION_COPY, "copy command", false},
    {BT_MODE_CONFIRM, BT_ACTION_HELP, "help", true},
    {BT_MODE_FIELD, BT_ACTION_CANCEL, "cancel", true},
    {BT_MODE_FIELD, BT_ACTION_FOCUS_NEXT, "next field", false},
    {BT_MODE_FIELD, BT_ACTION_FOCUS_PREV, "previous", false},
    {BT_MODE_FIELD, BT_ACTION_ERASE_ALL, "clear", false},
    {BT_MODE_INPUT, BT_ACTION_ACCEPT, "keep", true}, /* as the line says it: word_of */
    {BT_MODE_INPUT, BT_ACTION_CANCEL, "clear", true},
    {BT_MODE_INPUT, BT_ACTION_COMPLETE, "complete", false},
};

static enum bt_verb verb_of(enum bt_action action) {
  switch (action) {
  case BT_ACTION_CONTINUE:
    return BT_VERB_CONTINUE;
  case BT_ACTION_UNLOCK:
    return BT_VERB_UNLOCK;
  case BT_ACTION_REPAIR:
    return BT_VERB_REPAIR;
  case BT_ACTION_BYPASS:
    return BT_VERB_BYPASS;
  case BT_ACTION_UNDO:
    return BT_VERB_UNDO;
  case BT_ACTION_RECORD:
    return BT_VERB_RECORD;
  case BT_ACTION_ACK:
    return BT_VERB_ACK;
  case BT_ACTION_RECONCILE:
    return BT_VERB_RECONCILE;
  case BT_ACTION_STOP:
    return BT_VERB_STOP;
  default:
    return BT_VERB_NONE;
  }
}

static bool is_off(enum bt_action action, const struct hints_off *off) {
  enum bt_verb verb = verb_of(action);
  return verb != BT_VERB_NONE && off->reason[verb];
}

/* The first key of an action, as people write it; false when it has none. */
static bool first_key(const struct bt_keymap *keymap, enum bt_mode mode, enum bt_action action, char out[BT_KEY_NAME]) {
  uint32_t key;
  if (bt_keymap_keys(keymap, mode, action, &key, 1) == 0)
    return false;
  bt_key_label(key, out);
  return true;
}

static void fill_verbs(struct hints *hints, struct bt_scene *scene, const struct bt_keymap *keymap, enum bt_mode mode,
                       const struct hints_off *off) {
  for (int action = 1; action < BT_ACTION_COUNT; action++) {
    enum bt_verb verb = verb_of((enum bt_action)action);
    if (verb == BT_VERB_NONE)
      continue;
    bool bound = first_key(keymap, mode, (enum bt_action)action, hints->verb_keys[verb]);
    scene->verbs[verb] = (struct bt_verb_key){bound ? hints->verb_keys[verb] : NULL, off->reason[verb]};
  }
}

/* What ending the line at the bottom does is another thing for each line. */
static const char *word_of(const struct bt_scene *scene, const struct wanted_hint *wanted) {
  enum bt_prompt prompt = wanted->mode == BT_MODE_INPUT ? scene->prompt : BT_PROMPT_NONE;
  bool cancels = wanted->action == BT_ACTION_CANCEL;
  if (wanted->action == BT_ACTION_COMPLETE)
    return wanted->label;
  if (prompt == BT_PROMPT_SORT || prompt == BT_PROMPT_COMMAND)
    return cancels ? "leave" : "do it";
  if (prompt == BT_PROMPT_ASK)
    return cancels ? "leave" : "ask";
  return wanted->label;
}

/* What would do nothing here is not offered. */
static bool makes_sense(const struct bt_scene *scene, enum bt_mode mode, enum bt_action action) {
  const struct bt_dialog *dialog = &scene->dialog;
  if (action == BT_ACTION_COMPLETE)
    return scene->prompt == BT_PROMPT_COMMAND || scene->prompt == BT_PROMPT_ASK;
  if (mode == BT_MODE_INPUT)
    return action != BT_ACTION_ACCEPT || scene->prompt != BT_PROMPT_SORT;
  if (mode == BT_MODE_SESSION)
    return action != BT_ACTION_DIFF || scene->tab == BT_TAB_BRIEF;
  if (mode != BT_MODE_CONFIRM)
    return true;
  switch (action) {
  case BT_ACTION_REVIEW:
    return dialog->wizard && dialog->step == BT_STEP_BRIEF && dialog->plan && !dialog->plan->brief.reviewed;
  case BT_ACTION_STEP_BACK:
    return dialog->wizard && dialog->step != BT_STEP_CHECK;
  case BT_ACTION_DRY_RUN:
    return dialog->plan != NULL && dialog->step == (dialog->wizard ? BT_STEP_CONFIRM : BT_STEP_CHECK);
  case BT_ACTION_DIFF:
    return dialog->verb == BT_VERB_REPAIR;
  default:
    return true;
  }
}

/* Some are said only where they do something. */
static bool is_of_use(const struct bt_scene *scene, enum bt_action action, const struct hints_off *off) {
  switch (action) {
  case BT_ACTION_UNLOCK_MARKED:
    return scene->mark_count > 0;
  case BT_ACTION_COPY_REQUEST:
  case BT_ACTION_ACK:
    return !off->reason[BT_VERB_ACK]; /* a handover is due */
  default:
    return true;
  }
}

void hints_fill(struct hints *hints, struct bt_scene *scene, const struct bt_keymap *keymap, enum bt_mode mode,
                const struct hints_off *off) {
  size_t count = 0;
  for (size_t i = 0; i < sizeof(wanted_hints) / sizeof(wanted_hints[0]) && count < HINTS_MAX; i++) {
    const struct wanted_hint *wanted = &wanted_hints[i];
    if (wanted->mode != mode || !is_of_use(scene, wanted->action, off) || !makes_sense(scene, mode, wanted->action) ||
        !first_key(keymap, mode, wanted->action, hints->keys[count]))
      continue;
    hints->actions[count] = wanted->action;
    hints->list[count] =
        (struct bt_hint){hints->keys[count], word_of(scene, wanted), is_off(wanted->action, off), wanted->keep};
    count++;
  }
  scene->hints = hints->list;
  scene->hint_count = count;
  bool page = mode == BT_MODE_LIST || mode == BT_MODE_SESSION || mode == BT_MODE_LOCKS || mode == BT_MODE_WHY ||
              mode == BT_MODE_LOG || mode == BT_MODE_RECORDS || mode == BT_MODE_DELIVERIES;
  fill_verbs(hints, scene, keymap, page ? mode : BT_MODE_LIST, off);
}

/* "j, down"; empty when the action has no key. A key that the user bound anew gets a trailing '. */
static void all_keys(const struct bt_keymap *keymap, enum bt_mode mode, enum bt_action action, char out[HINTS_KEYS]) {
  uint32_t keys[4];
  size_t count = bt_keymap_keys(keymap, mode, action, keys, 4);
  out[0] = '\0';
  for (size_t i = 0; i < count && i < 4; i++) {
    char label[BT_KEY_NAME];
    bt_key_label(keys[i], label);
    size_t used = strlen(out);
    snprintf(out + used, HINTS_KEYS - used, "%s%s%s", i ? ", " : "", label,
             bt_keymap_rebound(keymap, mode, keys[i]) ? "'" : "");
  }
}

static bool holds(const char *text, const struct bt_field *wanted) {
  return bt_text_search(text, strlen(text), wanted->text, wanted->length) != SIZE_MAX;
}

static bool row_wanted(const struct bt_action_info *info, const char *keys, const char *title,
                       const struct bt_field *wanted) {
  return wanted->length == 0 || holds(keys, wanted) || holds(info->words, wanted) || holds(info->spelling, wanted) ||
         holds(title, wanted);
}

static size_t help_section(struct hints *hints, size_t count, const struct bt_scene *scene,
                           const struct bt_keymap *keymap, enum bt_mode mode, enum bt_action_group group,
                           const struct hints_off *off) {
  const char *title = bt_action_group_title(group);
  for (int action = 1; action < BT_ACTION_COUNT && count < HINTS_HELP_MAX; action++) {
    const struct bt_action_info *info = bt_action_info((enum bt_action)action);
    if (info->group != group)
      continue;
    all_keys(keymap, mode, (enum bt_action)action, hints->help_keys[count]);
    if (!hints->help_keys[count][0] || !row_wanted(info, hints->help_keys[count], title, &scene->help_filter))
      continue;
    hints->help[count] =
        (struct bt_help_row){title, hints->help_keys[count], info->words, is_off((enum bt_action)action, off)};
    count++;
  }
  return count;
}

void hints_help(struct hints *hints, struct bt_scene *scene, const struct bt_keymap *keymap, enum bt_mode mode,
                const struct hints_off *off) {
  size_t count = 0;
  for (int group = 0; group < BT_GROUP_COUNT; group++) {
    enum bt_mode where = mode;
    if (group == BT_GROUP_DIALOG)
      where = BT_MODE_CONFIRM;
    else if (group == BT_GROUP_TYPING)
      where = BT_MODE_INPUT;
    count = help_section(hints, count, scene, keymap, where, (enum bt_action_group)group, off);
  }
  scene->help = hints->help;
  scene->help_count = count;
}
