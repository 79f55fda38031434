/* tests/support/beside.c - rows and states that no repository had. */
#include "tests/support/beside.h"

#include "core/base/arena.h"
#include "core/base/clock.h"

#define OLD_HEAD "c1f0a2b3c4d5e6f708192a3b4c5d6e7f80910212"
#define NEW_HEAD "d9e8f7a6b5c4d3e2f1a0b9c8d7e6f5a4b3c2d1e0"
#define MINUTE_MS 60000

static struct bt_delivery_words words(const char *const *items, size_t count) {
  return (struct bt_delivery_words){items, count};
}

static struct bt_delivery_row open_row(int64_t now_ms, const char *name, const char *tree) {
  static const char *const directive[] = {"Ship the pager fix: open the pull request and merge it once it is green.",
                                          "Do not deploy."};
  return (struct bt_delivery_row){.tree = tree,
                                  .name = name,
                                  .source = "file",
                                  .path = ".verified-delivery/handoff.json",
                                  .governed = true,
                                  .directive =
                                      "Ship the pager fix: open the pull request and merge it once it is green.\n"
                                      "Do not deploy.",
                                  .directive_lines = words(directive, 2),
                                  .repository = "github.com/acme/payments-api",
                                  .branch = "fix/pager",
                                  .head = OLD_HEAD,
                                  .live_head = OLD_HEAD,
                                  .stop_reason = "tool-limit",
                                  .pr_taken_ms = BT_TIME_UNKNOWN,
                                  .updated_ms = now_ms - 12 * MINUTE_MS};
}

static struct bt_delivery_row to_reconcile(int64_t now_ms) {
  static const char *const reasons[] = {"head:advanced"}, *const pending[] = {"ci-green", "merge"};
  static const char *const warnings[] = {"later-step-unauthorized:merge"};
  static const char *const granted[] = {"open-pr"}, *const withheld[] = {"deploy"};
  static const struct bt_delivery_mark done[] = {{"change-ready", "pass", "tests at " OLD_HEAD, true},
                                                 {"pr-open", "pass", "#42", false}};
  static const struct bt_delivery_watcher watchers[] = {{"ci-watch:pr-42@" OLD_HEAD, "unknown", false},
                                                        {"pid:48211@build-07", "dead", true}};
  struct bt_delivery_row row = open_row(now_ms, "payments-api", "/home/op/w/payments-api");
  row.verdict = "reconcile:head";
  row.exit_status = 3;
  row.next_step = "ci-green";
  row.live_head = NEW_HEAD;
  row.reasons = words(reasons, 1);
  row.warnings = words(warnings, 1);
  row.pending = words(pending, 2);
  row.done = done;
  row.done_count = 2;
  row.invalid_count = 1;
  row.watchers = watchers;
  row.watcher_count = 2;
  row.dead_count = 1;
  row.authorized = words(granted, 1);
  row.withheld = words(withheld, 1);
  row.stop_reason = "boundary-stop";
  row.stop_detail = "the owner asked for\x1b[31m a second look";
  return row;
}

static struct bt_delivery_row usable(int64_t now_ms) {
  static const char *const pending[] = {"merge"}, *const directive[] = {"Merge it\x1b[31m now"};
  struct bt_delivery_row row = open_row(now_ms, "payments-api-hot", "/home/op/w/payments-api-hot");
  row.verdict = "usable";
  row.next_step = "merge";
  row.pr_number = "41";
  row.pr_state = "open";
  row.pr_taken_ms = now_ms;
  row.pending = words(pending, 1);
  row.directive = directive[0];
  row.directive_lines = words(directive, 1);
  return row;
}

static struct bt_delivery_row unknown_or_merged(int64_t now_ms, bool forge) {
  static const char *const unasked[] = {"pr:no-snapshot"}, *const merged[] = {"pr:merged"};
  static const char *const pending[] = {"post-merge-verify"};
  struct bt_delivery_row row = open_row(now_ms, "wt-7", "/home/op/w/wt-7");
  row.verdict = forge ? "reconcile:merged" : "ambiguous-live-state";
  row.exit_status = forge ? 3 : 7;
  row.reasons = words(forge ? merged : unasked, 1);
  row.next_step = "post-merge-verify";
  row.pr_number = "7";
  row.pr_state = forge ? "merged" : NULL;
  row.pr_taken_ms = forge ? now_ms : BT_TIME_UNKNOWN;
  row.pending = words(pending, 1);
  row.live_head = NULL;
  row.forge_text = forge ? "{\"state\": \"MERGED\"}" : NULL;
  return row;
}

