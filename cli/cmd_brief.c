/* cli/cmd_brief.c - `baton brief SESSION`: the brief in visible form, or how it differs from the copy that is kept. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/cmd.h"
#include "cli/json_out.h"
#include "cli/look.h"
#include "cli/options.h"
#include "cli/out.h"
#include "core/base/clock.h"
#include "core/base/fs.h"
#include "core/base/utf8.h"
#include "core/store/brief_diff.h"
#include "core/store/capture.h"

#define SHOWN_MAX ((size_t)64 << 20)

/* Visible form line by line: the text is a session's, on a terminal and in a pipe. */
static int print_visible(const char *text) {
  struct bt_str out;
  struct bt_error err = {0};
  bt_str_init(&out, SHOWN_MAX);
  for (const char *line = text; *line != '\0';) {
    size_t length = strcspn(line, "\n");
    bt_text_visible(&out, line, length);
    bt_str_putc(&out, '\n');
    line += length + (line[length] == '\n');
  }
  if (out.failed)
    (void)bt_error_set(&err, BT_NOMEM, "brief", "out of memory");
  int status = out.failed ? out_error(&err) : out_text(&out);
  bt_str_dispose(&out);
  return status;
}

static void put_head(struct json_out *json, const struct bt_session *session, const struct bt_capture *brief) {
  json_begin(json);
  json_integer(json, "schema_version", 1);
  json_text(json, "session", session->id);
  json_text(json, "brief", bt_brief_word(brief ? brief->status : BT_BRIEF_NONE));
  json_text(json, "path", brief ? brief->path : NULL);
  json_text(json, "expected_hash", brief ? brief->expected_hash : NULL);
  json_text(json, "actual_hash", brief ? brief->actual_hash : NULL);
  json_bool(json, "brief_reviewed", brief && brief->reviewed);
  json_time(json, "brief_reviewed_at", brief && brief->reviewed ? brief->reviewed_ms : BT_TIME_UNKNOWN);
}

static int print_text(const struct bt_session *session, const struct bt_str *body, bool as_json) {
  struct json_out json;
  if (!as_json)
    return print_visible(body->data);
  put_head(&json, session, session->capture);
  json_text(&json, "text", body->data);
  return json_end(&json);
}

static int print_diff(const struct bt_session *session, const struct bt_brief_diff *diff, bool as_json) {
  struct json_out json;
  if (!as_json)
    return print_visible(diff->text);
  put_head(&json, session, session->capture);
  json_open(&json, "against", '{');
  json_text(&json, "copy", bt_copy_word(diff->against));
  json_text(&json, "hash", diff->old_hash);
  json_time(&json, "kept_at", diff->kept_ms);
  json_close(&json, '}');
  json_bool(&json, "changed", diff->added + diff->removed > 0);
  json_integer(&json, "added", (int64_t)diff->added);
  json_integer(&json, "removed", (int64_t)diff->removed);
  json_text(&json, "diff", diff->text);
  return json_end(&json);
}

static enum bt_code read_body(int ledger, const struct bt_session *session, struct bt_str *body, struct bt_error *err) {
  const char *error = NULL;
  enum bt_code code = bt_capture_read(ledger, session->id, body, NULL, &error, err);
  if (code == BT_OK && error != NULL)
    code = strcmp(error, "missing") == 0
               ? bt_error_set(err, BT_MISSING, session->id, "%s has no brief", session->id)
               : bt_error_set(err, BT_STATE, session->id, "the brief of %s cannot be read: %s", session->id, error);
  return code;
}

static int show(const struct bt_env *env, const struct bt_session *session, bool diff, bool json) {
  struct bt_error err = {0};
  struct bt_str body;
  struct bt_brief_diff *made = NULL;
  int ledger = bt_fs_open_root(env->ledger_dir, &err);
  if (ledger < 0)
    return out_error(&err);
  bt_str_init(&body, 3 * ((size_t)64 << 10));
  enum bt_code code = read_body(ledger, session, &body, &err);
  if (code == BT_OK && diff)
    code = bt_brief_diff_load(env, ledger, session->id, session->capture ? session->capture->expected_hash : NULL,
                              &made, &err);
  int status = code != BT_OK ? out_error(&err)
               : diff        ? print_diff(session, made, json)
                             : print_text(session, &body, json);
  bt_brief_diff_free(made);
  bt_str_dispose(&body);
  close(ledger);
  return status;
}

int cmd_brief(struct cli_env *cli, int argc, char **argv) {
  struct look look;
  struct bt_error err = {0};
  bool diff = false;
  int status;
  const struct option_spec extra[] = {
      {"diff", NULL, &diff, NULL,
       "how it differs from the copy that is kept: the verified one, else the one that was read"}};
  if (look_begin_with(cli, argc, argv, "baton brief SESSION [--diff] [--json] [--dir PATH]",
                      "The brief of a session in visible form; --json has it exactly as it is.", true, 0, extra, 1,
                      &look, &status) == LOOK_DONE)
    return status;
  const struct bt_session *session = look_session(look.snapshot, look.subject);
  if (look.import)
    (void)bt_error_set(&err, BT_STATE, look.import, "a snapshot holds no briefs");
  else if (!session)
    (void)bt_error_set(&err, BT_MISSING, look.subject, "no record of the ledger names it");
  status = err.code != BT_OK ? out_error(&err) : show(&cli->env, session, diff, look.json);
  bt_snapshot_free(look.snapshot);
  return status;
}
