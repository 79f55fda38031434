/* cli/records_build.c - `baton records build` and `adapt`. */
#include <stdio.h>
#include <string.h>

#include "cli/out.h"
#include "cli/records.h"
#include "core/records/build.h"

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

static int build(const struct records_args *args, struct bt_build_source *source, struct bt_str *migrated) {
  struct bt_build_request request = {.source = source};
  struct bt_build_report report;
  struct bt_error err = {0};
  fill_request(args, &request);
  bt_build_report_init(&report);
  enum bt_code code = bt_build(args->records, &request, &report, &err);
  int status = code == BT_OK ? 0 : records_fail(&err);
  if (code == BT_OK) {
    bt_str_append(migrated, report.out.data, report.out.length);
    say_redactions(args, &report);
  }
  bt_build_report_dispose(&report);
  return status;
}

int records_build(struct records_args *args) {
  struct bt_str out;
  struct bt_error err = {0};
  struct bt_file_source file = {.fd = -1};
  const char *name = records_flag(args, "--source");
  bt_str_init(&out, (size_t)1 << 30);
  enum bt_code code = args->cli->env.readonly ? BT_OK : bt_migrate_legacy(args->records->root, &out, &err);
  if (name == NULL || name[0] == '\0')
    name = records_word(args, 1);
  int status;
  if (code != BT_OK)
    status = records_fail(&err);
  else if (name == NULL)
    status = records_usage("usage: build --source <file> [--session id] [--harness n] [--model m] [--project name] "
                           "[--objective text] [--redact]");
  else if (bt_file_source_open(&file, cli_env_raw(args->cli, name), name, &err) != BT_OK)
    status = records_fail(&err);
  else
    status = build(args, &file.source, &out);
  int printed = records_print(args, &out);
  bt_file_source_close(&file);
  bt_str_dispose(&out);
  return status != 0 ? status : printed;
}
