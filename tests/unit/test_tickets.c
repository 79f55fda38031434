/* tests/unit/test_tickets.c - a ticket store counts whole or not at all; and which ticket is active. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/base/arena.h"
#include "core/base/fs.h"
#include "core/store/tickets.h"
#include "tests/support/fixture.h"

#define T1_FILE "t1--1f93603db53bfad5c92390f735d0cbb8617b4ab8214ae91c5664a3d1e9b009c8.json"

static struct fixture *fixture;
static int dir;

static int begin(void **state) {
  (void)state;
  fixture = fixture_new(FIXTURE_EMPTY);
  dir = fixture ? bt_fs_open_root(fixture->env.ledger_dir, NULL) : -1;
  return dir < 0;
}

static int end(void **state) {
  (void)state;
  close(dir);
  fixture_free(fixture);
  return 0;
}

static bool valid(const char *id, const char *title) {
  struct bt_tickets *tickets = NULL;
  struct bt_error err = {0};
  enum bt_code code = bt_tickets_load(&fixture->env, dir, &tickets, &err);
  if (code != BT_OK) {
    assert_int_equal(code, BT_CORRUPT);
    assert_null(tickets);
    assert_true(strlen(err.message) > 0);
    return false;
  }
  if (title)
    assert_string_equal(bt_tickets_title(tickets, id), title);
  else
    assert_null(bt_tickets_title(tickets, id));
  bt_tickets_free(tickets);
  return true;
}

static bool legacy(const char *text) {
  fixture_write(fixture, ".adlc/tickets.json", text);
  return valid("none such", NULL);
}

static void no_store_has_no_titles(void **state) {
  (void)state;
  assert_true(valid("T1", NULL));
}

static void one_file(void **state) {
  (void)state;
  fixture_write(fixture, ".adlc/tickets.json",
                "{\"tickets\":[{\"id\":\"T1\",\"title\":\"One\",\"scope\":[\"a\"],\"rails\":[],\"duration\":0.5,"
                "\"edges\":[{\"to\":\"T2\"}]},{\"id\":\"T2\",\"title\":\" \"}]}");
  assert_true(valid("T1", "One"));
  assert_true(valid("t1", NULL));
  assert_true(legacy("{\"tickets\":[]}"));
}

static void each_rule_for_one_ticket(void **state) {
  (void)state;
  static const char *const bad[] = {"[]",
                                    "{}",
                                    "{\"tickets\":{}}",
                                    "{\"tickets\":[null]}",
                                    "{\"tickets\":[{\"id\":\"a\"}]}",
                                    "{\"tickets\":[{\"id\":\"\",\"title\":\"t\"}]}",
                                    "{\"tickets\":[{\"id\":\"a\",\"title\":\"\"}]}",
                                    "{\"tickets\":[{\"id\":1,\"title\":\"t\"}]}",
                                    "{\"tickets\":[{\"id\":\"a\",\"title\":\"t\",\"scope\":null}]}",
                                    "{\"tickets\":[{\"id\":\"a\",\"title\":\"t\",\"rails\":[1]}]}",
                                    "{\"tickets\":[{\"id\":\"a\",\"title\":\"t\",\"edges\":{}}]}",
                                    "{\"tickets\":[{\"id\":\"a\",\"title\":\"t\",\"edges\":[{\"to\":\"\"}]}]}",
                                    "{\"tickets\":[{\"id\":\"a\",\"title\":\"t\",\"duration\":0}]}",
                                    "{\"tickets\":[{\"id\":\"a\",\"title\":\"t\",\"duration\":\"1\"}]}",
                                    "{\"tickets\":[{\"id\":\"a\",\"title\":\"t\",\"_adlcArchive\":null}]}",
                                    "{\"tickets\":[{\"id\":\"a\",\"title\":\"t\",\"deep\":{\"x\":[1e999]}}]}",
                                    "{\"tickets\":[]",
                                    ""};
  for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
    assert_false(legacy(bad[i]));
}

static void rules_for_all_together(void **state) {
  (void)state;
  assert_false(legacy("{\"tickets\":[{\"id\":\"a\",\"title\":\"t\"},{\"id\":\"a\",\"title\":\"u\"}]}"));
  assert_false(legacy("{\"tickets\":[{\"id\":\"a\",\"title\":\"t\",\"edges\":[{\"to\":\"b\"}]}]}"));
  assert_false(legacy("{\"tickets\":[{\"id\":\"a\",\"title\":\"t\",\"edges\":[{\"to\":\"a\"}]}]}"));
  assert_false(legacy("{\"tickets\":[{\"id\":\"a\",\"title\":\"t\",\"edges\":[{\"to\":\"b\"}]},"
                      "{\"id\":\"b\",\"title\":\"t\",\"edges\":[{\"to\":\"c\"}]},"
                      "{\"id\":\"c\",\"title\":\"t\",\"edges\":[{\"to\":\"a\"}]}]}"));
  assert_true(legacy("{\"tickets\":[{\"id\":\"a\",\"title\":\"t\",\"edges\":[{\"to\":\"b\"},{\"to\":\"c\"}]},"
                     "{\"id\":\"b\",\"title\":\"t\",\"edges\":[{\"to\":\"c\"}]},{\"id\":\"c\",\"title\":\"t\"}]}"));
}

static void a_long_chain_is_no_deep_call(void **state) {
  (void)state;
  enum { COUNT = 20000 };
  struct bt_str text;
  bt_str_init(&text, 4 << 20);
  bt_str_puts(&text, "{\"tickets\":[");
  for (int i = 0; i < COUNT; i++)
    bt_str_printf(&text, "{\"id\":\"%d\",\"title\":\"t\",\"edges\":[{\"to\":\"%d\"}]},", i, i + 1);
  bt_str_printf(&text, "{\"id\":\"%d\",\"title\":\"end\"}]}", COUNT);
  assert_true(legacy(text.data));
  bt_str_dispose(&text);
}

static void a_folder(void **state) {
  (void)state;
  fixture_write(fixture, ".adlc/tickets/.store.json", " { \"version\": 1, \"format\": \"adlc-ticket-directory\" } ");
  fixture_write(fixture, ".adlc/tickets/" T1_FILE, "{\"id\":\"T1\",\"title\":\"One\"}");
  assert_true(valid("T1", "One"));
  fixture_write(fixture, ".adlc/tickets/notes.txt", "x");
  assert_false(valid("T1", NULL));
  fixture_remove(fixture, ".adlc/tickets/notes.txt");
  fixture_write(fixture, ".adlc/tickets/" T1_FILE, "{\"id\":\"T2\",\"title\":\"One\"}");
  assert_false(valid("T1", NULL));
  fixture_write(fixture, ".adlc/tickets/" T1_FILE, "{\"id\":\"T1\",\"title\":\"One\"}");
  fixture_write(fixture, ".adlc/tickets/.store.json", "{\"format\":\"adlc-ticket-directory\",\"version\":1,\"x\":1}");
  assert_false(valid("T1", NULL));
  fixture_remove(fixture, ".adlc/tickets/.store.json");
  assert_false(valid("T1", NULL));
}

static void links_are_no_store(void **state) {
  (void)state;
  fixture_write(fixture, "elsewhere.json", "{\"tickets\":[]}");
  assert_int_equal(symlinkat("../elsewhere.json", dir, "tickets.json"), 0);
  assert_false(valid("T1", NULL));
  fixture_remove(fixture, ".adlc/tickets.json");
  fixture_write(fixture, ".adlc/tickets.json", "{\"tickets\":[]}");
  assert_true(valid("T1", NULL));
  char through[600];
  snprintf(through, sizeof(through), "%s/linked", fixture->home);
  assert_int_equal(symlink(fixture->env.ledger_dir, through), 0);
  fixture->env.ledger_dir = through;
  assert_false(valid("T1", NULL));
}

static void file_names(void **state) {
  (void)state;
  static const struct {
    const char *id, *slug;
  } cases[] = {
      {"T1", "t1--"},
      {"\xc3\x89t\xc3\xa9 2026!", "ete-2026--"},
      {"--", "ticket--"},
      {"\xe2\x84\xaa", "k--"},
      {"a_b__c", "a-b-c--"},
      {"abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstu-vwxyz", "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstu--"}};
  for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
    struct bt_str name;
    bt_str_init(&name, 4096);
    bt_ticket_file_name(&name, cases[i].id);
    assert_true(bt_starts_with(name.data, cases[i].slug));
    assert_int_equal(name.length, strlen(cases[i].slug) + 64 + strlen(".json"));
    bt_str_dispose(&name);
  }
  struct bt_str name;
  bt_str_init(&name, 4096);
  bt_ticket_file_name(&name, "T1");
  assert_string_equal(name.data, T1_FILE);
  bt_str_dispose(&name);
}

static void active(const char *file, const char *variable, const char *id, const char *error) {
  struct bt_arena *arena = bt_arena_new(1 << 20);
  struct bt_ticket_pointer pointer;
  if (file)
    fixture_write(fixture, ".adlc/current-ticket.json", file);
  fixture->env.ticket = variable;
  assert_int_equal(bt_ticket_active(&fixture->env, dir, arena, &pointer, NULL), BT_OK);
  if (id)
    assert_string_equal(pointer.id, id);
  else
    assert_null(pointer.id);
  if (error)
    assert_string_equal(pointer.error, error);
  else
    assert_null(pointer.error);
  bt_arena_free(arena);
}

static void the_active_ticket(void **state) {
  (void)state;
  static const char invalid[] = "INVALID_CURRENT_TICKET";
  active(NULL, NULL, NULL, NULL);
  active(NULL, " T9 ", "T9", NULL);
  active("\" T1 \"", NULL, "T1", NULL);
  active("{\"ticketId\":\"T3\",\"ticket\":\"T2\"}", NULL, "T2", NULL);
  active("{\"ticketId\":\"T3\",\"ticket\":\"T2\",\"id\":\" T1\",\"ticketHash\":0}", NULL, "T1", NULL);
  active("{\"id\":null,\"ticket\":\"T2\"}", NULL, NULL, invalid); /* no fallback to the next key */
  active("{}", NULL, NULL, invalid);
  active("[\"T1\"]", NULL, NULL, invalid);
  active("\" \"", NULL, NULL, invalid);
  active("{", "T9", NULL, invalid); /* the variable does not help */
  active("\"T1\"", "T1", "T1", NULL);
  active("\"T1\"", "T2", NULL, "ACTIVE_TICKET_CONFLICT");
  active("\"T1\"", " ", "T1", NULL);
}

