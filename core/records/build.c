/* core/records/build.c - the course of a build (build.h). */
#include "core/records/build.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/fs.h"
#include "core/base/utf8.h"
#include "core/records/build_state.h"
#include "core/records/manifest.h"
#include "core/records/printed.h"

void bt_build_report_init(struct bt_build_report *report) {
  memset(report, 0, sizeof *report);
  bt_str_init(&report->out, (size_t)1 << 30);
}

void bt_build_report_dispose(struct bt_build_report *report) {
  bt_str_dispose(&report->out);
  free(report->folder);
  free(report->id);
  free(report->project);
  free(report->owner);
  report->folder = report->id = report->project = report->owner = NULL;
}

/* ---- what the intake finds ---- */

/* The intake's `err` is the build's own (see run_pass). A refusal waits for the first usable turn: that there is none
 * is told before it (7, steps 3 to 5). */
static enum bt_code on_head(void *context, const char *session, const char *thread, struct bt_error *err) {
  (void)err;
  struct bt_build *build = context;
  build->placed = bt_build_place(build, session, thread);
  return build->placed == BT_NOMEM ? BT_NOMEM : BT_OK;
}

static enum bt_code on_seq(void *context, double seq, bool *wanted, struct bt_error *err) {
  (void)err;
  struct bt_build *build = context;
  build->turns++;
  if (build->placed != BT_OK)
    return build->placed;
  if (seq > build->highest)
    build->highest = seq;
  *wanted = seq > build->watermark;
  return BT_OK;
}

/* The same turn with secrets taken out of its text. `count`: what was taken out is reported. */
static enum bt_code redact(struct bt_build *build, struct bt_record_turn *turn, bool count) {
  struct bt_str text;
  bt_str_init(&text, BT_TURN_LINE_MAX);
  bt_printed_text(&text, turn->text);
  bt_str_clear(&build->redacted);
  build->redactions.count = 0;
  enum bt_code code =
      text.failed ? BT_NOMEM : bt_redact(&build->redacted, text.data, text.length, &build->redactions, &build->err);
  if (code == BT_OK) {
    bt_str_clear(&build->printed);
    bt_printed_put(&build->printed, build->redacted.data, build->redacted.length);
    turn->text = (struct bt_slice){build->printed.data, build->printed.length};
    for (size_t i = 0; count && i < build->redactions.count; i++)
      build->report->redactions[build->redactions.kinds[i]]++;
    code = build->printed.failed ? BT_NOMEM : BT_OK;
  }
  bt_str_dispose(&text);
  return code == BT_NOMEM ? bt_error_set(&build->err, code, "", "out of memory") : code;
}

static enum bt_code on_turn(void *context, double seq, const struct bt_record_turn *turn, struct bt_error *err) {
  (void)seq, (void)err;
  struct bt_build *build = context;
  struct bt_record_turn redacted = *turn;
  if (bt_build_old_is_read(build) != BT_OK)
    return build->err.code;
  if (build->unsound.code != BT_OK) {
    build->err = build->unsound;
    return build->err.code;
  }
  if (build->request->look_only) {
    build->report->fresh++;
    return BT_OK;
  }
  bool want = build->request->redact, compares = bt_append_compares(&build->append);
  enum bt_code code = want || compares ? redact(build, &redacted, want) : BT_OK;
  if (code == BT_OK)
    code = bt_build_claim(build);
  if (code == BT_OK)
    code = bt_append_turn(&build->append, want ? &redacted : turn,
                          !compares ? NULL
                          : want    ? turn
                                    : &redacted,
                          &build->err);
  build->report->fresh++;
  return code;
}

/* ---- one pass over the source ---- */

static void forget_pass(struct bt_build *build, bool keep) {
  if (build->has_append)
    bt_append_dispose(&build->append, keep);
  build->has_append = false;
  bt_intake_free(build->intake);
  build->intake = NULL;
  bt_gist_dispose(&build->gist);
  bt_json_free(build->manifest);
  build->manifest = NULL;
  free(build->id);
  free(build->project);
  free(build->project_text);
  free(build->folder);
  build->id = build->project = build->project_text = build->folder = NULL;
  if (build->dir >= 0)
    (void)close(build->dir);
  build->dir = -1;
  build->hash_only = build->is_new = build->is_found = build->was_cut_short = false;
  build->placed = BT_OK;
  build->unsound = (struct bt_error){0};
}

static enum bt_code run_pass(struct bt_build *build) {
  static const struct bt_intake_ops ops = {.on_head = on_head, .on_seq = on_seq, .on_turn = on_turn};
  struct bt_build_source *source = build->request->source;
  source->give_up = build->records->env->give_up;
  build->intake = bt_intake_new(source->is_jsonl, &ops, build);
  if (build->intake == NULL)
    return bt_error_set(&build->err, BT_NOMEM, "", "out of memory");
  enum bt_code code = source->pump(source, build->intake, &build->err);
  if (code == BT_OK)
    code = bt_intake_finish(build->intake, build->raw_sha256, &build->err);
  struct bt_error first = build->err;
  enum bt_code old = bt_build_old_is_read(build); /* in any case: nothing is read any more behind a pass */
  if (code == BT_OK)
    return old;
  build->err = first;
  return code;
}

static bool same_bytes(const struct bt_build *build) {
  return bt_text_equals(bt_json_get_string(build->manifest, "raw_sha256"), build->raw_sha256);
}

