/* core/hook/settings.c - one small change at a time, each on a text that was read anew. */
#include "core/hook/settings.h"

#include <string.h>

#include "core/base/json.h"
#include "core/hook/json_edit.h"

#define TEXT_MAX (2 * BT_SETTINGS_MAX)

struct editing {
  struct bt_str text; /* as it is by now */
  struct bt_tape tape;
  struct bt_error *err;
  bool changed;
};

static enum bt_code no_memory(struct editing *edit) {
  return bt_error_set(edit->err, BT_NOMEM, "settings", "out of memory");
}

static enum bt_code read_anew(struct editing *edit) {
  enum bt_code code = edit->text.failed ? BT_NOMEM : bt_tape_parse(&edit->tape, edit->text.data, edit->text.length);
  if (code == BT_NOMEM)
    return no_memory(edit);
  if (code != BT_OK || bt_tape_type(&edit->tape, 0) != BT_JSON_OBJECT)
    return bt_error_set(edit->err, BT_CORRUPT, "settings",
                        "the settings are no JSON object; they are left as they are");
  return BT_OK;
}

/* The changed text takes the place of the one before. */
static enum bt_code take(struct editing *edit, struct bt_str *changed) {
  bt_str_dispose(&edit->text);
  edit->text = *changed;
  edit->changed = true;
  return read_anew(edit);
}

/* ---- where things are ---- */

/* The member's value, BT_TOKEN_NONE when absent. BT_STATE when it is there twice: harnesses disagree which counts. */
static enum bt_code value_of(struct editing *edit, uint32_t object, const char *key, uint32_t *value) {
  int count = 0;
  *value = BT_TOKEN_NONE;
  for (uint32_t at = bt_tape_first(&edit->tape, object); at != BT_TOKEN_NONE;
       at = bt_tape_next(&edit->tape, object, at + 1)) {
    if (bt_tape_is(&edit->tape, at, key)) {
      *value = at + 1;
      count++;
    }
  }
  return count <= 1 ? BT_OK : bt_error_set(edit->err, BT_STATE, key, "%s is there twice in the settings", key);
}

static enum bt_code require_type(struct editing *edit, uint32_t value, enum bt_json_type type, const char *key) {
  if (value == BT_TOKEN_NONE || bt_tape_type(&edit->tape, value) == type)
    return BT_OK;
  return bt_error_set(edit->err, BT_STATE, key, "%s in the settings is no %s", key,
                      type == BT_JSON_OBJECT ? "object" : "list");
}

/* ---- putting in ---- */

/* {matcher, hooks: [{type, command, timeout}]}. NULL: out of memory. */
static struct bt_json *group_json(const struct bt_wiring_entry *entry) {
  struct bt_json *handler = bt_json_new_object(), *list = bt_json_new_array(), *group = bt_json_new_object();
  bool whole = handler != NULL && list != NULL && group != NULL && !entry->command.failed &&
               bt_json_set_string(handler, "type", "command") == BT_OK &&
               bt_json_set_string(handler, "command", entry->command.data) == BT_OK &&
               bt_json_set_number(handler, "timeout", BT_WIRING_TIMEOUT_S) == BT_OK;
  if (whole) {
    whole = bt_json_push(list, handler) == BT_OK;
    handler = NULL;
  }
  whole = whole && bt_json_set_string(group, "matcher", entry->matcher) == BT_OK;
  if (whole) {
    whole = bt_json_set(group, "hooks", list) == BT_OK;
    list = NULL;
  }
  bt_json_free(handler);
  bt_json_free(list);
  if (whole)
    return group;
  bt_json_free(group);
  return NULL;
}

/* `inner` (taken) as the only element of a list / member of an object. NULL: out of memory. */
static struct bt_json *wrap(struct bt_json *inner, const char *key) {
  struct bt_json *outer = key != NULL ? bt_json_new_object() : bt_json_new_array();
  if (inner == NULL || outer == NULL) {
    bt_json_free(inner);
    bt_json_free(outer);
    return NULL;
  }
  enum bt_code code = key != NULL ? bt_json_set(outer, key, inner) : bt_json_push(outer, inner);
  if (code == BT_OK)
    return outer;
  bt_json_free(outer);
  return NULL;
}

static enum bt_code insert(struct editing *edit, uint32_t container, const char *key, struct bt_json *value) {
  struct bt_str changed;
  if (value == NULL)
    return no_memory(edit);
  bt_str_init(&changed, TEXT_MAX);
  bt_json_edit_insert(&changed, &edit->tape, container, key, value);
  bt_json_free(value);
  return take(edit, &changed);
}

