/* keymaps/action.c - look-ups in the tables of keymaps/action.h. */
#include "keymaps/action.h"

#include <assert.h>
#include <string.h>

static const struct bt_action_info actions[] = {{"", BT_GROUP_MOVE, 0, ""},
#define ACTION_INFO(name, spelling, group, modes, words) {spelling, BT_GROUP_##group, modes, words},
                                                BT_ACTIONS(ACTION_INFO)
#undef ACTION_INFO
};

static const struct {
  const char *spelling;
  bool typing;
  const char *words;
} modes[] = {
#define MODE_INFO(name, spelling, typing, words) {spelling, typing, words},
    BT_MODES(MODE_INFO)
#undef MODE_INFO
};

static const char *const group_titles[] = {
#define GROUP_TITLE(name, title) title,
    BT_ACTION_GROUPS(GROUP_TITLE)
#undef GROUP_TITLE
};

static bool spelled(const char *text, size_t length, const char *spelling) {
  return length > 0 && length == strlen(spelling) && memcmp(text, spelling, length) == 0;
}

const struct bt_action_info *bt_action_info(enum bt_action action) {
  assert((unsigned)action < BT_ACTION_COUNT);
  return &actions[action];
}

enum bt_action bt_action_parse(const char *spelling, size_t length) {
  for (int i = 1; i < BT_ACTION_COUNT; i++)
    if (spelled(spelling, length, actions[i].spelling))
      return (enum bt_action)i;
  return BT_ACTION_NONE;
}

const char *bt_action_group_title(enum bt_action_group group) {
  assert((unsigned)group < BT_GROUP_COUNT);
  return group_titles[group];
}

const char *bt_mode_spelling(enum bt_mode mode) {
  assert((unsigned)mode < BT_MODE_COUNT);
  return modes[mode].spelling;
}

const char *bt_mode_words(enum bt_mode mode) {
  assert((unsigned)mode < BT_MODE_COUNT);
  return modes[mode].words;
}

bool bt_mode_typing(enum bt_mode mode) {
  assert((unsigned)mode < BT_MODE_COUNT);
  return modes[mode].typing;
}

enum bt_mode bt_mode_parse(const char *spelling, size_t length) {
  for (int i = 0; i < BT_MODE_COUNT; i++)
    if (spelled(spelling, length, modes[i].spelling))
      return (enum bt_mode)i;
  return BT_MODE_COUNT;
}

bool bt_action_in_mode(enum bt_action action, enum bt_mode mode) {
  if (mode == BT_MODE_ANY)
    return actions[action].modes != 0;
  return (actions[action].modes >> mode) & 1u;
}
