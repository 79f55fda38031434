/* tests/unit/test_tail.c - the end of a transcript, to read along: what each format's records become. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/arena.h"
#include "core/harness/tail.h"
#include "tests/support/scratch.h"

struct world {
  struct scratch scratch;
  struct bt_arena *arena;
};

static int begin(void **state) {
  static struct world world;
  scratch_make(&world.scratch);
  world.arena = bt_arena_new((size_t)8 << 20);
  *state = &world;
  return world.arena ? 0 : -1;
}

static int end(void **state) {
  struct world *world = *state;
  bt_arena_free(world->arena);
  scratch_remove(&world->scratch);
  return 0;
}

/* The entries as `kind:text` words, with a slash between; apostrophes in `text` stand for quotes. */
static const char *tail_of(struct world *world, const char *text) {
  char *file = bt_arena_strdup(world->arena, text);
  for (char *at = file; (at = strchr(at, '\'')) != NULL;)
    *at = '"';
  scratch_text(&world->scratch, "t.jsonl", file);
  struct bt_tail tail;
  const char *path = bt_arena_printf(world->arena, "%s/t.jsonl", world->scratch.path), *out = "";
  assert_int_equal(bt_tail_read(&tail, world->arena, path, NULL), BT_OK);
  for (size_t i = 0; i < tail.count; i++)
    out = bt_arena_printf(world->arena, "%s%s%c:%s", out, *out ? "/" : "", "prcxn"[tail.entries[i].kind],
                          tail.entries[i].kind == BT_TAIL_CALL ? tail.entries[i].name : tail.entries[i].text);
  return out;
}

#define GEMINI "{'sessionId':'g','projectHash':'h'}\n"

static void records_become_entries(void **state) {
  struct world *world = *state;
  assert_string_equal(tail_of(world, "{'type':'user','message':{'content':'hello'}}\n"
                                     "{'type':'assistant','message':{'content':[{'type':'text','text':'hi'},"
                                     "{'type':'tool_use','name':'Bash','input':{}}]}}\n"
                                     "{'type':'user','message':{'content':[{'type':'tool_result','content':'ok'}]}}\n"),
                      "p:hello/r:hi/c:Bash/x:ok");
  assert_string_equal(tail_of(world, GEMINI "{'id':'1','type':'user','content':[{'text':'hello'}]}\n"
                                            "{'id':'2','type':'gemini','content':'hi','toolCalls':[{'name':'run'}]}\n"),
                      "p:hello/r:hi/c:run");
}

static void gemini_messages_written_again_stand_in_their_place(void **state) {
  struct world *world = *state;
  assert_string_equal(tail_of(world,
                              GEMINI "{'id':'1','type':'user','content':'one'}\n"
                                     "{'id':'2','type':'gemini','content':'draft'}\n"
                                     "{'id':'3','type':'user','content':'two'}\n"
                                     "{'id':'2','type':'gemini','content':'final','toolCalls':[{'name':'run'}]}\n"
                                     "{'id':'2','type':'gemini','content':'last','toolCalls':[{'name':'run'}]}\n"
                                     "{'type':'user','content':'no id'}\n{'type':'user','content':'no id'}\n"),
                      "p:one/r:last/c:run/p:two/p:no id/p:no id");
}

static void gemini_messages_that_were_taken_back_are_gone(void **state) {
  struct world *world = *state;
  assert_string_equal(tail_of(world, GEMINI "{'id':'1','type':'user','content':'one'}\n"
                                            "{'id':'2','type':'user','content':'two'}\n"
                                            "{'id':'3','type':'user','content':'three'}\n{'$rewindTo':'2'}\n"
                                            "{'id':'4','type':'user','content':'four'}\n"),
                      "p:one/p:four");
  assert_string_equal(tail_of(world, GEMINI "{'id':'1','type':'user','content':'one'}\n{'$rewindTo':'before'}\n"), "");
  assert_string_equal(tail_of(world, GEMINI "{'id':'1','type':'user','content':'one'}\n{'$set':{'summary':'s'}}\n"
                                            "{'$set':{'messages':[{'id':'9','type':'gemini','content':'all'}]}}\n"),
                      "r:all");
}

/* One of them becomes two entries in its place: the oldest goes. */
static void only_the_latest_are_kept(void **state) {
  struct world *world = *state;
  const char *text = GEMINI;
  for (int i = 0; i < BT_TAIL_ENTRIES + 10; i++)
    text = bt_arena_printf(world->arena, "%s{'id':'%d','type':'user','content':'%d'}\n", text, i, i);
  text =
      bt_arena_printf(world->arena, "%s{'id':'40','type':'gemini','content':'a','toolCalls':[{'name':'run'}]}\n", text);
  const char *tail = tail_of(world, text);
  assert_non_null(strstr(tail, "p:39/r:a/c:run/p:41/"));
  assert_null(strstr(tail, "p:10/"));
  assert_memory_equal(tail, "p:11/p:12/", 10);
  assert_string_equal(strrchr(tail, '/'), "/p:69");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(records_become_entries, begin, end),
      cmocka_unit_test_setup_teardown(gemini_messages_written_again_stand_in_their_place, begin, end),
      cmocka_unit_test_setup_teardown(gemini_messages_that_were_taken_back_are_gone, begin, end),
      cmocka_unit_test_setup_teardown(only_the_latest_are_kept, begin, end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
