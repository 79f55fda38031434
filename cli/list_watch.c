/* cli/list_watch.c - waiting for the ledger, and for the sessions that only transcripts tell of. */
#include "cli/list_watch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/config.h"
#include "cli/out.h"
#include "cli/ui.h"

#define LOOK_AGAIN_MS 5000 /* transcripts send no word to the ledger's watch */
#define INTERVAL_MS 2000.0 /* of --frames without --interval */
#define INTERVAL_MAX_MS 86400000.0

static bool parse_number(const char *text, double least, double most, double *number) {
  char *end;
  if (!text)
    return true;
  *number = strtod(text, &end);
  return end != text && *end == '\0' && isfinite(*number) && *number >= least && *number <= most;
}

enum bt_code list_watch_check(const struct list_watch *flags, const struct look *look, struct bt_error *err) {
  double number = 0;
  if (flags->watch && look->import)
    return bt_error_set(err, BT_USAGE, "--watch", "a file does not change: --watch goes without --import");
  if (flags->jsonl && look->json)
    return bt_error_set(err, BT_USAGE, "--jsonl", "--json and --jsonl exclude each other");
  if (flags->watch && look->json)
    return bt_error_set(err, BT_USAGE, "--watch", "--watch is many documents: use --jsonl");
  if (!flags->watch && (flags->frames || flags->interval))
    return bt_error_set(err, BT_USAGE, "--watch", "--frames and --interval go with --watch");
  if (!parse_number(flags->frames, 1, 1e9, &number) || number != floor(number))
    return bt_error_set(err, BT_USAGE, "--frames", "--frames wants a number from 1");
  if (!parse_number(flags->interval, 0.1, INTERVAL_MAX_MS / 1000, &number))
    return bt_error_set(err, BT_USAGE, "--interval", "--interval wants seconds, 0.1 or more");
  return BT_OK;
}

struct watching {
  struct cli_env *cli;
  struct look *look;
  unsigned load_flags;
  struct ui_watch *watch;
  struct ui_notify *notify;
  double interval_ms; /* 0: only on a change */
  bool jsonl;
  uint64_t (*shown)(const struct look *look, bool line);
  uint64_t printed; /* what was shown last */
};

/* Reads again; `differs`: what would be printed is not what was. */
static enum bt_code reload(struct watching *watching, bool *differs, struct bt_error *err) {
  struct bt_snapshot *next;
  enum bt_code code = look_load(watching->cli, watching->load_flags, watching->look->all, &next, err);
  if (code != BT_OK)
    return code;
  ui_notify_changes(watching->notify, watching->look->snapshot, next);
  bt_snapshot_free(watching->look->snapshot);
  watching->look->snapshot = next;
  *differs = watching->shown(watching->look, watching->jsonl) != watching->printed;
  return BT_OK;
}

/* Until the next frame is due; returns the exit status of a failure, else 0. */
static int wait_for_frame(struct watching *watching) {
  struct bt_error err = {.code = BT_OK};
  double waited = 0;
  for (;;) {
    double step = watching->interval_ms > 0 && watching->interval_ms - waited < LOOK_AGAIN_MS
                      ? watching->interval_ms - waited
                      : LOOK_AGAIN_MS;
    bool told = ui_watch_wait(watching->watch, (int)step);
    bool differs = false;
    if (reload(watching, &differs, &err) != BT_OK)
      return out_error(&err);
    waited = told ? waited : waited + step;
    if (ui_watch_closed(watching->watch) || told || differs ||
        (watching->interval_ms > 0 && waited >= watching->interval_ms))
      return 0;
  }
}

int list_watch_run(struct cli_env *cli, const struct list_watch *flags, struct look *look, unsigned load_flags,
                   int (*print)(const struct look *look, bool line),
                   uint64_t (*shown)(const struct look *look, bool line)) {
  struct bt_error err = {.code = BT_OK};
  double frames = 0, seconds = flags->frames ? INTERVAL_MS / 1000 : 0;
  struct config config;
  (void)parse_number(flags->frames, 1, 1e9, &frames);
  (void)parse_number(flags->interval, 0.1, INTERVAL_MAX_MS / 1000, &seconds);
  config_load(cli, &config);
  struct watching watching = {cli, look, load_flags, NULL, NULL, seconds * 1000, flags->jsonl, shown, 0};
  watching.watch = ui_watch_new(cli, config_is(&config, CONFIG_INOTIFY, "on"), &err);
  watching.notify = ui_notify_new(config.values[CONFIG_ON_BLOCKED].text);
  int status = watching.watch ? 0 : out_error(&err);
  for (double frame = 1; status == 0; frame++) {
    watching.printed = shown(look, flags->jsonl);
    status = print(look, flags->jsonl);
    if (status != 0 || ferror(stdout) || frame == frames)
      break;
    if (!flags->jsonl)
      printf("\n");
    fflush(stdout);
    status = wait_for_frame(&watching);
    if (ferror(stdout) || ui_watch_closed(watching.watch))
      break;
  }
  ui_watch_free(watching.watch);
  ui_notify_free(watching.notify);
  config_dispose(&config);
  return status;
}
