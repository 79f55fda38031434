/* tests/unit/test_keymap.c - names of keys, the defaults, and files that must be refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "keymaps/keymap.h"

static uint32_t key_of(const char *name) {
  uint32_t key = BT_KEY_NONE;
  assert_true(bt_key_parse(name, strlen(name), &key));
  return key;
}

static struct bt_keymap *defaults(void) {
  struct bt_error err;
  struct bt_keymap *keymap = bt_keymap_new_named("default", &err);
  if (!keymap)
    fail_msg("%s: %s", err.subject, err.message);
  return keymap;
}

static enum bt_code read_text(struct bt_keymap *keymap, const char *text, struct bt_error *err) {
  return bt_keymap_read(keymap, "my.keymap", text, strlen(text), err);
}

/* The text is refused at that place with those words, and nothing of it stays. */
static void refused(const char *text, const char *subject, const char *words) {
  struct bt_keymap *keymap = defaults();
  struct bt_error err;
  assert_int_equal(read_text(keymap, text, &err), BT_INPUT);
  assert_string_equal(err.subject, subject);
  if (!strstr(err.message, words))
    fail_msg("'%s' is not in '%s'", words, err.message);
  assert_int_equal(bt_keymap_lookup(keymap, BT_MODE_LIST, 'u'), BT_ACTION_UNLOCK);
  assert_int_equal(bt_keymap_lookup(keymap, BT_MODE_LIST, 'Z'), BT_ACTION_NONE);
  bt_keymap_free(keymap);
}

static void test_key_names_go_both_ways(void **state) {
  (void)state;
  const char *names[] = {"<Enter>", "<Tab>", "<S-Tab>",  "<Esc>",    "<PageDown>", "<Up>",  "<Space>", "<lt>",
                         "<C-l>",   "<F12>", "j",        "G",        "?",          "\\",    "#",       "\u00e9",
                         "\u732b",  ">",     "<Delete>", "<Insert>", "<M-v>",      "<M-<>", "<M->>"};
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
    char name[BT_KEY_NAME];
    bt_key_name(key_of(names[i]), name);
    assert_string_equal(name, names[i]);
  }
  assert_int_equal(key_of("<C-L>"), 12);
  assert_int_equal(key_of("<"), '<');
}

static void test_key_names_that_are_none(void **state) {
  (void)state;
  const char *names[] = {"",     "<enter>", "<C-i>", "<C-m>", "<C-[>", "<C-h>", "<C-j>", "<F13>", "jj",  "<C-1>",
                         "<C->", "\x01",    "\x7f",  "\xff",  "<Esc",  "Esc>",  "<M- >", "<M-é>", "<M->"};
  uint32_t key;
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
    if (bt_key_parse(names[i], strlen(names[i]), &key))
      fail_msg("'%s' was taken for a key", names[i]);
}

static void test_key_labels(void **state) {
  (void)state;
  const struct {
    uint32_t key;
    const char *label;
  } cases[] = {
      {BT_KEY_META | 'v', "M-v"}, {BT_KEY_ENTER, "enter"}, {BT_KEY_CTRL('d'), "^d"}, {' ', "space"}, {'<', "<"},
      {BT_KEY_S_TAB, "shift-tab"}};
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    char label[BT_KEY_NAME];
    bt_key_label(cases[i].key, label);
    assert_string_equal(label, cases[i].label);
  }
}

static void test_printable(void **state) {
  (void)state;
  assert_true(bt_key_printable('a'));
  assert_true(bt_key_printable(0x732b));
  assert_false(bt_key_printable(BT_KEY_ENTER));
  assert_false(bt_key_printable(BT_KEY_NONE));
  assert_false(bt_key_printable(0x7f));
  assert_false(bt_key_printable(0x9b));
  assert_false(bt_key_printable(BT_KEY_META | 'x'));
  assert_false(bt_key_printable(0xd800));
}

