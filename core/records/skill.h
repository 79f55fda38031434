/* core/records/skill.h - the installer: puts the skill (its words, the configuration's schema, the program) where
 * clients look for it, tells where that is, checks it, takes it away.
 *
 * Rules: spec/session-records.md 13. Exit statuses are 0 and 1 only. Paths are bytes. */
#ifndef BATON_CORE_RECORDS_SKILL_H
#define BATON_CORE_RECORDS_SKILL_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/error.h"
#include "core/base/str.h"
#include "core/env.h"

#define BT_SKILL_FOLDER "agent-handoff"
#define BT_SKILL_WORDS "SKILL.md"
#define BT_SKILL_PROGRAM "baton"

/* ---- where (core/records/skill_where.c) ---- */

struct bt_skill_places {
  char *global; /* root of a global installation */
  const char *reason;
  char reason_text[96];
  char **accounts; /* account-skill roots that hold an installation, in the order found */
  size_t account_count;
  char **roots; /* every account-skill root */
  size_t root_count;
  char *home; /* "" when it is not known */
};
enum bt_code bt_skill_places_find(struct bt_skill_places *places, const struct bt_env *env,
                                  struct bt_error *err) BT_NODISCARD;
void bt_skill_places_dispose(struct bt_skill_places *places);
void bt_skill_where(const struct bt_skill_places *places, struct bt_str *out); /* what `where` prints */

/* ---- what (core/records/skill.c) ---- */

struct bt_skill_request {
  const struct bt_env *env;
  const struct bt_skill_places *places;
  const char *target;         /* the installation, absolute */
  const char *wanted_version; /* `latest` or a version */
  const char *own_version;
  bool force;
  /* Asks whether to go on; false where nobody can be asked (`*asked` false) or the answer is no. */
  bool (*confirm)(void *context, const struct bt_str *question, bool *asked);
  void *context;
};

/* Each appends its report to `out` and gives the exit status; a failure says why in `err` (message only). */
int bt_skill_install(const struct bt_skill_request *request, struct bt_str *out, struct bt_error *err) BT_NODISCARD;
int bt_skill_update(const struct bt_skill_request *request, struct bt_str *out, struct bt_error *err) BT_NODISCARD;
int bt_skill_remove(const struct bt_skill_request *request, struct bt_str *out, struct bt_error *err) BT_NODISCARD;
int bt_skill_verify(const struct bt_skill_request *request, struct bt_str *out, struct bt_error *err) BT_NODISCARD;
int bt_skill_list(const struct bt_env *env, const struct bt_skill_places *places, struct bt_str *out,
                  struct bt_error *err) BT_NODISCARD;

/* ---- the install manifest (core/records/skill_files.c) ---- */

struct bt_skill_file {
  const char *name;
  const unsigned char *bytes; /* NULL: the running program */
  size_t length;
  unsigned mode;
};
const struct bt_skill_file *bt_skill_files(size_t *count);
bool bt_skill_is_installed(const char *target);
/* The first word behind `version:`; nothing where there is none. */
void bt_skill_version(const char *target, struct bt_str *version);
/* Whether SKILL.md has a line that begins with `word`. */
bool bt_skill_has_line(const char *target, const char *word);
bool bt_skill_has_file(const char *target, const char *name);
char *bt_skill_path(const char *folder, const char *name); /* joined; NULL: out of memory; the caller frees */

#endif
