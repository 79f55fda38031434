/* cli/options.c - flags by a table, left to right, the first error wins. */
#include "cli/options.h"

#include <stdio.h>
#include <string.h>

static const struct option_spec *find(const struct option_spec *specs, size_t count, const char *name, size_t length) {
  for (size_t i = 0; i < count; i++) {
    if (strlen(specs[i].name) == length && memcmp(specs[i].name, name, length) == 0)
      return &specs[i];
  }
  return NULL;
}

/* One `--name`, `--name value` or `--name=value`; `*at` moves over a value of its own. */
static enum bt_code read_long(int argc, char **argv, int *at, const struct option_spec *specs, size_t spec_count,
                              struct bt_error *err) {
  const char *flag = argv[*at];
  const char *name = flag + 2;
  const char *equals = strchr(name, '=');
  const struct option_spec *spec =
      find(specs, spec_count, name, equals != NULL ? (size_t)(equals - name) : strlen(name));
  if (spec == NULL)
    return bt_error_set(err, BT_USAGE, flag, "unknown flag %s", flag);
  if (spec->boolean != NULL) {
    if (equals != NULL)
      return bt_error_set(err, BT_USAGE, flag, "--%s takes no value", spec->name);
    *spec->boolean = true;
    return BT_OK;
  }
  if (equals != NULL) {
    *spec->string = equals + 1;
    return BT_OK;
  }
  if (*at + 1 >= argc)
    return bt_error_set(err, BT_USAGE, flag, "--%s needs a value", spec->name);
  const char *value = argv[*at + 1];
  if (value[0] == '-' && value[1] != '\0')
    return bt_error_set(err, BT_USAGE, flag, "the value of --%s is ambiguous: write --%s=%s", spec->name, spec->name,
                        value);
  *spec->string = value;
  (*at)++;
  return BT_OK;
}

enum bt_code options_parse(int argc, char **argv, const struct option_spec *specs, size_t spec_count,
                           struct option_rest *rest, struct bt_error *err) {
  if (rest != NULL) {
    rest->positional_count = 0;
    rest->after = argc;
    rest->separator = false;
  }
  for (int i = 1; i < argc; i++) {
    const char *word = argv[i];
    if (strcmp(word, "--") == 0) {
      if (rest != NULL) {
        rest->after = i + 1;
        rest->separator = true;
      }
      return BT_OK;
    }
    if (word[0] == '-' && word[1] == '-') {
      enum bt_code code = read_long(argc, argv, &i, specs, spec_count, err);
      if (code != BT_OK)
        return code;
    } else if (word[0] == '-' && word[1] != '\0') {
      return bt_error_set(err, BT_USAGE, word, "unknown flag %s", word);
    } else if (rest != NULL) {
      if (rest->positional_count < rest->positional_max)
        rest->positionals[rest->positional_count] = word;
      rest->positional_count++;
    }
  }
  return BT_OK;
}

size_t options_collect(int argc, char **argv, const struct option_spec *specs, size_t spec_count, const char *name,
                       const char **values) {
  size_t count = 0;
  for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
    if (argv[i][0] != '-' || argv[i][1] != '-')
      continue;
    const char *equals = strchr(argv[i], '=');
    size_t length = equals != NULL ? (size_t)(equals - argv[i] - 2) : strlen(argv[i] + 2);
    const struct option_spec *spec = find(specs, spec_count, argv[i] + 2, length);
    bool takes_next = spec != NULL && spec->boolean == NULL && equals == NULL && i + 1 < argc;
    const char *value = equals != NULL ? equals + 1 : takes_next ? argv[i + 1] : NULL;
    if (spec != NULL && spec->boolean == NULL && value != NULL && strcmp(spec->name, name) == 0)
      values[count++] = value;
    i += takes_next;
  }
  return count;
}

void options_print_help(const struct option_spec *specs, size_t spec_count) {
  for (size_t i = 0; i < spec_count; i++) {
    char flag[64];
    snprintf(flag, sizeof flag, "--%s%s%s", specs[i].name, specs[i].argument != NULL ? " " : "",
             specs[i].argument != NULL ? specs[i].argument : "");
    printf("  %-24s %s\n", flag, specs[i].help);
  }
}
