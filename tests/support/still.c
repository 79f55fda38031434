/* tests/support/still.c - the constant snapshots and plans. */
#include "tests/support/still.h"

#include "core/base/clock.h"

#define MIN INT64_C(60000)
#define HOUR (60 * MIN)
#define DAY (24 * HOUR)
#define AGO(ms) (STILL_NOW_MS - (ms))
#define COUNT(array) (sizeof(array) / sizeof *(array))
#define HASH_A "3f9c0b6d1e2f4a5b8c7d9e0f1a2b3c4d5e6f708192a3b4c5d6e7f8091a2ba017"
#define HASH_B "77b0c1d2e3f405162738495a6b7c8d9eafb0c1d2e3f405162738495a6b7c91fe"

/* clang-format off: tables that are packed by hand */
static const char brief_text[] =
    "## Ticket\n- id: T-118\n- title: Rotate auth tokens\n\n## State\n- branch: feat/auth-rotate\n**Working tree**\n"
    " M src/auth/rotate.c\n M src/auth/store.c\n?? tests/rotate_test.c\n**Flail signals**\n"
    "- same test failed 4 times (tests/rotate_test.c)\n\n## Evidence\n- spec-lint pass seq 41\n- hollow-test pass seq 44\n"
    "\n## Model handoff\nDone: store.c migrated, 11 of 14 tests pass.\n"
    "Remaining: clock-skew case; rotate() leaks on error when the second key of a pair cannot be read, which only shows "
    "up when the key ring holds exactly one entry that has expired in the meantime.\n"
    "Dead ends: mocking time() via LD_PRELOAD (segfault).\n\tNext: free ctx at rotate.c:212, then rerun the tests.\n"
    "[adlc: redacted aws-key] was here.\nclear screen: \033[2J title: \033]0;owned\a return\r over\n"
    "bidi: abc\xe2\x80\xae"
    "fed zero: a\xe2\x80\x8b"
    "b nul: \xc0\x80 bad: \xff wide: \xe6\xbc\xa2\xe5\xad\x97 end\r\n";

static const struct bt_capture captures[] = {
    {.path = "handoffs/content/7f3a91c2-auth.md",
     .status = BT_BRIEF_VERIFIED,
     .expected_hash = HASH_A,
     .actual_hash = HASH_A,
     .text = brief_text,
     .text_length = sizeof brief_text - 1,
     .size_bytes = 4200,
     .mtime_ms = AGO(11 * MIN),
     .line_count = 25,
     .redaction_count = 1},
    {.path = "handoffs/content/c0de4471.md",
     .status = BT_BRIEF_TAMPERED,
     .expected_hash = HASH_A,
     .actual_hash = HASH_B,
     .text = "edited by hand\n",
     .text_length = 15,
     .size_bytes = 15,
     .mtime_ms = AGO(3 * MIN),
     .line_count = 1},
    {.path = "handoffs/content/sess-1.md",
     .status = BT_BRIEF_MISSING,
     .error = "missing",
     .expected_hash = HASH_B,
     .mtime_ms = BT_TIME_UNKNOWN},
};

static const struct bt_deny denies[] = {
    {.session_id = "7f3a91c2-4e0b-4b7e-9d11-auth",
     .path = "handoffs/denies/7f3a91c2-4e0b-4b7e-9d11-auth.json",
     .reason = "ok",
     .class_ = BT_DENY_CLASS_CAPTURED,
     .ticket_id = "T-118",
     .content_hash = HASH_A,
     .content_kind = "capture",
     .host = "claude",
     .since_ms = AGO(12 * MIN),
     .ticket_bound = true,
     .hash_bound = true,
     .registered = true},
    {.session_id = "sess-1",
     .path = "handoffs/denies/sess-1.json",
     .reason = "ok",
     .class_ = BT_DENY_CLASS_ORPHAN,
     .host = "pi",
     .since_ms = AGO(8 * DAY),
     .registered = true},
    {.session_id = "c0de4471",
     .path = "handoffs/denies/c0de4471.json",
     .reason = "ok",
     .class_ = BT_DENY_CLASS_UNBOUND,
     .host = "codex",
     .since_ms = AGO(3 * MIN)},
    {.session_id = "e4419d02",
     .path = "handoffs/denies/e4419d02.json",
     .reason = "ok",
     .status = BT_DENY_CONSUMED,
     .class_ = BT_DENY_CLASS_CONSUMED,
     .since_ms = AGO(2 * HOUR),
     .consumed_by = "d81c20aa"},
    {.session_id = "bad",
     .path = "handoffs/denies/bad.json",
     .reason = "corrupt_json",
     .status = BT_DENY_INVALID,
     .class_ = BT_DENY_CLASS_INVALID,
     .since_ms = BT_TIME_UNKNOWN},
};