static void test_defaults(void **state) {
  (void)state;
  struct bt_keymap *keymap = defaults();
  assert_int_equal(bt_keymap_lookup(keymap, BT_MODE_LIST, 'u'), BT_ACTION_UNLOCK);
  assert_int_equal(bt_keymap_lookup(keymap, BT_MODE_LOCKS, 'u'), BT_ACTION_UNLOCK);
  assert_int_equal(bt_keymap_lookup(keymap, BT_MODE_LIST, BT_KEY_ENTER), BT_ACTION_OPEN);
  assert_int_equal(bt_keymap_lookup(keymap, BT_MODE_CONFIRM, BT_KEY_ENTER), BT_ACTION_PRESS);
  assert_int_equal(bt_keymap_lookup(keymap, BT_MODE_CONFIRM, 'q'), BT_ACTION_CANCEL);
  assert_int_equal(bt_keymap_lookup(keymap, BT_MODE_LIST, 'q'), BT_ACTION_QUIT);
  /* keys of `any` count where their action exists, and nowhere else */
  assert_int_equal(bt_keymap_lookup(keymap, BT_MODE_CONFIRM, 'u'), BT_ACTION_NONE);
  assert_int_equal(bt_keymap_lookup(keymap, BT_MODE_CONFIRM, 'e'), BT_ACTION_NONE);
  assert_int_equal(bt_keymap_lookup(keymap, BT_MODE_CONFIRM, 'j'), BT_ACTION_DOWN);
  assert_int_equal(bt_keymap_lookup(keymap, BT_MODE_HELP, 'b'), BT_ACTION_NONE);
  /* in typing modes a printable key is text */
  assert_int_equal(bt_keymap_lookup(keymap, BT_MODE_FIELD, 'q'), BT_ACTION_NONE);
  assert_int_equal(bt_keymap_lookup(keymap, BT_MODE_INPUT, '?'), BT_ACTION_NONE);
  assert_int_equal(bt_keymap_lookup(keymap, BT_MODE_FIELD, BT_KEY_CTRL('l')), BT_ACTION_REDRAW);
  bt_keymap_free(keymap);
}

/* Keys that others use for deleting without asking, and those that a terminal needs, do nothing; `d` only looks. */
static void test_dangerous_keys_are_free(void **state) {
  (void)state;
  struct bt_keymap *keymap = defaults();
  const char *keys[] = {"x", "D", "<C-k>", "<C-s>", "<C-q>", "F", "<Delete>"};
  for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
    for (int mode = BT_MODE_LIST; mode < BT_MODE_COUNT; mode++)
      assert_int_equal(bt_keymap_lookup(keymap, (enum bt_mode)mode, key_of(keys[i])), BT_ACTION_NONE);
  for (int mode = BT_MODE_LIST; mode < BT_MODE_COUNT; mode++) {
    enum bt_action action = bt_keymap_lookup(keymap, (enum bt_mode)mode, 'd');
    assert_true(action == BT_ACTION_NONE || action == BT_ACTION_DIFF);
  }
  bt_keymap_free(keymap);
}

/* In no mode does a key that opens a dialog also press in it. */
static void test_opening_keys_do_not_press(void **state) {
  (void)state;
  struct bt_keymap *keymap = defaults();
  const enum bt_action openers[] = {BT_ACTION_UNLOCK, BT_ACTION_REPAIR, BT_ACTION_BYPASS, BT_ACTION_CONTINUE};
  const enum bt_mode pages[] = {BT_MODE_LIST, BT_MODE_SESSION, BT_MODE_LOCKS};
  for (size_t i = 0; i < 4; i++)
    for (size_t page = 0; page < 3; page++) {
      uint32_t keys[8];
      size_t count = bt_keymap_keys(keymap, pages[page], openers[i], keys, 8);
      assert_in_range(count, 1, 8);
      for (size_t k = 0; k < count; k++)
        assert_int_equal(bt_keymap_lookup(keymap, BT_MODE_CONFIRM, keys[k]), BT_ACTION_NONE);
    }
  bt_keymap_free(keymap);
}

static void test_every_action_is_bound_and_spelt_back(void **state) {
  (void)state;
  struct bt_keymap *keymap = defaults();
  for (int action = 1; action < BT_ACTION_COUNT; action++) {
    const struct bt_action_info *info = bt_action_info((enum bt_action)action);
    assert_int_equal(bt_action_parse(info->spelling, strlen(info->spelling)), action);
    assert_true(strlen(info->words) > 3);
    size_t bound = 0;
    for (int mode = BT_MODE_LIST; mode < BT_MODE_COUNT; mode++)
      bound += bt_keymap_keys(keymap, (enum bt_mode)mode, (enum bt_action)action, NULL, 0);
    if (bound == 0)
      fail_msg("no key does '%s'", info->spelling);
  }
  assert_int_equal(bt_action_parse("", 0), BT_ACTION_NONE);
  assert_int_equal(bt_mode_parse("", 0), BT_MODE_COUNT);
  bt_keymap_free(keymap);
}

