/* core/records/config.c - the validator of handoff.config.json (config.h). The rules stand in one table. */
#include "core/records/config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/json.h"
#include "core/base/utf8.h"

enum kind { TEXT, TEXT_OR_NULL, TEXT_FILLED, FLAG, INTEGER, NUMBER, TEXTS, STORE_KIND, GROUP };

struct rule {
  const char *group; /* "" at the top */
  const char *key;
  enum kind kind;
  double least, most;
};

/* clang-format off */
static const struct rule rules[] = {
    {"", "$schema", TEXT, 0, 0},
    {"", "version", INTEGER, 1, 1},
    {"", "handoff_dir", TEXT_FILLED, 0, 0},
    {"", "project_name", TEXT_OR_NULL, 0, 0},
    {"", "auto_capture", FLAG, 0, 0},
    {"", "max_brief_tokens", INTEGER, 1000, 100000},
    {"", "exclude_from_handoff", TEXTS, 0, 0},
    {"", "capture", GROUP, 0, 0},
    {"", "linking", GROUP, 0, 0},
    {"", "integrity", GROUP, 0, 0},
    {"", "storage", GROUP, 0, 0},
    {"capture", "exclude_patterns", TEXTS, 0, 0},
    {"capture", "include_tool_outputs", FLAG, 0, 0},
    {"capture", "truncate_tool_outputs", FLAG, 0, 0},
    {"capture", "max_tool_output_length", INTEGER, 0, INFINITY},
    {"linking", "enabled", FLAG, 0, 0},
    {"linking", "min_overlap_score", NUMBER, 0, 1},
    {"integrity", "sha256_manifest", FLAG, 0, 0},
    {"integrity", "verify_on_read", FLAG, 0, 0},
    {"storage", "type", STORE_KIND, 0, 0},
    {"storage", "path", TEXT_FILLED, 0, 0},
};
/* clang-format on */

static const struct rule *rule_for(const char *group, const char *key) {
  for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
    if (strcmp(rules[i].group, group) == 0 && strcmp(rules[i].key, key) == 0)
      return &rules[i];
  }
  return NULL;
}

static const char *type_word(const struct bt_json *value) {
  double number;
  switch (bt_json_type(value)) {
  case BT_JSON_NULL:
    return "null";
  case BT_JSON_TRUE:
  case BT_JSON_FALSE:
    return "boolean";
  case BT_JSON_NUMBER:
    return bt_json_is_integer(value, &number) ? "integer" : "number";
  case BT_JSON_STRING:
    return "string";
  case BT_JSON_ARRAY:
    return "array";
  default:
    return "object";
  }
}

/* One fault: `  - handoff.config.json.group.key: what`. */
static void put_place(struct bt_str *faults, const char *group, const char *key) {
  bt_str_puts(faults, "  - " BT_CONFIG_NAME);
  if (group[0] != '\0')
    bt_str_printf(faults, ".%s", group);
  if (key != NULL) {
    bt_str_putc(faults, '.');
    bt_text_visible(faults, key, strlen(key));
  }
  bt_str_puts(faults, ": ");
}

static void expected(struct bt_str *faults, const struct rule *rule, const char *word, const struct bt_json *value) {
  put_place(faults, rule->group, rule->key);
  bt_str_printf(faults, "expected %s, got %s\n", word, type_word(value));
}

static void check_number(struct bt_str *faults, const struct rule *rule, const struct bt_json *value) {
  double number = 0;
  bool is_number = bt_json_number(value, &number);
  if (rule->kind == INTEGER ? !bt_json_is_integer(value, &number) : !is_number) {
    expected(faults, rule, rule->kind == INTEGER ? "integer" : "number", value);
  } else if (number < rule->least || number > rule->most) {
    put_place(faults, rule->group, rule->key);
    bt_json_print_number(faults, number);
    bool is_low = number < rule->least;
    bt_str_puts(faults, is_low ? " is below minimum " : " is above maximum ");
    bt_json_print_number(faults, is_low ? rule->least : rule->most);
    bt_str_putc(faults, '\n');
  }
}

static void check_texts(struct bt_str *faults, const struct rule *rule, const struct bt_json *value) {
  if (bt_json_type(value) != BT_JSON_ARRAY) {
    expected(faults, rule, "array", value);
    return;
  }
  for (const struct bt_json *item = bt_json_first(value); item != NULL; item = bt_json_next(item)) {
    if (bt_json_string(item) == NULL)
      expected(faults, rule, "strings only", item);
  }
}