static void odd_pointer_files(void **state) {
  (void)state;
  fixture_write(fixture, "elsewhere.json", "\"T1\"");
  assert_int_equal(symlinkat("../elsewhere.json", dir, "current-ticket.json"), 0);
  active(NULL, NULL, NULL, "INVALID_CURRENT_TICKET");
  fixture_remove(fixture, ".adlc/current-ticket.json");
  assert_int_equal(mkfifoat(dir, "current-ticket.json", 0666), 0);
  active(NULL, NULL, NULL, "INVALID_CURRENT_TICKET");
  fixture_remove(fixture, ".adlc/current-ticket.json");
  char *long_text = malloc(70000);
  assert_non_null(long_text);
  memset(long_text, ' ', 69999);
  memcpy(long_text, "\"T1\"", 4);
  long_text[69999] = '\0';
  active(long_text, NULL, "T1", NULL); /* only the first 65536 bytes are read */
  memset(long_text, ' ', 4);
  memcpy(long_text + 65534, "\"T1\"", 4);
  active(long_text, NULL, NULL, "INVALID_CURRENT_TICKET");
  free(long_text);
}

int main(void) {
#define CASE(name) cmocka_unit_test_setup_teardown(name, begin, end)
  const struct CMUnitTest tests[] = {CASE(no_store_has_no_titles),
                                     CASE(one_file),
                                     CASE(each_rule_for_one_ticket),
                                     CASE(rules_for_all_together),
                                     CASE(a_long_chain_is_no_deep_call),
                                     CASE(a_folder),
                                     CASE(links_are_no_store),
                                     CASE(file_names),
                                     CASE(the_active_ticket),
                                     CASE(odd_pointer_files)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