struct bt_delivery_view *beside_deliveries(int64_t now_ms, bool forge) {
  static const char *const faults[] = {"missing:branch", "value:updated_at"};
  struct bt_arena *arena = bt_arena_new(1 << 20);
  struct bt_delivery_view *view = BT_ARENA_NEW(arena, struct bt_delivery_view);
  struct bt_delivery_row *rows = BT_ARENA_ARRAY(arena, struct bt_delivery_row, 6);
  rows[0] = to_reconcile(now_ms);
  rows[1] = usable(now_ms);
  rows[2] = unknown_or_merged(now_ms, forge);
  rows[3] = (struct bt_delivery_row){.tree = "/home/op/w/wt-8",
                                     .name = "wt-8",
                                     .source = "file",
                                     .path = ".verified-delivery/handoff.json",
                                     .verdict = "corrupt",
                                     .exit_status = 5,
                                     .reasons = words(faults, 2),
                                     .updated_ms = BT_TIME_UNKNOWN};
  rows[4] = (struct bt_delivery_row){.tree = "/home/op/w/wt-9",
                                     .name = "wt-9",
                                     .source = "none",
                                     .verdict = "absent",
                                     .exit_status = 9,
                                     .updated_ms = BT_TIME_UNKNOWN};
  rows[5] = (struct bt_delivery_row){.tree = "/home/op/gone", .name = "gone", .error = "/home/op/gone: no such folder"};
  *view = (struct bt_delivery_view){
      .arena = arena, .taken_at_ms = now_ms, .forge_asked = forge, .rows = rows, .count = 6, .open_count = 3};
  return view;
}

void beside_handovers(struct bt_snapshot *snapshot) {
  static const enum bt_ask_state states[] = {BT_ASK_STATE_ARMED,   BT_ASK_STATE_DUE,     BT_ASK_STATE_ASKED,
                                             BT_ASK_STATE_WRITTEN, BT_ASK_STATE_REARMED, BT_ASK_STATE_UNKNOWN};
  static const struct bt_handover_record records[] = {
      {"handover", ".ai/local/state/handovers/2026-10-09-a.md", INT64_C(1791555000000), true},
      {"checkpoint", ".ai/local/state/checkpoints/c-17.json", INT64_C(1791554000000), false}};
  size_t count = sizeof states / sizeof *states;
  count = count < snapshot->session_count ? count : snapshot->session_count;
  struct bt_handover *items = BT_ARENA_ARRAY(snapshot->arena, struct bt_handover, count + 1);
  for (size_t i = 0; i < count; i++) {
    enum bt_ask_state state = states[i];
    items[i] = (struct bt_handover){.session = snapshot->sessions[i].id,
                                    .root = "/home/op/w/payments-api",
                                    .state = state,
                                    .measured = state != BT_ASK_STATE_UNKNOWN,
                                    .fill = state == BT_ASK_STATE_ARMED ? 81500 : 151000,
                                    .window = 200000,
                                    .line = 140000,
                                    .cause = state == BT_ASK_STATE_REARMED ? "compaction" : NULL,
                                    .asked_ms = snapshot->taken_at_ms - 9 * MINUTE_MS,
                                    .written_path = state == BT_ASK_STATE_WRITTEN ? records[0].path : NULL,
                                    .compacted_before_written = state == BT_ASK_STATE_ASKED,
                                    .records = records,
                                    .record_count = state == BT_ASK_STATE_WRITTEN ? 2 : 0};
  }
  snapshot->handovers = items;
  snapshot->handover_count = count;
  snapshot->handovers_shown = true;
  snapshot->handover_mod = (struct bt_handover_mod){"wired", "mod:not-seen-loaded"};
}
