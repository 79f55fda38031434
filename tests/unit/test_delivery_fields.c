/* tests/unit/test_delivery_fields.c - the forms of single fields, branch names as git itself judges them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/clock.h"
#include "core/delivery/fields.h"
#include "core/delivery/identity.h"
#include "core/delivery/watcher.h"
#include "core/store/git_run.h"

static void pull_requests(void **state) {
  (void)state;
  static const struct {
    const char *text, *number; /* NULL: none */
  } cases[] = {{"42", "42"},
               {"#42", "42"},
               {"!7", "7"},
               {"9999999999", "9999999999"},
               {"acme/pager#42", "42"},
               {"group/sub/pager#3", "3"},
               {"https://github.com/acme/pager/pull/42", "42"},
               {"http://h/a/pulls/42/files", "42"},
               {"https://h/a/b/pull-requests/5?x=1", "5"},
               {"https://h/g/p/-/merge_requests/6#note", "6"},
               {"", NULL},
               {"0", NULL},
               {"042", NULL},
               {"#0", NULL},
               {"12345678901", NULL},
               {"42 ", NULL},
               {" 42", NULL},
               {"##42", NULL},
               {"PR 42", NULL},
               {"<pr-number>", NULL},
               {"acme/pager#", NULL},
               {"acme/pager#x", NULL},
               {"/pager#4", NULL},
               {"acme//pager#4", NULL},
               {"acme/pager#4x", NULL},
               {"ftp://h/a/pull/4", NULL},
               {"https://h/a/pull/4x", NULL},
               {"https://h/a/pull/", NULL},
               {"https://h/a/issues/4", NULL},
               {"https:///a/pull/4", NULL},
               {"-42", NULL},
               {"4.2", NULL}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct bt_slice number;
    bool valid = bt_pull_request_number(cases[i].text, &number);
    if (valid != (cases[i].number != NULL))
      print_message("%s\n", cases[i].text);
    assert_int_equal(valid, cases[i].number != NULL);
    if (valid)
      assert_true(bt_slice_equals(number, cases[i].number));
  }
}

/* What git says of refs/heads/NAME, and the three things that it knows only of branches. */
static bool git_accepts(const char *name) {
  char full[256];
  struct bt_git_result result;
  (void)snprintf(full, sizeof full, "refs/heads/%s", name);
  assert_int_equal(bt_git_run("/", (const char *const[]){"check-ref-format", full, NULL}, true, NULL, &result, NULL),
                   BT_OK);
  return result.exit_status == 0 && strcmp(name, "HEAD") != 0 && name[0] != '-' && strncmp(name, "refs/", 5) != 0;
}

static void branches(void **state) {
  (void)state;
  static const char *const names[] = {
      "main",   "fix/pager", "a.b",      "a..b",  ".a",     "a/.b", "a.lock",  "a.lock/b", "a.lockb",  "a.",
      "a./b",   "a b",       "a~b",      "a^b",   "a:b",    "a?b",  "a*b",     "a[b",      "a]b",      "a\\b",
      "a@{b",   "a@b",       "@",        "{a}",   "/a",     "a/",   "a//b",    "",         "HEAD",     "head",
      "a/HEAD", "-a",        "a-",       "refs/", "refs/a", "refs", "\x01",    "a\x7f",    "\xc3\xa9", "a\tb",
      "a\nb",   "..",        "a/refs/b", "lock",  ".lock",  "a/-b", "heads/a", "a@",       "@a",       "a{b"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    if (bt_branch_valid(names[i]) != git_accepts(names[i]))
      print_message("[%s]\n", names[i]);
    assert_int_equal(bt_branch_valid(names[i]), git_accepts(names[i]));
  }
}

static void object_ids(void **state) {
  (void)state;
  static const char forty[] = "0123456789abcdefABCDEF0123456789abcdef01";
  char text[80];
  assert_true(bt_object_id_valid(forty));
  (void)snprintf(text, sizeof text, "%s%s", forty, "0123456789abcdef01234567");
  assert_true(bt_object_id_valid(text));
  text[63] = '\0';
  assert_false(bt_object_id_valid(text));
  memset(text, '0', 40);
  text[40] = '\0';
  assert_false(bt_object_id_valid(text));
  text[39] = 'g';
  assert_false(bt_object_id_valid(text));
  assert_false(bt_object_id_valid(""));
}

