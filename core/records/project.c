/* core/records/project.c - PROJECT.md, the suggested name, and notes to other projects
 * (spec/session-records.md 8.8, 8.9). */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/fs.h"
#include "core/base/utf8.h"
#include "core/records/build_state.h"
#include "core/records/manifest.h"
#include "core/records/units.h"
#include "core/records/words.h"

#define PROJECT_FILE "PROJECT.md"
#define LINKS_NAME "links"
#define FILE_BYTES_MAX ((size_t)256 << 20)
#define LINK_LEAST 0.06
#define LINK_KEYWORDS_LEAST 3

static enum bt_code no_memory(struct bt_build *build) {
  return bt_error_set(&build->err, BT_NOMEM, "", "out of memory");
}

/* A file as text; an absent one is empty. `*present` may be NULL. */
static enum bt_code read_text(int dir, const char *name, struct bt_str *text, bool *present, struct bt_error *err) {
  struct bt_str bytes;
  struct bt_error why = {0};
  bt_str_init(&bytes, FILE_BYTES_MAX);
  enum bt_code code = bt_fs_read_at(dir, name, &bytes, &why);
  if (present != NULL)
    *present = code == BT_OK;
  if (code == BT_OK)
    bt_utf8_decode8(text, bytes.data, bytes.length);
  else if (code != BT_MISSING && err != NULL)
    *err = why;
  bt_str_dispose(&bytes);
  return code == BT_MISSING ? BT_OK : code;
}

static enum bt_code write_text(struct bt_build *build, int dir, const char *name, const struct bt_str *text) {
  struct bt_str bytes;
  bt_str_init(&bytes, FILE_BYTES_MAX);
  bt_utf8_encode8(&bytes, text->data, text->length);
  enum bt_code code =
      text->failed || bytes.failed ? no_memory(build) : bt_write_file(dir, name, bytes.data, bytes.length, &build->err);
  bt_str_dispose(&bytes);
  return code;
}

/* The first units of a text with every line end turned into a space. */
static void put_head(struct bt_str *out, const char *text, size_t units) {
  struct bt_str head;
  bt_str_init(&head, units * 3);
  bt_units_head(&head, text, strlen(text), units);
  for (size_t i = 0; i < head.length; i++) {
    if (head.data[i] == '\n')
      head.data[i] = ' ';
  }
  bt_utf8_append(out, head.data, head.length);
  bt_str_dispose(&head);
}

/* ---- PROJECT.md ---- */

static void put_session_line(struct bt_build *build, struct bt_str *out, const char *objective) {
  bt_str_puts(out, "- session ");
  bt_str_puts(out, build->id);
  bt_str_printf(out, " (turns=%llu, rev=", (unsigned long long)build->gist.turns);
  bt_json_print_number(out, bt_manifest_number(build->manifest, "revisions"));
  bt_str_puts(out, ") :: ");
  put_head(out, objective, 80);
}

/* Whether a line begins with the session's own words. */
static bool has_line(const char *text, const char *id) {
  struct bt_str wanted;
  bt_str_init(&wanted, FILE_BYTES_MAX);
  bt_str_printf(&wanted, "- session %s (", id);
  const char *at = text;
  bool found = false;
  while (at != NULL && !found) {
    found = bt_starts_with(at, wanted.data);
    at = strchr(at, '\n');
    at = at != NULL ? at + 1 : NULL;
  }
  bt_str_dispose(&wanted);
  return found;
}

static void trim_end(struct bt_str *text) {
  struct bt_str marked; /* trimming the end only: a mark keeps the start */
  bt_str_init(&marked, text->length + 2);
  bt_str_putc(&marked, 'x');
  bt_str_append(&marked, text->data, text->length);
  struct bt_slice trimmed = bt_trim_w(marked.data, marked.length);
  if (!marked.failed)
    bt_str_truncate(text, trimmed.length - 1);
  text->failed = text->failed || marked.failed;
  bt_str_dispose(&marked);
}

static void put_comment(struct bt_str *text, const char *name) {
  struct bt_str comment;
  bt_str_init(&comment, 65536);
  bt_str_printf(&comment, "<!-- suggested-session-name: %s -->", name);
  if (strstr(text->data, comment.data) == NULL) {
    bt_str_putc(text, '\n');
    bt_str_puts(text, comment.data);
    bt_str_putc(text, '\n');
  }
  bt_str_dispose(&comment);
}

static enum bt_code note_session(struct bt_build *build, int project, const char *objective, const char *suggestion) {
  struct bt_str text, before;
  bool present;
  bt_str_init(&text, FILE_BYTES_MAX);
  bt_str_init(&before, FILE_BYTES_MAX);
  enum bt_code code = read_text(project, PROJECT_FILE, &text, &present, &build->err);
  bt_str_append(&before, text.data, text.length);
  if (!present) {
    bt_str_printf(&text, "# Project: %s\n\n<!-- suggested-title: replace me -->\n\n## Sessions\n", build->project_text);
    put_session_line(build, &text, objective);
    bt_str_putc(&text, '\n');
  } else if (!has_line(text.data, build->id)) {
    trim_end(&text);
    bt_str_putc(&text, '\n');
    put_session_line(build, &text, objective);
    bt_str_putc(&text, '\n');
  }
  if (suggestion[0] != '\0')
    put_comment(&text, suggestion);
  bool same = present && text.length == before.length && memcmp(text.data, before.data, text.length) == 0;
  if (code == BT_OK && !same)
    code = write_text(build, project, PROJECT_FILE, &text);
  bt_str_dispose(&text);
  bt_str_dispose(&before);
  return code;
}

