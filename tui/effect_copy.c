/* tui/effect_copy.c - to the terminal's clipboard (OSC 52). */
#include "tui/effect_copy.h"

#include "core/ops/own_file.h"
#include "tui/clipboard.h"
#include "tui/term.h"

#define PAGE_JSON_BYTES_MAX ((size_t)16 * 1024 * 1024)
#define PATH_BYTES_MAX ((size_t)64 * 1024)

void effect_copy_text(const char *text, size_t length) {
  struct bt_str osc;
  bt_str_init(&osc, 2 * CLIPBOARD_BYTES_MAX);
  clipboard_osc52(&osc, text, length);
  if (!osc.failed)
    term_send(osc.data, osc.length);
  bt_str_dispose(&osc);
}

void effect_copy_page(struct effector *effector) {
  struct bt_str json, path;
  struct bt_error err = {.code = BT_OK};
  enum bt_code code = BT_OK;
  bt_str_init(&json, PAGE_JSON_BYTES_MAX);
  bt_str_init(&path, PATH_BYTES_MAX);
  bool fits = true;
  if (!effector->page_json || !effector->page_json(app_snapshot(effector->app), app_scene(effector->app), &json))
    code = bt_error_set(&err, BT_MISSING, "page", "there is nothing here yet to copy as JSON");
  else if ((fits = json.length <= CLIPBOARD_BYTES_MAX))
    effect_copy_text(json.data, json.length);
  else
    code = bt_own_file_write(effector->env, BT_OWN_VIEW, "page.json", json.data, json.length, &path, &err);
  effect_run(effector, fits ? app_copied(effector->app, json.length, code == BT_OK ? NULL : &err)
                            : app_wrote(effector->app, code == BT_OK ? path.data : NULL, &err));
  bt_str_dispose(&path);
  bt_str_dispose(&json);
}