static void times(void **state) {
  (void)state;
  static const char *const good[] = {
      "2026-03-01T10:15:00Z",      "2026-03-01t10:15:00z", "0000-01-01T00:00:00Z",   "9999-12-31T23:59:59-00:00",
      "2000-02-29T00:00:00+00:00", "2026-06-30T23:59:60Z", "2026-12-31T23:59:60.5Z", "2026-03-01T10:15:00.123456789Z"};
  static const char *const bad[] = {
      "2026-03-01T10:15:00",   "2026-03-01T10:15Z",         "2026-03-01 10:15:00Z",     "2026-3-01T10:15:00Z",
      "2026-00-01T10:15:00Z",  "2026-04-31T10:15:00Z",      "1900-02-29T10:15:00Z",     "2026-03-01T24:00:00Z",
      "2026-03-01T10:60:00Z",  "2026-03-01T10:15:60Z",      "2026-06-29T23:59:60Z",     "2026-03-31T23:59:60Z",
      "2026-03-01T10:15:00.Z", "2026-03-01T10:15:00+01:00", "2026-03-01T10:15:00+0000", " 2026-03-01T10:15:00Z",
      "2026-03-01T10:15:00Z ", "+2026-03-01T10:15:00Z",     "2026-03-01T10:15:00,5Z",   ""};
  int64_t plain = 0, leap = 0, fraction = 0;
  for (size_t i = 0; i < sizeof good / sizeof *good; i++)
    assert_true(bt_utc_time(good[i], strlen(good[i]), NULL));
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    assert_false(bt_utc_time(bad[i], strlen(bad[i]), NULL));
  assert_true(bt_utc_time("2027-01-01T00:00:00Z", 20, &plain));
  assert_true(bt_utc_time("2026-12-31T23:59:60Z", 20, &leap));
  assert_true(bt_utc_time("2027-01-01T00:00:00.0419Z", 25, &fraction));
  assert_true(leap == plain && fraction == plain + 41);
}

static void ids_in_evidence(void **state) {
  (void)state;
  static const char a[] = "0123456789abcdef0123456789abcdef01234567";
  char text[256];
  bool any;
  (void)snprintf(text, sizeof text, "green at %s.", a);
  assert_true(bt_evidence_names(text, a, &any) && any);
  (void)snprintf(text, sizeof text, "green at %.39sA, %.39sB", a, a);
  assert_false(bt_evidence_names(text, a, &any));
  assert_true(any);
  (void)snprintf(text, sizeof text, "x%s %s0 %.39s", a, a, a); /* letters and digits beside it, and a short one */
  assert_false(bt_evidence_names(text, a, &any) || any);
  (void)snprintf(text, sizeof text, "\xc3\xa9%s_", a);
  assert_true(bt_evidence_names(text, a, &any));
}

static void identities(void **state) {
  (void)state;
  static const struct {
    const char *text, *identity;
  } cases[] = {{"git@[::1]:a/b", "[::1]/a/b"},
               {"ssh://git@[::1]:2222/a/b.git", "[::1]:2222/a/b"},
               {"https://h.example.:443/a//b/", "h.example/a/b"},
               {"https://h:/a", "h/a"},
               {"https://h:0/a", NULL},
               {"https://h:65536/a", NULL},
               {"https://h:x/a", NULL},
               {"https://a@b@h/x", "h/x"},
               {"git+ssh://h/x", "h/x"},
               {"HTTPS://H/X", "h/X"},
               {"http://h:80/x", "h/x"},
               {"git://h:9418/x", "h/x"},
               {"https://h/a%20b", "h/a b"},
               {"https://h/a%2Fb", NULL},
               {"https://h/a%00b", NULL},
               {"https://h/a%ffb", NULL},
               {"https://h/a%2", NULL},
               {"https://h/a%", NULL},
               {"https://h/../x", NULL},
               {"https://h/./x", NULL},
               {"https://h/x.git.git", "h/x.git"},
               {"https://h/.git", "h/.git"},
               {"https://h/x?y", NULL},
               {"https://h/x#y", NULL},
               {"h:x", "h/x"},
               {"h:22/x", "h/x"},
               {"h:443/x", "h/x"},
               {"h:8443/", "h/8443"},
               {"h:70000/x", NULL},
               {"h:123456/x", "h/123456/x"},
               {"u@h:22/x", "h/22/x"},
               {"u@h.example/x", "h.example/x"},
               {"localhost/x", "localhost/x"},
               {"host/x", NULL},
               {"C:/x", NULL},
               {"c:\\x", NULL},
               {"~/x", NULL},
               {"a b.example/x", NULL},
               {"/a b/c.git", "file:/a b/c"},
               {"//h/x", "file:/h/x"},
               {"/", NULL},
               {"file://localhost/x", "file:/x"},
               {"file://h/x", NULL},
               {"file:///a%20b", "file:/a b"},
               {"  https://h/x\r\n", "h/x"},
               {"https://h/x\x01", NULL},
               {"https://www.github.com/A/B", "github.com/a/b"},
               {"ssh://git@altssh.gitlab.com:443/A/B", "gitlab.com/a/b"},
               {"ssh://git@github.com:2222/A/B", "github.com:2222/A/B"},
               {"ssh://ssh.github.com:22/A/B", "github.com/a/b"},
               {"https://codeberg.org/A/b", "codeberg.org/a/b"},
               {"https://github.com/A/b.GIT", "github.com/a/b.git"}, /* no suffix: it is dropped as it is written */
               {"https://github.com/A/B.git", "github.com/a/b"},
               {"u:p@[::1]:x/y", "[::1]/x/y"}, /* as git: the bracket opens the host, whatever the user holds */
               {"a@b@[FE80::1]:2222/x", "[fe80::1]/2222/x"},
               {"git@[::1]:x", "[::1]/x"},
               {"@[::1]:x", "[::1]/x"},
               {"git@h:x/@[a]:b", "h/x/@[a]:b"},
               {"://h/x", NULL},
               {"ftp://h/x", NULL},
               {"https:///x", NULL},
               {"https://[]/x", NULL}};
  struct bt_arena *arena = bt_arena_new(1 << 24);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    bool no_memory = false;
    const char *identity = bt_identity_of(arena, cases[i].text, &no_memory);
    if (!bt_text_equals(identity, cases[i].identity))
      print_message("%s: %s\n", cases[i].text, identity != NULL ? identity : "none");
    assert_true(bt_text_equals(identity, cases[i].identity));
    assert_false(no_memory);
  }
  bt_arena_free(arena);
}

