/* tests/unit/test_hook_memory.c - every allocation fails once where baton is wired into a harness, and where a host's
 * transcript is looked at.
 *
 * malloc and its kin are replaced, and the disk is left out (test_hook_memory.wrap). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/hook/observe.h"
#include "core/hook/settings.h"
#include "core/hook/settings_write.h"
#include "tests/support/memory_sweep.h"
#include "tests/support/scratch.h"

int __wrap_fsync(int fd);
int __wrap_fsync(int fd) {
  (void)fd;
  return 0;
}

#define OTHERS                                                                                                    \
  "{\n  \"model\": \"m\",\n  \"hooks\": {\n    \"PreToolUse\": [\n      { \"matcher\": \"Bash\", \"hooks\": [ { " \
  "\"command\": \"check\" } ] },\n      { \"matcher\": \"Edit\", \"hooks\": [ { \"command\": \"/old/baton hook "  \
  "pre-tool\" } ] }\n    ]\n  }\n}\n"

/* ---- the text ---- */

struct editing {
  enum bt_code (*edit)(const struct bt_str *text, const struct bt_wiring_entry *entries, struct bt_str *out,
                       bool *changed, struct bt_error *err);
  const char *text; /* NULL: no file yet */
};

static enum bt_code edit(void *context, uint64_t *seen, struct bt_error *err) {
  const struct editing *editing = context;
  struct bt_wiring_entry entries[BT_WIRING_ENTRIES];
  struct bt_str text, out;
  bool changed = false, whole = true;
  bt_wiring_entries(entries, BT_HOOK_CLAUDE, "/opt/baton");
  for (size_t i = 0; i < BT_WIRING_ENTRIES; i++)
    whole = whole && !entries[i].command.failed;
  bt_str_init(&text, BT_SETTINGS_MAX);
  bt_str_init(&out, BT_SETTINGS_MAX);
  bt_str_puts(&text, editing->text ? editing->text : "");
  enum bt_code code = whole && !text.failed ? editing->edit(editing->text ? &text : NULL, entries, &out, &changed, err)
                                            : bt_error_set(err, BT_NOMEM, "the test", "out of memory");
  if (code == BT_OK) {
    assert_false(out.failed);
    memory_see(seen, out.data, out.length);
    memory_see(seen, &changed, sizeof changed);
  }
  bt_str_dispose(&text);
  bt_str_dispose(&out);
  bt_wiring_entries_dispose(entries);
  return code;
}

static void wiring_in_and_out(void **state) {
  (void)state;
  struct editing edits[] = {{bt_settings_install, NULL},
                            {bt_settings_install, "{}\n"},
                            {bt_settings_install, OTHERS},
                            {bt_settings_remove, OTHERS}};
  for (size_t i = 0; i < sizeof edits / sizeof *edits; i++)
    memory_sweep(&(struct memory_sweep){.run = edit, .context = &edits[i], .least = 5});
}

/* ---- the file ---- */

struct filed {
  struct scratch scratch;
  char path[128];
};

static void put_back(void *context) {
  struct filed *filed = context;
  scratch_text(&filed->scratch, "s.json", OTHERS);
  (void)unlinkat(filed->scratch.dir, "s.json" BT_SETTINGS_BACKUP, 0);
}

static enum bt_code replace(void *context, uint64_t *seen, struct bt_error *err) {
  struct filed *filed = context;
  struct bt_settings_file file;
  struct bt_str wanted, backup, copy;
  bt_str_init(&wanted, 4096);
  bt_str_init(&backup, 4096);
  bt_str_init(&copy, BT_SETTINGS_MAX);
  enum bt_code code = bt_settings_open(filed->path, true, &file, err);
  bt_str_puts(&wanted, "{}\n");
  if (code == BT_OK && wanted.failed)
    code = bt_error_set(err, BT_NOMEM, "the test", "out of memory");
  if (code == BT_OK)
    code = bt_settings_replace(&file, &wanted, &backup, err);
  if (code == BT_OK)
    code = bt_settings_read_backup(&file, &copy, err);
  if (code == BT_OK) {
    memory_see(seen, backup.data, backup.length);
    memory_see(seen, copy.data, copy.length);
  }
  bt_settings_dispose(&file);
  bt_str_dispose(&wanted);
  bt_str_dispose(&backup);
  bt_str_dispose(&copy);
  return code;
}

/* The file is the old or the new one, and nothing but it and its copy is left. */
static void is_whole(void *context) {
  struct filed *filed = context;
  char text[sizeof OTHERS + 1] = "";
  FILE *file = fopen(filed->path, "r");
  assert_non_null(file);
  text[fread(text, 1, sizeof text - 1, file)] = '\0';
  assert_int_equal(fclose(file), 0);
  if (strcmp(text, OTHERS) != 0 && strcmp(text, "{}\n") != 0)
    fail_msg("the settings are neither the old nor the new ones");
  if (strcmp(text, OTHERS) != 0)
    scratch_expect_text(&filed->scratch, "s.json" BT_SETTINGS_BACKUP, OTHERS);
  assert_true(scratch_count(&filed->scratch, ".") <= 2);
}

static void the_settings_file(void **state) {
  (void)state;
  struct filed filed;
  scratch_make(&filed.scratch);
  snprintf(filed.path, sizeof filed.path, "%s/s.json", filed.scratch.path);
  memory_sweep(
      &(struct memory_sweep){.before = put_back, .run = replace, .after = is_whole, .context = &filed, .least = 5});
  scratch_remove(&filed.scratch);
}

/* ---- a transcript ---- */

static enum bt_code observe(void *context, uint64_t *seen, struct bt_error *err) {
  const struct scratch *scratch = context;
  struct bt_observed observed = {.truncated = false};
  enum bt_code code = bt_observe_transcript(scratch->path, "t", false, &observed, err);
  if (code == BT_OK) {
    memory_see(seen, &observed.signals.depth.kind, sizeof observed.signals.depth.kind);
    memory_see(seen, &observed.signals.depth.value, sizeof observed.signals.depth.value);
    memory_see(seen, &observed.truncated, sizeof observed.truncated);
  }
  return code;
}

/* A depth that is too small would let a call through. */
static void a_depth_is_never_too_small(void **state) {
  (void)state;
  struct scratch scratch;
  scratch_make(&scratch);
  scratch_text(&scratch, "t", "{\"type\":\"tool_use\"}\n{\"type\":\"tool_use\"}\nWriting a.c\n");
  memory_sweep(&(struct memory_sweep){.run = observe, .context = &scratch, .least = 2});
  scratch_remove(&scratch);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(wiring_in_and_out), cmocka_unit_test(the_settings_file),
                                     cmocka_unit_test(a_depth_is_never_too_small)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