static const struct bt_evidence_line stale_evidence[] = {
    {BT_CHECK_OK, "owner host", "build-07 is this host", "gethostname"},
    {BT_CHECK_OK, "owner pid", "48211 is not running", "kill(48211, 0) = ESRCH"},
    {BT_CHECK_OK, "fields", "pid, started_at, host, nonce agree", "4 of 4"},
    {BT_CHECK_WARN, "work", "the transcript grew 2 h ago", NULL},
    {BT_CHECK_UNKNOWN, "open by", "3 processes could not be read", "/proc/*/fd"},
};

static const struct bt_lock locks[] = {
    {.name = "91ab77e0",
     .path = "handoffs/91ab77e0.lock",
     .verdict = BT_LOCK_STALE,
     .why = "no such process (ESRCH); host matches",
     .pid_text = "48211",
     .started_at = "2026-10-09T12:20:14.031Z",
     .host = "build-07",
     .nonce = "8e1f0c44a9d2b310",
     .pid = 48211,
     .started_at_ms = AGO(2 * HOUR + 2 * MIN),
     .mtime_ms = AGO(2 * HOUR + 2 * MIN),
     .process_started_ms = BT_TIME_UNKNOWN,
     .inode = 918231,
     .size_bytes = 148,
     .mode = 0100644,
     .evidence = stale_evidence,
     .evidence_count = COUNT(stale_evidence)},
    {.name = "5d20fe13",
     .path = "handoffs/5d20fe13.lock",
     .verdict = BT_LOCK_PID_REUSE,
     .why = "1033 is sshd, began 08:31, lock 08:15",
     .pid_text = "1033",
     .started_at = "2026-10-09T08:15:40.000Z",
     .host = "build-07",
     .nonce = "aa",
     .pid = 1033,
     .started_at_ms = AGO(6 * HOUR),
     .mtime_ms = AGO(6 * HOUR),
     .process_name = "sshd",
     .process_started_ms = AGO(5 * HOUR + 50 * MIN),
     .inode = 1,
     .size_bytes = 140},
    {.name = "2b77aa90",
     .path = "handoffs/2b77aa90.lock",
     .verdict = BT_LOCK_FOREIGN,
     .why = "cannot probe another host from here",
     .pid_text = "7710",
     .started_at = "2026-10-09T13:41:02.000Z",
     .host = "build-03",
     .nonce = "bb",
     .pid = 7710,
     .started_at_ms = AGO(41 * MIN),
     .mtime_ms = AGO(41 * MIN),
     .process_started_ms = BT_TIME_UNKNOWN,
     .size_bytes = 140},
    {.name = "66cc01fe",
     .path = "handoffs/66cc01fe.lock",
     .verdict = BT_LOCK_UNREADABLE,
     .why = "JSON ends early (41 bytes)",
     .error = "corrupt_json",
     .started_at_ms = BT_TIME_UNKNOWN,
     .mtime_ms = AGO(3 * DAY),
     .process_started_ms = BT_TIME_UNKNOWN,
     .size_bytes = 41},
    {.kind = BT_LOCK_GIT,
     .name = "git:index.lock",
     .path = "../.git/index.lock",
     .verdict = BT_LOCK_UNKNOWN,
     .why = "git writes no owner into it",
     .started_at_ms = BT_TIME_UNKNOWN,
     .mtime_ms = AGO(HOUR),
     .process_started_ms = BT_TIME_UNKNOWN,
     .view_only = true},
    {.name = "c0de4471",
     .path = "handoffs/c0de4471.lock",
     .verdict = BT_LOCK_LIVE,
     .why = "codex, same start time as the lock",
     .pid_text = "40992",
     .started_at = "2026-10-09T14:19:11.000Z",
     .host = "build-07",
     .nonce = "cc",
     .pid = 40992,
     .started_at_ms = AGO(3 * MIN),
     .mtime_ms = AGO(3 * MIN),
     .process_name = "codex",
     .process_started_ms = AGO(4 * MIN),
     .size_bytes = 140},
};