/* What is written down for a remote reads back as the same repository. */
static void texts_of_identities(void **state) {
  (void)state;
  static const char *const cases[][2] = {{"git@github.com:A/b.git", "github.com/a/b"},
                                         {"http://gitea:3000/o/r", "gitea:3000/o/r"},
                                         {"git@alias:team/repo.git", "https://alias/team/repo"},
                                         {"https://gitea/o/r", "https://gitea/o/r"},
                                         {"git@[::1]:o/r", "https://[::1]/o/r"},
                                         {"ssh://git@[::1]:8443/o/r", "https://[::1]:8443/o/r"},
                                         {"http://h.com:443/o/r", "ssh://h.com:443/o/r"},
                                         {"https://h.com:22/o/r", "https://h.com:22/o/r"},
                                         {"https://h.com/o/x.git.git", "h.com/o/x.git.git"},
                                         {"https://a.com/o/My%20Project/r", "https://a.com/o/My%20Project/r"},
                                         {"https://a.com/o/100%25", "a.com/o/100%"},
                                         {"https://a.com/o/a%3Fb%25", "https://a.com/o/a%3Fb%25"},
                                         {"/srv/git/p.git", "/srv/git/p"},
                                         {"/srv/git/p.git.git", "/srv/git/p.git.git"},
                                         {"file:///srv/a%20b", "/srv/a b"},
                                         {"file:///srv/a%20", "/srv/a .git"}};
  struct bt_arena *arena = bt_arena_new(1 << 24);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    bool no_memory = false;
    const char *identity = bt_identity_of(arena, cases[i][0], &no_memory);
    assert_non_null(identity);
    const char *text = bt_identity_text(arena, identity, &no_memory);
    if (!bt_text_equals(text, cases[i][1]))
      print_message("%s: %s\n", cases[i][0], text != NULL ? text : "none");
    assert_true(bt_text_equals(text, cases[i][1]));
    assert_string_equal(bt_identity_of(arena, text, &no_memory), identity);
    assert_false(no_memory);
  }
  bt_arena_free(arena);
}

static enum bt_alive one_lives(void *context, double pid) {
  (void)context;
  return pid == 7 ? BT_ALIVE_YES : pid == 8 ? BT_ALIVE_DENIED : BT_ALIVE_NO;
}

static void watchers(void **state) {
  (void)state;
  struct bt_env env = {.host = "here", .proc = {.alive = one_lives}};
  const char *live[] = {"a", "pid:9"}, *dead[] = {"b", "a"};
  struct bt_liveness_facts facts = {{live, 2}, {dead, 2}, &env};
  assert_int_equal(bt_watcher_liveness("a", &facts), BT_WATCHER_LIVE);
  assert_int_equal(bt_watcher_liveness(" b ", &facts), BT_WATCHER_DEAD);
  assert_int_equal(bt_watcher_liveness("c", &facts), BT_WATCHER_UNKNOWN);
  assert_int_equal(bt_watcher_liveness("pid:7", &facts), BT_WATCHER_LIVE);
  assert_int_equal(bt_watcher_liveness("pid:8@here", &facts), BT_WATCHER_LIVE);
  assert_int_equal(bt_watcher_liveness("pid:6", &facts), BT_WATCHER_DEAD);
  assert_int_equal(bt_watcher_liveness("pid:9", &facts), BT_WATCHER_LIVE);
  assert_int_equal(bt_watcher_liveness("pid:6@there", &facts), BT_WATCHER_UNKNOWN);
  assert_int_equal(bt_watcher_liveness("pid:6x", &facts), BT_WATCHER_UNKNOWN);
  assert_int_equal(bt_watcher_liveness("pid:", &facts), BT_WATCHER_UNKNOWN);
  assert_true(bt_slice_equals(bt_watcher_key(" a@b@c "), "a@b"));
  assert_true(bt_slice_equals(bt_watcher_key("@c"), "@c"));
  assert_true(bt_slice_equals(bt_watcher_key("a"), "a"));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(pull_requests),       cmocka_unit_test(branches),
                                     cmocka_unit_test(object_ids),          cmocka_unit_test(times),
                                     cmocka_unit_test(ids_in_evidence),     cmocka_unit_test(identities),
                                     cmocka_unit_test(texts_of_identities), cmocka_unit_test(watchers)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