static enum bt_code say_up_to_date(struct bt_build *build) {
  struct bt_str *out = &build->report->out;
  build->report->up_to_date = true;
  bt_str_puts(out, "handoff: up-to-date (");
  bt_utf8_encode8(out, build->id, strlen(build->id));
  bt_str_puts(out, ", watermark ");
  bt_json_print_number(out, bt_manifest_number(build->manifest, "watermark"));
  bt_str_puts(out, ", rev ");
  bt_json_print_number(out, bt_manifest_number(build->manifest, "revisions"));
  bt_str_puts(out, ")\n");
  return bt_build_index(build);
}

/* A look ends here: what there is, and what a build would add to it. */
static enum bt_code tell(struct bt_build *build) {
  struct bt_build_report *report = build->report;
  const char *sealed = bt_json_get_string(build->manifest, "manifest_sha256");
  double count = 0;
  report->id = strdup(build->id);
  report->project = strdup(build->project_text);
  report->is_new = build->is_new;
  report->up_to_date = report->fresh == 0 && same_bytes(build) && !build->was_cut_short;
  report->before =
      bt_json_number(bt_json_get(build->manifest, "turn_count"), &count) && count > 0 ? (uint64_t)count : 0;
  report->revision = bt_manifest_number(build->manifest, "revisions");
  if (sealed != NULL && strlen(sealed) < sizeof report->sealed)
    memcpy(report->sealed, sealed, strlen(sealed) + 1);
  return report->id != NULL && report->project != NULL ? BT_OK
                                                       : bt_error_set(&build->err, BT_NOMEM, "", "out of memory");
}

/* What the whole pass came to. BT_STALE: it must be made again, in another way. */
static enum bt_code conclude(struct bt_build *build) {
  if (build->hash_only && !same_bytes(build))
    return BT_STALE;
  if (build->hash_only)
    return build->request->look_only ? tell(build) : say_up_to_date(build);
  if (build->turns == 0)
    return bt_error_set(&build->err, BT_MISSING, build->request->source->name, "no usable turns parsed from %s",
                        build->request->source->name);
  bool is_unchanged = build->report->fresh == 0 && same_bytes(build) && !build->was_cut_short;
  if (!is_unchanged && build->unsound.code != BT_OK) {
    build->err = build->unsound;
    return build->err.code;
  }
  if (build->request->look_only)
    return tell(build);
  return is_unchanged ? say_up_to_date(build) : bt_build_finish(build);
}

static enum bt_code set_folder(struct bt_build *build) {
  struct bt_str path;
  bt_str_init(&path, (size_t)1 << 30);
  bt_str_printf(&path, "%s/" BT_PROJECTS_NAME "/%s/%s", build->records->root, build->project, build->folder);
  free(build->report->folder);
  build->report->folder = bt_str_take(&path, NULL);
  return build->report->folder != NULL ? BT_OK : bt_error_set(&build->err, BT_NOMEM, "", "out of memory");
}

static enum bt_code run(struct bt_build *build) {
  enum bt_code code = BT_STALE;
  for (int pass = 0; code == BT_STALE && pass < 4; pass++) {
    forget_pass(build, false);
    build->turns = build->report->fresh = 0;
    memset(build->report->redactions, 0, sizeof build->report->redactions);
    code = run_pass(build);
    if (code == BT_OK && build->placed == BT_OK)
      code = set_folder(build);
    if (code == BT_OK)
      code = conclude(build);
    build->want_all = build->want_all || (code == BT_STALE && build->hash_only);
    build->keep_extra = build->keep_extra || (code == BT_STALE && !build->hash_only && !build->append.was_cut);
  }
  return code;
}

/* The index is remade even where the build fails once it had looked its place up there (7.4, 8.7). */
static void leave_index(struct bt_build *build) {
  struct bt_error err = build->err;
  bool is_told =
      err.code != BT_BUSY && err.code != BT_NOMEM && err.code != BT_STATE; /* a stopped build leaves nothing */
  if (is_told && build->is_found && build->turns > 0 && !build->request->look_only)
    (void)bt_build_index(build);
  build->err = err;
}

enum bt_code bt_build(const struct bt_records *records, const struct bt_build_request *request,
                      struct bt_build_report *report, struct bt_error *err) {
  struct bt_build build = {
      .records = records, .request = request, .report = report, .root = -1, .dir = -1, .lock.fd = -1};
  if (records->env->readonly && !request->look_only)
    return bt_error_set(err, BT_READONLY, "build", "baton runs with --readonly: nothing is built");
  bt_gist_init(&build.gist);
  bt_str_init(&build.redacted, BT_TURN_LINE_MAX);
  bt_str_init(&build.printed, BT_TURN_LINE_MAX);
  bt_redact_list_init(&build.redactions);
  bt_time_iso(build.now, bt_env_now(records->env));
  build.root = bt_fs_open_root(records->root, NULL);
  enum bt_code code = run(&build);
  report->turns = build.gist.turns;
  if (request->redact)
    report->unredacted = build.old_lines;
  if (code != BT_OK && build.has_append) { /* what was added is cut off before its folder is taken back */
    bt_append_dispose(&build.append, build.is_torn);
    build.has_append = false;
    bt_build_unclaim(&build);
  }
  if (code != BT_OK)
    leave_index(&build);
  forget_pass(&build, code == BT_OK);
  if (err != NULL && code != BT_OK)
    *err = build.err;
  bt_str_dispose(&build.redacted);
  bt_str_dispose(&build.printed);
  bt_redact_list_dispose(&build.redactions);
  bt_store_lock_release(&build.lock);
  if (build.root >= 0)
    (void)close(build.root);
  return code;
}