static const struct bt_auth auths[] = {{.path = "handoffs/d81c20aa.resume-auth.json",
                                        .consumer_session_id = "e4419d02",
                                        .deny_session_id = "12ab34cd",
                                        .signature = BT_SIG_VERIFIED}};
static const struct bt_grant grants[] = {{.path = "handoffs/c0de4471.grant.json",
                                          .session_id = "c0de4471",
                                          .unbound_reason = "hotfix for incident 4411",
                                          .written_at_ms = AGO(139000),
                                          .expires_at_ms = STILL_NOW_MS + 461000,
                                          .signature = BT_SIG_VERIFIED}};
static const struct bt_final finals[] = {
    {.path = "handoffs/finals/7f3a91c2.json", .ticket_id = "T-118", .written_at_ms = AGO(11 * MIN)},
    {.path = "handoffs/finals/c0de4471.json", .error = "missing", .written_at_ms = BT_TIME_UNKNOWN}};
static const struct bt_evidence entries[] = {{41, "context-handoff-repair", NULL, "T-118",
                                              "7f3a91c2-4e0b-4b7e-9d11-auth", "root", AGO(DAY), BT_SIG_VERIFIED, true},
                                             {45, "context-handoff-write", NULL, "T-118",
                                              "7f3a91c2-4e0b-4b7e-9d11-auth", "root", AGO(11 * MIN), BT_SIG_INVALID,
                                              true},
                                             {-1, "cross-model-review", NULL, NULL, "7f3a91c2-4e0b-4b7e-9d11-auth",
                                              "root", BT_TIME_UNKNOWN, BT_SIG_UNVERIFIABLE, false}};

static const struct bt_reason blocked_reasons[] = {
    {"D3 unauthorized_open", "its own deny is open since 14:10 and no verified resume-auth names it"},
    {"D3 sess-1", "the open deny of sess-1 refuses it too"}};
static const struct bt_reason orphan_reasons[] = {
    {"D3 unauthorized_open", "open ORPHAN deny: no ticket, no hash, no brief, 8 days old"}};
static const struct bt_reason tampered_reasons[] = {
    {"brief TAMPERED", "the brief hashes to 77b0..91fe, the deny says 3f9c..a017"}};
static const struct bt_reason stale_reasons[] = {{"lock STALE", "pid 48211 is gone; the lock is still there"}};
static const struct bt_reason foreign_reasons[] = {{"lock FOREIGN", "a lock of build-03: cannot be judged from here"}};

#define CONTEXT(band_, by, used, pct)                                                                       \
  {                                                                                                         \
    .band = BT_BAND_##band_, .band_by = by, .used_known = true, .window_known = true, .depth_known = true,  \
    .used_tokens = used, .window_tokens = 200000, .used_pct = pct, .used_source = "transcript", .depth = 33 \
  }
#define LOOK \
  { .verb = BT_VERB_NONE, .text = "nothing to do: it is at work" }