/* The date and the first keywords. */
static void suggest(const struct bt_build *build, const struct bt_keywords *keywords, struct bt_str *out) {
  struct bt_str name;
  if (!bt_words_is_machine_id(build->id))
    return;
  bt_str_init(&name, 65536);
  bt_str_append(&name, build->now, strlen("YYYY-MM-DD"));
  for (size_t i = 0; i < keywords->count && i < 3; i++)
    bt_str_printf(&name, "-%s", keywords->words[i]);
  if (keywords->count == 0)
    bt_str_puts(&name, "-session");
  bt_words_slug(out, name.data, name.length);
  bt_str_dispose(&name);
}

/* ---- links ---- */

static enum bt_code add_note(struct bt_build *build, int links, const char *other, double overlap,
                             const char *objective, unsigned *notes) {
  struct bt_str text, mark, name;
  char amount[8];
  bt_str_init(&text, FILE_BYTES_MAX);
  bt_str_init(&mark, FILE_BYTES_MAX);
  bt_str_init(&name, 65536);
  bool present;
  bt_str_printf(&name, "%s.md", other);
  bt_str_printf(&mark, "<!-- xlink:%s/%s -->", build->project_text, build->id);
  enum bt_code code = read_text(links, name.data, &text, &present, &build->err);
  if (code == BT_OK && strstr(text.data, mark.data) == NULL) {
    if (!present) {
      bt_str_puts(&text, "# Cross-links: ");
      bt_utf8_decode8(&text, other, strlen(other));
      bt_str_puts(&text, "\n\nRelated sessions from other projects:\n");
    }
    bt_words_overlap_text(amount, overlap);
    bt_str_printf(&text, "- [%s] related: projects/%s/%s (overlap=%s) :: ", build->now, build->project_text, build->id,
                  amount);
    put_head(&text, objective, 100);
    bt_str_printf(&text, " %s\n", mark.data);
    if (mark.failed || name.failed)
      text.failed = true;
    code = write_text(build, links, name.data, &text);
    *notes += code == BT_OK;
  }
  bt_str_dispose(&text);
  bt_str_dispose(&mark);
  bt_str_dispose(&name);
  return code;
}

static enum bt_code link_to(struct bt_build *build, int projects, int links, const char *other,
                            const struct bt_keywords *keywords, const char *objective, unsigned *notes) {
  struct bt_fs_stat found;
  bt_fs_stat_at(projects, other, &found);
  int project = found.kind == BT_FS_FOLDER && strcmp(other, build->project) != 0
                    ? bt_fs_open_folder_at(projects, other, NULL)
                    : -1;
  if (project < 0)
    return BT_OK;
  struct bt_str text;
  struct bt_keywords theirs;
  bool present;
  bt_str_init(&text, FILE_BYTES_MAX);
  bt_keywords_init(&theirs);
  enum bt_code code = read_text(project, PROJECT_FILE, &text, &present, &build->err);
  (void)close(project);
  if (code != BT_OK && code != BT_NOMEM)
    code = BT_OK; /* what another project did to its file is no reason to leave this one without a record */
  if (code == BT_OK && present) {
    bt_keywords_add(&theirs, text.data, text.length);
    double overlap = bt_keywords_overlap(keywords, &theirs);
    if (theirs.failed || text.failed)
      code = no_memory(build);
    else if (overlap >= LINK_LEAST)
      code = add_note(build, links, other, overlap, objective, notes);
  }
  bt_keywords_dispose(&theirs);
  bt_str_dispose(&text);
  return code;
}

static enum bt_code link_all(struct bt_build *build, int projects, const struct bt_keywords *keywords,
                             const char *objective, unsigned *notes) {
  struct bt_fs_listing listing;
  enum bt_code code = bt_write_folder(build->root, LINKS_NAME, NULL, &build->err);
  if (code != BT_OK || keywords->count < LINK_KEYWORDS_LEAST)
    return code;
  int links = bt_fs_open_folder_at(build->root, LINKS_NAME, &build->err);
  if (links < 0)
    return BT_IO;
  bt_write_sweep(links, &build->lock);
  code = bt_fs_list_at(projects, ".", &listing, &build->err);
  if (code == BT_OK) {
    for (size_t i = 0; code == BT_OK && i < listing.count; i++)
      code = link_to(build, projects, links, listing.names[i], keywords, objective, notes);
    bt_fs_listing_dispose(&listing);
  }
  (void)close(links);
  return code;
}

enum bt_code bt_project_note(struct bt_build *build, const char *objective, unsigned *notes,
                             struct bt_str *suggestion) {
  struct bt_keywords keywords;
  int projects = bt_fs_open_folder_at(build->root, BT_PROJECTS_NAME, &build->err);
  int project = projects >= 0 ? bt_fs_open_folder_at(projects, build->project, &build->err) : -1;
  bt_keywords_init(&keywords);
  bt_keywords_add(&keywords, objective, strlen(objective));
  suggest(build, &keywords, suggestion);
  enum bt_code code = project >= 0 ? BT_OK : BT_IO;
  if (keywords.failed || suggestion->failed)
    code = no_memory(build);
  if (code == BT_OK)
    bt_write_sweep(project, &build->lock);
  if (code == BT_OK)
    code = note_session(build, project, objective, suggestion->data);
  if (code == BT_OK && build->records->config.linking)
    code = link_all(build, projects, &keywords, objective, notes);
  bt_keywords_dispose(&keywords);
  if (project >= 0)
    (void)close(project);
  if (projects >= 0)
    (void)close(projects);
  return code;
}