static void test_a_file_goes_before_the_defaults(void **state) {
  (void)state;
  struct bt_keymap *keymap = defaults();
  struct bt_error err;
  assert_int_equal(read_text(keymap,
                             "# mine\n"
                             "\n"
                             "unbind any u   # not there\r\n"
                             "bind any x unlock # unlock\n"
                             "bind list j up\n"
                             "bind list # redraw",
                             &err),
                   BT_OK);
  assert_int_equal(bt_keymap_lookup(keymap, BT_MODE_LIST, 'x'), BT_ACTION_UNLOCK);
  assert_int_equal(bt_keymap_lookup(keymap, BT_MODE_LIST, 'u'), BT_ACTION_NONE);
  assert_int_equal(bt_keymap_lookup(keymap, BT_MODE_LIST, 'j'), BT_ACTION_UP);
  assert_int_equal(bt_keymap_lookup(keymap, BT_MODE_LOCKS, 'j'), BT_ACTION_DOWN);
  assert_int_equal(bt_keymap_lookup(keymap, BT_MODE_LIST, '#'), BT_ACTION_REDRAW);
  assert_true(bt_keymap_rebound(keymap, BT_MODE_LIST, 'x'));
  assert_false(bt_keymap_rebound(keymap, BT_MODE_LIST, 'k'));
  uint32_t keys[4];
  assert_int_equal(bt_keymap_keys(keymap, BT_MODE_LIST, BT_ACTION_DOWN, keys, 4), 1); /* `any j` is covered */
  assert_int_equal(keys[0], BT_KEY_DOWN);
  bt_keymap_free(keymap);
}

struct problems {
  char text[1024];
};

static void gather(void *context, const struct bt_error *problem) {
  struct problems *problems = context;
  size_t used = strlen(problems->text);
  snprintf(problems->text + used, sizeof(problems->text) - used, "%s|", problem->subject);
}

static void test_a_check_names_every_problem(void **state) {
  (void)state;
  struct bt_keymap *keymap = defaults();
  struct problems problems = {""};
  const char *text = "bind list x unlock\nbind list x repair\nbind lisst y unlock\nbind list = copy\nunbind any q\n";
  assert_int_equal(bt_keymap_check(keymap, "f", text, strlen(text), gather, &problems), 3);
  assert_string_equal(problems.text, "f:2|f:3|f|");
  assert_int_equal(bt_keymap_check(keymap, "f", "bind list = copy", 16, gather, &problems), 0);
  assert_int_equal(bt_keymap_lookup(keymap, BT_MODE_LIST, 'x'), BT_ACTION_NONE);
  assert_int_equal(bt_keymap_lookup(keymap, BT_MODE_LIST, '='), BT_ACTION_NONE);
  bt_keymap_free(keymap);
}

static struct bt_keymap *named(const char *name) {
  struct bt_error err;
  struct bt_keymap *keymap = bt_keymap_new_named(name, &err);
  if (!keymap)
    fail_msg("%s: %s: %s", name, err.subject, err.message);
  return keymap;
}

/* Every keymap that comes along reads, offers all actions, is nobody's own, and opens nothing with a key that presses. */
static void test_builtins(void **state) {
  (void)state;
  static const char *const names[] = {"default", "vim", "emacs"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const char *name = names[i];
    struct bt_keymap *keymap = named(name);
    size_t length;
    assert_non_null(bt_keymap_builtin_text(name, &length));
    for (int action = 1; action < BT_ACTION_COUNT; action++) {
      size_t bound = 0;
      for (int mode = BT_MODE_LIST; mode < BT_MODE_COUNT; mode++) {
        uint32_t keys[8];
        size_t count = bt_keymap_keys(keymap, (enum bt_mode)mode, (enum bt_action)action, keys, 8);
        bound += count;
        for (size_t k = 0; k < count && k < 8; k++) {
          assert_false(bt_keymap_rebound(keymap, (enum bt_mode)mode, keys[k]));
          if (bt_action_info((enum bt_action)action)->group == BT_GROUP_ACT && mode != BT_MODE_CONFIRM)
            assert_int_not_equal(bt_keymap_lookup(keymap, BT_MODE_CONFIRM, keys[k]), BT_ACTION_PRESS);
        }
      }
      if (bound == 0)
        fail_msg("%s: no key does '%s'", name, bt_action_info((enum bt_action)action)->spelling);
    }
    assert_int_equal(bt_keymap_has_meta(keymap), strcmp(name, "emacs") == 0);
    bt_keymap_free(keymap);
  }
  assert_int_equal(bt_keymap_new_named("nano", NULL) != NULL, 0);
  size_t length;
  assert_null(bt_keymap_builtin_text("nano", &length));
}

static void test_origins(void **state) {
  (void)state;
  struct bt_keymap *keymap = named("vim");
  struct bt_keymap_origin origin;
  struct bt_error err;
  assert_int_equal(read_text(keymap, "\nbind list x repair\n", &err), BT_OK);
  assert_true(bt_keymap_origin(keymap, BT_MODE_LIST, 'x', &origin));
  assert_string_equal(origin.file, "my.keymap");
  assert_int_equal(origin.line, 2);
  assert_false(origin.any);
  assert_true(bt_keymap_origin(keymap, BT_MODE_LOCKS, 'x', &origin));
  assert_string_equal(origin.file, "vim.keymap");
  assert_true(origin.any);
  assert_true(bt_keymap_rebound(keymap, BT_MODE_LIST, 'x'));
  assert_false(bt_keymap_rebound(keymap, BT_MODE_LOCKS, 'x'));
  assert_false(bt_keymap_origin(keymap, BT_MODE_LIST, 'Q', &origin));
  bt_keymap_free(keymap);
}