static const struct bt_session sessions[] = {
    {.id = "7f3a91c2-4e0b-4b7e-9d11-auth",
     .id_short = "7f3a91c2-auth",
     .state = BT_STATE_BLOCKED,
     .since_ms = AGO(12 * MIN),
     .deny = &denies[0],
     .final_ = &finals[0],
     .capture = &captures[0],
     .context = CONTEXT(HARD, "fill", 166114, 83),
     .ticket_id = "T-118",
     .ticket_title = "Rotate auth tokens",
     .harness = "claude",
     .cwd = "~/w/payments-api",
     .branch = "feat/auth-rotate",
     .reasons = blocked_reasons,
     .reason_count = 2,
     .next = {BT_VERB_CONTINUE, "continue: hand this work to one new session (brief verified, ticket T-118 bound)",
              NULL},
     .others = {{BT_VERB_BYPASS, "one-shot bypass: spent by the next gated call, even `pwd`", NULL},
                {BT_VERB_REPAIR, "rebind it to another ticket", "no signing key"}},
     .other_count = 2,
     .blocks = 2,
     .in_force = "yes",
     .in_force_why = "this host enforces denies",
     .evidence = entries,
     .evidence_count = 3},
    {.id = "sess-1",
     .id_short = "sess-1",
     .state = BT_STATE_BLOCKED,
     .since_ms = AGO(8 * DAY),
     .deny = &denies[1],
     .capture = &captures[2],
     .context = {.band = BT_BAND_UNKNOWN},
     .harness = "pi",
     .reasons = orphan_reasons,
     .reason_count = 1,
     .next = {BT_VERB_REPAIR, "repair: bind a ticket and a hash, then continue", NULL},
     .blocks = 9},
    {.id = "c0de4471",
     .id_short = "c0de4471",
     .state = BT_STATE_BLOCKED,
     .since_ms = AGO(3 * MIN),
     .deny = &denies[2],
     .final_ = &finals[1],
     .capture = &captures[1],
     .lock = &locks[5],
     .grant = &grants[0],
     .context = CONTEXT(HANDOFF, "fill", 128000, 64),
     .ticket_id = "T-121",
     .harness = "codex",
     .reasons = tampered_reasons,
     .reason_count = 1,
     .next = {BT_VERB_REPAIR, "repair: read the brief first, it is TAMPERED", NULL}},
    {.id = "91ab77e0",
     .id_short = "91ab77e0",
     .state = BT_STATE_STALE_LOCK,
     .since_ms = AGO(2 * HOUR),
     .lock = &locks[0],
     .context = CONTEXT(HANDOFF, "depth", 142000, 71),
     .ticket_id = "T-117",
     .harness = "claude",
     .reasons = stale_reasons,
     .reason_count = 1,
     .next = {BT_VERB_UNLOCK, "unlock: its owner is gone", NULL}},
    {.id = "5d20fe13",
     .id_short = "5d20fe13",
     .state = BT_STATE_STALE_LOCK,
     .since_ms = AGO(6 * HOUR),
     .lock = &locks[1],
     .context = CONTEXT(OK, NULL, 76000, 38),
     .ticket_id = "T-109",
     .harness = "claude",
     .next = {BT_VERB_UNLOCK, "unlock: the pid is another process now", NULL}},
    {.id = "2b77aa90",
     .id_short = "2b77aa90",
     .state = BT_STATE_FOREIGN,
     .since_ms = AGO(41 * MIN),
     .lock = &locks[2],
     .context = CONTEXT(WARN, "fill", 110000, 55),
     .ticket_id = "T-120",
     .harness = "codex",
     .reasons = foreign_reasons,
     .reason_count = 1,
     .next = {BT_VERB_NONE, "look at it from build-03", NULL}},
    {.id = "e4419d02",
     .id_short = "e4419d02",
     .state = BT_STATE_READY,
     .since_ms = AGO(9 * MIN),
     .auth = &auths[0],
     .context = CONTEXT(HANDOFF, "fill", 122000, 61),
     .ticket_id = "T-115",
     .harness = "claude",
     .next = {BT_VERB_NONE, "start it: it may take over 12ab34cd", NULL}},
    {.id = "a81f3c55",
     .id_short = "a81f3c55",
     .state = BT_STATE_WARN,
     .since_ms = AGO(MIN),
     .context = CONTEXT(WARN, "fill", 116000, 58),
     .ticket_id = "T-122",
     .harness = "claude",
     .next = LOOK},
    {.id = "0f1e2d3c",
     .id_short = "0f1e2d3c",
     .state = BT_STATE_RUN,
     .since_ms = AGO(5000),
     .context = CONTEXT(OK, NULL, 88000, 44),
     .ticket_id = "T-124",
     .harness = "claude",
     .next = LOOK},
    {.id = "33aa55cc",
     .id_short = "33aa55cc",
     .state = BT_STATE_IDLE,
     .since_ms = AGO(4 * HOUR),
     .context = CONTEXT(OK, NULL, 24000, 12),
     .harness = "claude",
     .next = LOOK},
    {.id = "12ab34cd",
     .id_short = "12ab34cd",
     .state = BT_STATE_DONE,
     .since_ms = AGO(2 * DAY),
     .deny = &denies[3],
     .successor = &auths[0],
     .context = CONTEXT(HANDOFF, "fill", 132000, 66),
     .ticket_id = "T-101",
     .harness = "claude",
     .next = LOOK},
};

#define COMMON                                                                                                   \
  .taken_at_ms = STILL_NOW_MS, .root = "/home/op/w/payments-api", .ledger_dir = "/home/op/w/payments-api/.adlc", \
  .ledger_short = "~/w/payments-api/.adlc", .project = "payments-api", .host = "build-07", .user = "op",         \
  .ledger_present = true, .key_loaded = true, .store = {.ok = true}