static enum bt_code insert_entry(struct editing *edit, const struct bt_wiring_entry *entry) {
  uint32_t hooks, list = BT_TOKEN_NONE;
  enum bt_code code = value_of(edit, 0, "hooks", &hooks);
  if (code == BT_OK)
    code = require_type(edit, hooks, BT_JSON_OBJECT, "hooks");
  if (code == BT_OK && hooks != BT_TOKEN_NONE)
    code = value_of(edit, hooks, entry->event, &list);
  if (code == BT_OK)
    code = require_type(edit, list, BT_JSON_ARRAY, entry->event);
  if (code != BT_OK)
    return code;
  if (hooks == BT_TOKEN_NONE)
    return insert(edit, 0, "hooks", wrap(wrap(group_json(entry), NULL), entry->event));
  if (list == BT_TOKEN_NONE)
    return insert(edit, hooks, entry->event, wrap(group_json(entry), NULL));
  return insert(edit, list, NULL, group_json(entry));
}

/* ---- taking out ---- */

/* The handler, and whatever holds nothing else: its group, its list, all of the hooks. With `keep_list` the list stays,
 * for something is about to be put into it. */
static enum bt_code remove_handler(struct editing *edit, const struct bt_wired_at *at, bool keep_list) {
  const struct bt_tape *tape = &edit->tape;
  const struct {
    uint32_t container, token;
  } levels[] = {{at->handlers_key + 1, at->handler},
                {at->list_key + 1, at->group},
                {at->hooks_key + 1, at->list_key},
                {0, at->hooks_key}};
  size_t level = 0, top = keep_list ? 1 : 3;
  while (level < top) {
    uint32_t container = levels[level].container, first = bt_tape_first(tape, container);
    bool object = bt_tape_type(tape, container) == BT_JSON_OBJECT;
    if (bt_tape_next(tape, container, object ? first + 1 : first) != BT_TOKEN_NONE)
      break;
    level++;
  }
  struct bt_str changed;
  bt_str_init(&changed, TEXT_MAX);
  bt_json_edit_remove(&changed, tape, levels[level].container, levels[level].token);
  return take(edit, &changed);
}

/* ---- the two changes ---- */

static enum bt_code begin(struct editing *edit, const struct bt_str *text, struct bt_error *err) {
  *edit = (struct editing){.err = err};
  bt_tape_init(&edit->tape);
  bt_str_init(&edit->text, TEXT_MAX);
  if (text != NULL)
    bt_str_append(&edit->text, text->data, text->length);
  else
    bt_str_puts(&edit->text, "{}\n");
  return read_anew(edit);
}

static enum bt_code finish(struct editing *edit, enum bt_code code, struct bt_str *out, bool *changed) {
  *changed = edit->changed;
  if (code == BT_OK) {
    bt_str_append(out, edit->text.data, edit->text.length);
    if (out->failed)
      code = no_memory(edit);
  }
  bt_tape_dispose(&edit->tape);
  bt_str_dispose(&edit->text);
  return code;
}

enum bt_code bt_settings_install(const struct bt_str *text, const struct bt_wiring_entry *entries, struct bt_str *out,
                                 bool *changed, struct bt_error *err) {
  struct editing edit;
  struct bt_wired_at at;
  enum bt_code code = begin(&edit, text, err);
  for (size_t i = 0; i < BT_WIRING_ENTRIES && code == BT_OK; i++) {
    bool there = false;
    while (code == BT_OK && (there = bt_wiring_find(&edit.tape, &entries[i], &at)) && !at.exact)
      code = remove_handler(&edit, &at, true);
    if (code == BT_OK && at.failed)
      code = no_memory(&edit);
    if (code == BT_OK && !there)
      code = insert_entry(&edit, &entries[i]);
  }
  return finish(&edit, code, out, changed);
}

enum bt_code bt_settings_remove(const struct bt_str *text, const struct bt_wiring_entry *entries, struct bt_str *out,
                                bool *changed, struct bt_error *err) {
  struct editing edit;
  struct bt_wired_at at;
  enum bt_code code = begin(&edit, text, err);
  for (size_t i = BT_WIRING_ENTRIES; i > 0 && code == BT_OK; i--) {
    while (code == BT_OK && bt_wiring_find(&edit.tape, &entries[i - 1], &at))
      code = remove_handler(&edit, &at, false);
    if (code == BT_OK && at.failed)
      code = no_memory(&edit);
  }
  return finish(&edit, code, out, changed);
}