static void test_refusals(void **state) {
  (void)state;
  refused("bind list x unlock\nbind list x repair\n", "my.keymap:2",
          "cannot do two things: unlock (my.keymap:1) and repair (my.keymap:2)");
  refused("bind lists x unlock", "my.keymap:1", "unknown mode 'lists'");
  refused("\nbind list <enter> open", "my.keymap:2", "unknown key '<enter>'");
  refused("bind list x unlok", "my.keymap:1", "unknown action 'unlok'");
  refused("bind list x", "my.keymap:1", "unknown action ''");
  refused("bind list", "my.keymap:1", "unknown key ''");
  refused("bind", "my.keymap:1", "unknown mode ''");
  refused("map list x unlock", "my.keymap:1", "'map' is neither bind nor unbind");
  refused("bind list x unlock please", "my.keymap:1", "'please' is too much");
  refused("bind confirm x unlock", "my.keymap:1", "mode confirm has no action unlock");
  refused("bind list x press", "my.keymap:1", "mode list has no action press");
  refused("bind field x cancel", "my.keymap:1", "a printable key is text");
  refused("bind input <Space> accept", "my.keymap:1", "a printable key is text");
  refused("unbind list x", "my.keymap:1", "key x is not bound in mode list");
  refused("bind list \xff\xfe unlock", "my.keymap:1", "unknown key");
}

static void test_ways_out_stay(void **state) {
  (void)state;
  refused("unbind any q", "my.keymap", "no key is left for quit in mode list");
  refused("unbind any ?\nunbind any <F1>", "my.keymap", "no key is left for help in mode list");
  refused("unbind any <Esc>", "my.keymap", "no key is left for back in mode session");
  refused("unbind confirm <Esc>\nunbind confirm q", "my.keymap", "no key is left for cancel in mode confirm");
  refused("unbind field <Esc>", "my.keymap", "no key is left for cancel in mode field");
  refused("unbind input <Esc>", "my.keymap", "no key is left for cancel in mode input");
  refused("bind list q redraw", "my.keymap", "no key is left for quit in mode list");
  struct bt_keymap *keymap = defaults();
  struct bt_error err;
  assert_int_equal(read_text(keymap, "unbind any q\nbind any Q quit\n", &err), BT_OK);
  assert_int_equal(bt_keymap_lookup(keymap, BT_MODE_LIST, 'Q'), BT_ACTION_QUIT);
  bt_keymap_free(keymap);
}

static void test_sizes(void **state) {
  (void)state;
  struct bt_keymap *keymap = defaults();
  struct bt_error err;
  static char big[BT_KEYMAP_BYTES_MAX + 1];
  memset(big, '\n', sizeof(big));
  assert_int_equal(bt_keymap_read(keymap, "big", big, sizeof(big), &err), BT_TOO_LARGE);
  assert_int_equal(bt_keymap_read(keymap, "big", big, sizeof(big) - 1, &err), BT_OK);
  size_t length = 0;
  for (uint32_t key = 0x4e00; key < 0x4e00 + BT_KEYMAP_BINDINGS_MAX; key++) {
    char name[BT_KEY_NAME];
    bt_key_name(key, name);
    length += (size_t)snprintf(big + length, sizeof(big) - length, "bind list %s redraw\n", name);
  }
  assert_int_equal(bt_keymap_read(keymap, "many", big, length, &err), BT_TOO_LARGE);
  assert_int_equal(bt_keymap_lookup(keymap, BT_MODE_LIST, 0x4e00), BT_ACTION_NONE);
  bt_keymap_free(keymap);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_key_names_go_both_ways),
      cmocka_unit_test(test_key_names_that_are_none),
      cmocka_unit_test(test_key_labels),
      cmocka_unit_test(test_printable),
      cmocka_unit_test(test_defaults),
      cmocka_unit_test(test_dangerous_keys_are_free),
      cmocka_unit_test(test_opening_keys_do_not_press),
      cmocka_unit_test(test_every_action_is_bound_and_spelt_back),
      cmocka_unit_test(test_a_file_goes_before_the_defaults),
      cmocka_unit_test(test_a_check_names_every_problem),
      cmocka_unit_test(test_builtins),
      cmocka_unit_test(test_origins),
      cmocka_unit_test(test_refusals),
      cmocka_unit_test(test_ways_out_stay),
      cmocka_unit_test(test_sizes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
