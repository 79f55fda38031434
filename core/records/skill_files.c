/* core/records/skill_files.c - what an installation consists of, and what one says of itself (skill.h). */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "config_schema_embed.h"
#include "core/records/config.h"
#include "core/records/skill.h"
#include "core/records/store.h"
#include "skill_words_embed.h"

#define WORDS_MAX ((size_t)4 << 20)

static const struct bt_skill_file files[] = {
    {BT_SKILL_WORDS, skill_words, skill_words_length, 0666},
    {BT_CONFIG_SCHEMA_NAME, config_schema, config_schema_length, 0666},
    {BT_SKILL_PROGRAM, NULL, 0, 0777},
};

const struct bt_skill_file *bt_skill_files(size_t *count) {
  *count = sizeof files / sizeof *files;
  return files;
}

char *bt_skill_path(const char *folder, const char *name) {
  struct bt_str path;
  bt_str_init(&path, (size_t)1 << 20);
  bt_str_printf(&path, "%s/%s", bt_text_equals(folder, "/") ? "" : folder, name);
  return bt_str_take(&path, NULL);
}

bool bt_skill_has_file(const char *target, const char *name) {
  struct stat found;
  char *path = bt_skill_path(target, name);
  bool there = path != NULL && stat(path, &found) == 0 && S_ISREG(found.st_mode);
  free(path);
  return there;
}

bool bt_skill_is_installed(const char *target) {
  return bt_skill_has_file(target, BT_SKILL_WORDS);
}

/* The rest of the first line that begins with `word`, borrowed from `text`; NULL data when there is none. */
static struct bt_slice line_behind(const struct bt_str *text, const char *word) {
  const char *at = text->data;
  while (at != NULL) {
    if (bt_starts_with(at, word)) {
      at += strlen(word);
      return (struct bt_slice){at, strcspn(at, "\r\n")};
    }
    at = strchr(at, '\n');
    at = at != NULL ? at + 1 : NULL;
  }
  return (struct bt_slice){NULL, 0};
}

static void read_words(const char *target, struct bt_str *text) {
  char *path = bt_skill_path(target, BT_SKILL_WORDS);
  if (path == NULL || bt_records_read(path, text, NULL) != BT_OK)
    bt_str_clear(text);
  free(path);
}

bool bt_skill_has_line(const char *target, const char *word) {
  struct bt_str text;
  bt_str_init(&text, WORDS_MAX);
  read_words(target, &text);
  bool has = line_behind(&text, word).data != NULL;
  bt_str_dispose(&text);
  return has;
}

void bt_skill_version(const char *target, struct bt_str *version) {
  struct bt_str text;
  bt_str_init(&text, WORDS_MAX);
  read_words(target, &text);
  struct bt_slice rest = line_behind(&text, "version:");
  size_t from = 0, end;
  while (from < rest.length && (rest.data[from] == ' ' || rest.data[from] == '\t'))
    from++;
  for (end = from; end < rest.length && rest.data[end] != ' ' && rest.data[end] != '\t'; end++) {
  }
  if (end > from)
    bt_str_append(version, rest.data + from, end - from);
  bt_str_dispose(&text);
}
