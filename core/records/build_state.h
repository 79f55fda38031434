/* core/records/build_state.h - the inside of a running build. For core/records/build*.c only. */
#ifndef BATON_CORE_RECORDS_BUILD_STATE_H
#define BATON_CORE_RECORDS_BUILD_STATE_H

#include <pthread.h>

#include "core/base/clock.h"
#include "core/records/append.h"
#include "core/records/build.h"
#include "core/records/index.h"

struct bt_old_reading {
  pthread_t thread;
  bool is_running; /* else everything below is settled */
  double turn_count;
  bool keep_extra;
  enum bt_code code;
  struct bt_error err;
};

struct bt_build {
  const struct bt_records *records;
  const struct bt_build_request *request;
  struct bt_build_report *report;
  struct bt_error err; /* where everything below says what went wrong */
  char now[BT_ISO_MS];

  int root, dir; /* -1: not there (yet) */
  bool made_project, made_session;
  struct bt_store_lock lock;
  int64_t lock_range;
  bool is_locked;

  char *id, *project, *folder; /* project and folder as the file system has them */
  char *project_text;
  struct bt_json *manifest;
  bool is_new;  /* the manifest is not on disk */
  bool is_torn; /* some renders have their names, and the rest cannot have them: the lines stay, as after a kill */
  bool was_cut_short; /* a verb was killed in the middle of its renders: this build makes them again in any case */
  double watermark, highest;
  enum bt_code placed;     /* BT_OK, or why the source has no place in the store */
  bool is_found;           /* the index was asked for the place: a failure from here on leaves it remade (8.7) */
  struct bt_error unsound; /* what is wrong with the timeline that is there; an unchanged source never meets it (7.7) */
  uint64_t turns;          /* usable turns of the source, fresh or not */
  char raw_sha256[BT_SHA256_HEX];

  struct bt_intake *intake;
  bool hash_only, want_all, keep_extra; /* how this pass goes, how the next one must */
  struct bt_gist gist;
  struct bt_append append;
  bool has_append;
  uint64_t old_lines; /* of the timeline before this build */
  struct bt_old_reading old_reading;
  struct bt_str redacted, printed;
  struct bt_redact_list redactions;
};

/* core/records/build_place.c: session id, project, folder, manifest, lock (7.2-7.5). The intake's on_head. */
enum bt_code bt_build_place(struct bt_build *build, const char *session, const char *thread);
/* Makes the folders and takes the lock, if that is still to do. */
enum bt_code bt_build_claim(struct bt_build *build);
/* Takes back folders that this build made and left empty. */
void bt_build_unclaim(struct bt_build *build);

/* core/records/build_old.c: the timeline that is there is read into `append` and `gist`, a long one on a thread of its
 * own beside the source, of which most is known already. Until bt_build_old_is_read has returned, nobody else may touch
 * `append`, `gist`, `old_lines` or `unsound`. It waits; its code is that of the reading. Every pass calls it. */
enum bt_code bt_build_read_old(struct bt_build *build);
enum bt_code bt_build_old_is_read(struct bt_build *build);

/* core/records/build_finish.c: manifest, renders, everything in place (7.6, 7.8, 8). */
enum bt_code bt_build_finish(struct bt_build *build);

/* Remakes INDEX.json under the store's lock. */
enum bt_code bt_build_index(struct bt_build *build);

/* core/records/project.c: PROJECT.md, suggestion, links (8.8, 8.9). `notes`: how many link notes were written.
 * `suggestion` gets the name, or nothing. */
enum bt_code bt_project_note(struct bt_build *build, const char *objective, unsigned *notes, struct bt_str *suggestion);

#endif