const struct bt_snapshot *still_snapshot(void) {
  static const struct bt_snapshot snapshot = {COMMON,
                                              .sessions = sessions,
                                              .session_count = COUNT(sessions),
                                              .state_counts = {3, 2, 1, 1, 1, 1, 1, 1},
                                              .denies = denies,
                                              .deny_count = COUNT(denies),
                                              .locks = locks,
                                              .lock_count = COUNT(locks),
                                              .lock_counts = {1, 1, 1, 1, 1, 1},
                                              .auths = auths,
                                              .auth_count = COUNT(auths),
                                              .grants = grants,
                                              .grant_count = COUNT(grants),
                                              .evidence = {.present = true,
                                                           .newest_chain = "manifest.d/feat-auth-01M0.jsonl",
                                                           .tail = entries,
                                                           .tail_count = COUNT(entries)}};
  return &snapshot;
}

const struct bt_snapshot *still_empty(void) {
  static const struct bt_snapshot snapshot = {COMMON};
  return &snapshot;
}

/* ---- hostile ---- */

#define WIDE20 "漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字"
static const struct bt_reason hostile_reasons[] = {
    {"D3\033[31m", "reason with \033]0;title\a, a newline\nand a tab\tand \xe2\x80\xaemore"}};
static const struct bt_lock hostile_locks[] = {{.name = WIDE20 WIDE20 WIDE20,
                                                .path = "handoffs/\033[2J.lock",
                                                .verdict = BT_LOCK_STALE,
                                                .why = WIDE20 "\n",
                                                .pid_text = "99999999999999999999999999999",
                                                .started_at = "x\ny",
                                                .host = "\xff\xfe",
                                                .nonce = WIDE20,
                                                .started_at_ms = INT64_MAX,
                                                .mtime_ms = INT64_MIN + 1,
                                                .process_started_ms = INT64_MAX,
                                                .evidence = stale_evidence,
                                                .evidence_count = 2}};
static const struct bt_session hostile_sessions[] = {
    {.id = WIDE20 WIDE20 WIDE20 WIDE20 WIDE20 WIDE20 WIDE20 WIDE20 WIDE20 WIDE20,
     .id_short = WIDE20,
     .state = BT_STATE_BLOCKED,
     .since_ms = INT64_MAX,
     .deny = &denies[4],
     .lock = &hostile_locks[0],
     .reasons = hostile_reasons,
     .reason_count = 1,
     .harness = "\033[2J",
     .ticket_id = "שלום עולם",
     .context = {.band = BT_BAND_HARD,
                 .band_by = "fill(invalid)",
                 .used_known = true,
                 .used_pct = 1e300,
                 .used_tokens = 1e300},
     .next = {BT_VERB_CONTINUE, WIDE20 WIDE20 WIDE20 WIDE20, "because\nof this"}},
    {.id = "e\xcc\x81\xcc\x81\xcc\x81\xcc\x81 combining",
     .id_short = "e\xcc\x81\xcc\x81",
     .state = BT_STATE_RUN,
     .since_ms = BT_TIME_UNKNOWN,
     .last_seen_ms = BT_TIME_UNKNOWN,
     .title = "\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x9a\x80",
     .context = {.used_known = true, .used_pct = -5}},
    {.id = "", .id_short = "", .state = BT_STATE_DONE, .since_ms = INT64_MIN + 1},
    {.id = "a\nb\033[31mred", .id_short = "a\nb\033[31mred", .state = BT_STATE_IDLE, .since_ms = 0},
};
static const struct bt_problem problems[] = {{"denies/\033[1m.json", "JSON ends\nearly"}};

const struct bt_snapshot *still_hostile(void) {
  static const struct bt_snapshot snapshot = {.taken_at_ms = STILL_NOW_MS,
                                              .project = WIDE20 "\n",
                                              .ledger_short = "/tmp/\033[2J/.adlc",
                                              .host = "ho\033st",
                                              .ledger_present = true,
                                              .sample = true,
                                              .readonly = true,
                                              .foreign_owner = true,
                                              .owner_uid = 4294967295u,
                                              .store = {.ok = true},
                                              .problems = problems,
                                              .problem_count = 1,
                                              .sessions = hostile_sessions,
                                              .session_count = COUNT(hostile_sessions),
                                              .state_counts = {1, 0, 0, 0, 0, 1, 1, 1},
                                              .locks = hostile_locks,
                                              .lock_count = 1,
                                              .lock_counts = {1}};
  return &snapshot;
}

