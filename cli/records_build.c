/* cli/records_build.c - `baton records build` and `adapt`. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/out.h"
#include "cli/records.h"
#include "core/base/fs.h"
#include "core/base/utf8.h"
#include "core/records/adapt.h"
#include "core/records/build.h"
#include "core/records/locate.h"

/* What was redacted, and what an earlier build left as it was. */
static void say_redactions(const struct records_args *args, const struct bt_build_report *report) {
  if (!args->redact)
    return;
  for (int kind = 0; kind < BT_REDACT_KIND_COUNT; kind++) {
    if (report->redactions[kind] > 0)
      fprintf(stderr, "handoff: redacted %llu x %s\n", (unsigned long long)report->redactions[kind],
              bt_redact_kind_words((enum bt_redact_kind)kind));
  }
  if (report->unredacted > 0)
    fprintf(stderr, "handoff: warning: %llu turns were in the timeline before and stay as they are\n",
            (unsigned long long)report->unredacted);
}

static void say_owner(const struct bt_build_report *report) {
  if (report->owner != NULL)
    out_say(
        "handoff: warning: this is the record of session \"%s\"; what it has up to its watermark is not taken again",
        report->owner);
}

static void fill_request(const struct records_args *args, struct bt_build_request *request) {
  request->session = records_flag(args, "--session");
  request->project = records_flag(args, "--project");
  request->harness = records_flag(args, "--harness");
  request->model = records_flag(args, "--model");
  request->objective = records_flag(args, "--objective");
  request->has_project_flag = records_has(args, "--project");
  request->force_harness = records_has(args, "--force-harness");
  request->force_model = records_has(args, "--force-model");
  request->redact = args->redact;
  request->program = "baton records";
}

static void say_passed_over(uint64_t unparsed, uint64_t unknown, bool left_last) {
  if (unparsed > 0 || unknown > 0)
    fprintf(stderr, "handoff: passed over %llu records that do not parse and %llu of an unknown kind\n",
            (unsigned long long)unparsed, (unsigned long long)unknown);
  if (left_last)
    fprintf(stderr, "handoff: what stands last may still change and is left for a later run\n");
}

/* `label` and the source's model stand in where the command line names none. */
static int build(const struct records_args *args, struct bt_build_source *source, const char *label,
                 struct bt_str *out) {
  struct bt_build_request request = {.source = source};
  struct bt_build_report report;
  struct bt_error err = {0};
  fill_request(args, &request);
  if (request.harness == NULL || request.harness[0] == '\0')
    request.harness = label;
  bt_build_report_init(&report);
  enum bt_code code = bt_build(args->records, &request, &report, &err);
  int status = code == BT_OK ? 0 : records_fail(&err);
  if (code == BT_OK) {
    if (args->cli->stdout_tty && report.out.length > 0) { /* one line, whatever the names in it hold */
      bt_text_visible(out, report.out.data, report.out.length - 1);
      bt_str_putc(out, '\n');
    } else {
      bt_str_append(out, report.out.data, report.out.length);
    }
    say_redactions(args, &report);
    say_owner(&report);
  }
  bt_build_report_dispose(&report);
  return status;
}

static int build_from_store(const struct records_args *args, struct bt_str *out) {
  struct bt_store_source store;
  struct bt_error err = {0};
  char *path = NULL;
  const char *harness;
  bool by_path;
  if (args->from == NULL || args->from[0] == '\0')
    return records_usage("usage: build --from <session id or file> [--harness label]");
  if (bt_locate_session(&args->cli->env, cli_env_raw(args->cli, args->from), records_flag(args, "--harness"), &path,
                        &harness, &by_path, &err) != BT_OK)
    return records_fail(&err);
  int status = bt_store_source_open(&store, harness, path, by_path ? args->from : NULL, &err) == BT_OK
                   ? build(args, &store.source, harness, out)
                   : records_fail(&err);
  say_passed_over(store.unparsed, store.unknown, store.left_last);
  bt_store_source_close(&store);
  free(path);
  return status;
}

static int build_from_file(const struct records_args *args, const char *name, struct bt_str *out) {
  struct bt_file_source file;
  struct bt_error err = {0};
  if (bt_file_source_open(&file, cli_env_raw(args->cli, name), name, &err) != BT_OK)
    return records_fail(&err);
  int status = build(args, &file.source, NULL, out);
  bt_file_source_close(&file);
  return status;
}

int records_build(struct records_args *args) {
  struct bt_str out;
  struct bt_error err = {0};
  const char *name = records_flag(args, "--source");
  bt_str_init(&out, (size_t)1 << 30);
  enum bt_code code = args->cli->env.readonly ? BT_OK : bt_migrate_legacy(args->records->root, &out, &err);
  if (name == NULL || name[0] == '\0')
    name = records_word(args, 1);
  int status;
  if (code != BT_OK)
    status = records_fail(&err);
  else if (args->has_from)
    status = build_from_store(args, &out);
  else if (name == NULL)
    status = records_usage("usage: build --source <file> [--session id] [--harness n] [--model m] [--project name] "
                           "[--objective text] [--redact]");
  else
    status = build_from_file(args, name, &out);
  int printed = records_print(args, &out);
  bt_str_dispose(&out);
  return status != 0 ? status : printed;
}

/* ---- adapt ---- */

static enum bt_code print_line(void *context, const char *line, size_t length, struct bt_error *err) {
  (void)context;
  return fwrite(line, 1, length, stdout) == length
             ? BT_OK
             : bt_error_set(err, BT_IO, "stdout", "standard output cannot be written");
}

/* The first word that is neither a flag nor a flag's value. */
static const char *file_word(const struct records_args *args) {
  for (int i = 1; i < args->count; i++) {
    if (bt_text_equals(args->words[i], "--harness"))
      i++;
    else if (!bt_text_equals(args->words[i], "--over"))
      return args->words[i];
  }
  return NULL;
}

int records_adapt(struct records_args *args) {
  const char *harness = records_flag(args, "--harness"), *name = file_word(args);
  struct bt_adapt_report report = {0};
  struct bt_error err = {0};
  struct bt_str path;
  if (harness == NULL || harness[0] == '\0' || name == NULL || name[0] == '\0')
    return records_usage("usage: adapt --harness <label> [--over] <file>");
  bt_str_init(&path, (size_t)1 << 20);
  enum bt_code code = bt_path_resolve(&path, args->cli->env.cwd, cli_env_raw(args->cli, name));
  struct bt_adapt_request request = {
      .harness = harness, .path = path.data, .name = name, .is_over = records_has(args, "--over")};
  if (code == BT_OK)
    code = bt_adapt(&request, print_line, NULL, &report, &err);
  int status = code == BT_OK ? out_flush() : records_fail(&err);
  if (code == BT_OK)
    say_passed_over(report.unparsed, report.unknown, report.left_last);
  if (code == BT_OK && report.lines == 0) {
    out_say("handoff: no lines came of %s", name);
    status = 4;
  }
  bt_adapt_report_dispose(&report);
  bt_str_dispose(&path);
  return status;
}