static void check_text(struct bt_str *faults, const struct rule *rule, const struct bt_json *value) {
  const char *text = bt_json_string(value);
  if (text == NULL) {
    if (rule->kind != TEXT_OR_NULL || bt_json_type(value) != BT_JSON_NULL)
      expected(faults, rule, rule->kind == TEXT_OR_NULL ? "string or null" : "string", value);
  } else if (rule->kind == TEXT_FILLED && text[0] == '\0') {
    put_place(faults, rule->group, rule->key);
    bt_str_puts(faults, "is empty\n");
  } else if (rule->kind == STORE_KIND && strcmp(text, "filesystem") != 0 && strcmp(text, "sqlite") != 0) {
    put_place(faults, rule->group, rule->key);
    bt_str_puts(faults, "is neither \"filesystem\" nor \"sqlite\"\n");
  }
}

static void check_members(struct bt_str *faults, const char *group, const struct bt_json *object);

static void check_value(struct bt_str *faults, const struct rule *rule, const struct bt_json *value) {
  bool is_flag = bt_json_type(value) == BT_JSON_TRUE || bt_json_type(value) == BT_JSON_FALSE;
  switch (rule->kind) {
  case FLAG:
    if (!is_flag)
      expected(faults, rule, "boolean", value);
    break;
  case INTEGER:
  case NUMBER:
    check_number(faults, rule, value);
    break;
  case TEXTS:
    check_texts(faults, rule, value);
    break;
  case GROUP:
    if (bt_json_type(value) == BT_JSON_OBJECT)
      check_members(faults, rule->key, value);
    else
      expected(faults, rule, "object", value);
    break;
  default:
    check_text(faults, rule, value);
    break;
  }
}

static void check_members(struct bt_str *faults, const char *group, const struct bt_json *object) {
  for (const struct bt_json *member = bt_json_first(object); member != NULL; member = bt_json_next(member)) {
    const struct rule *rule = rule_for(group, bt_json_key(member));
    if (rule != NULL) {
      check_value(faults, rule, member);
      continue;
    }
    put_place(faults, group, NULL);
    bt_str_puts(faults, "unknown key \"");
    bt_text_visible(faults, bt_json_key(member), strlen(bt_json_key(member)));
    bt_str_puts(faults, "\"\n");
  }
}

void bt_config_init(struct bt_config *config) {
  *config = (struct bt_config){.linking = true};
}

void bt_config_dispose(struct bt_config *config) {
  free(config->directory);
  free(config->project_name);
  bt_config_init(config);
}

/* Copies what a valid config says. False: out of memory. */
static bool take_values(struct bt_config *config, const struct bt_json *json) {
  const char *directory = bt_json_get_string(bt_json_get(json, "storage"), "path");
  const char *name = bt_json_get_string(json, "project_name");
  bool enabled;
  if (directory == NULL)
    directory = bt_json_get_string(json, "handoff_dir");
  if (bt_json_get_bool(bt_json_get(json, "linking"), "enabled", &enabled))
    config->linking = enabled;
  struct bt_slice trimmed = name != NULL ? bt_trim_w(name, strlen(name)) : (struct bt_slice){"", 0};
  if (trimmed.length > 0 && (config->project_name = strndup(trimmed.data, trimmed.length)) == NULL)
    return false;
  return directory == NULL || (config->directory = strdup(directory)) != NULL;
}

enum bt_code bt_config_parse(struct bt_config *config, const char *bytes, size_t length, struct bt_str *faults,
                             struct bt_error *err) {
  struct bt_error why = {0};
  struct bt_json *json = bt_json_parse(bytes, length, &why);
  enum bt_code code = BT_OK;
  if (json == NULL && why.code == BT_NOMEM) {
    code = bt_error_set(err, BT_NOMEM, BT_CONFIG_NAME, "out of memory");
  } else if (json == NULL) {
    bool has_mark = length >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0;
    bt_str_printf(faults, "  - " BT_CONFIG_NAME ": %s\n",
                  has_mark ? "not JSON: it begins with a byte order mark" : why.message);
  } else if (bt_json_type(json) != BT_JSON_OBJECT) {
    bt_str_puts(faults, "  - " BT_CONFIG_NAME ": must be a JSON object\n");
  } else {
    check_members(faults, "", json);
    if (faults->length == 0 && !take_values(config, json))
      code = bt_error_set(err, BT_NOMEM, BT_CONFIG_NAME, "out of memory");
  }
  if (faults->length > 0)
    code = bt_error_set(err, BT_INPUT, BT_CONFIG_NAME, "%s is not valid", BT_CONFIG_NAME);
  bt_json_free(json);
  return code;
}