/* ---- plans ---- */

static const struct bt_plan_row repair_rows[] = {{"ticket_id", "(none)", "T-121", true},
                                                 {"content_hash", HASH_A, HASH_B, true},
                                                 {"content_kind", "capture", "(removed)", true},
                                                 {"status", "open", "open (still blocks this checkout)", false}};
static const struct bt_plan_check repair_checks[] = {
    {BT_CHECK_OK, "the deny is open"},
    {BT_CHECK_WARN, "the brief on disk is TAMPERED: binding the new hash accepts the edited text as it is"}};
static const char *const bypass_will[] = {"let ONE gated call of a81f3c55 through, whatever it is, even `pwd`",
                                          "expire 10 minutes after you confirm if nothing spends it"};
static const char *const bypass_will_not[] = {"clear scan limits or protected paths: those refuse all the same"};
static const struct bt_plan_step continue_steps[] = {
    {"take lock", ".adlc/handoffs/7f3a91c2-auth.lock", "refused if anyone holds it"},
    {"write brief", ".adlc/handoffs/content/7f3a91c2-auth.md", "4.1 KiB, unchanged"},
    {"write final", ".adlc/handoffs/finals/7f3a91c2-auth.json", "content_kind capture"},
    {"authorise", ".adlc/handoffs/d81c20aa.resume-auth.json", "signed, only for d81c20aa"},
    {"record", ".adlc/manifest.d/<newest>.jsonl", "context-handoff-continue, seq 46"},
    {"consume deny", ".adlc/handoffs/denies/7f3a91c2-auth.json", "open becomes consumed"},
    {"release lock", NULL, NULL}};

const struct bt_plan *still_plan(enum bt_verb verb) {
  static const struct bt_plan repair = {
      .title = "Repair: bind the open deny of c0de4471",
      .summary =
          "Repair writes a ticket and a hash onto a deny that is already open. It never creates a deny and never "
          "clears one.",
      .rows = repair_rows,
      .row_count = COUNT(repair_rows),
      .checks = repair_checks,
      .check_count = COUNT(repair_checks),
      .confirm_label = "bind",
      .undo = "repair again with the old values",
      .command =
          "baton repair --dir '/home/op/w/payments api/.adlc' --session c0de4471 --ticket T-121 --content-hash " HASH_B
          " --write"};
  static const struct bt_plan bypass = {
      .title = "One-shot bypass for a81f3c55",
      .summary = "Lets ONE gated call of this session through. It is not a fix.",
      .will = bypass_will,
      .will_count = COUNT(bypass_will),
      .will_not = bypass_will_not,
      .will_not_count = COUNT(bypass_will_not),
      .confirm_word = "bypass",
      .confirm_label = "grant",
      .disabled = "no signing key: set ADLC_MANIFEST_KEY",
      .command = "baton bypass --dir /home/op/w/payments-api/.adlc --session a81f3c55 --write"};
  static const struct bt_plan unlock = {
      .title = "Unlock 91ab77e0",
      .summary = "Removes this one lock file. It does not clear a deny, change a brief or touch "
                 "the working tree.",
      .confirm_label = "unlock",
      .undo = "the lock is kept in the trash first; `baton undo` puts it back if still free",
      .command = "baton unlock --dir /home/op/w/payments-api/.adlc --session 91ab77e0 --pid 48211 --started-at "
                 "2026-10-09T12:20:14.031Z --host build-07 --nonce 8e1f0c44a9d2b310 --write"};
  static const struct bt_plan continue_ = {
      .title = "Continue 7f3a91c2-auth",
      .summary = "Hands this work to one new session. Any failure puts every earlier step back.",
      .steps = continue_steps,
      .step_count = COUNT(continue_steps),
      .checks = repair_checks,
      .check_count = 2,
      .confirm_word = "auth",
      .confirm_label = "continue",
      .after = "claude --session-id d81c20aa \"$(baton bootstrap d81c20aa)\"",
      .undo = "cannot be undone: a consumed deny never reopens",
      .command =
          "baton continue --dir /home/op/w/payments-api/.adlc --deny-session 7f3a91c2-auth --session d81c20aa --write"};
  return verb == BT_VERB_REPAIR   ? &repair
         : verb == BT_VERB_BYPASS ? &bypass
         : verb == BT_VERB_UNLOCK ? &unlock
                                  : &continue_;
}
