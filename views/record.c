/* views/record.c - the lines of a lock. */
#include "views/record.h"

#include <stdio.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/str.h"
#include "views/parts.h"
#include "views/text.h"

#define LABEL_AT 2
#define TEXT_AT 16

bool bt_lock_is_here(const struct bt_snapshot *snapshot, const struct bt_lock *lock) {
  return lock->host && bt_text_equals(lock->host, snapshot->host);
}

static void add_process(struct bt_flow *flow, const struct bt_frame *frame, const struct bt_lock *lock) {
  char began[BT_PART_BYTES];
  if (!lock->pid_text) {
    bt_flow_labelled(flow, LABEL_AT, BT_ROLE_LABEL, "pid", TEXT_AT, BT_ROLE_UNKNOWN, "not recorded");
    return;
  }
  bt_clock_near(began, frame->scene, lock->process_started_ms, frame->now_ms);
  if (lock->process_name)
    bt_flow_printf(flow, LABEL_AT, BT_ROLE_LABEL, "pid", TEXT_AT, BT_ROLE_DEFAULT, "%s   now %s, began %s",
                   lock->pid_text, lock->process_name, began);
  else
    bt_flow_labelled(flow, LABEL_AT, BT_ROLE_LABEL, "pid", TEXT_AT, BT_ROLE_DEFAULT, lock->pid_text);
}

void bt_record_add(struct bt_flow *flow, const struct bt_frame *frame, const struct bt_lock *lock) {
  char when[BT_PART_BYTES], age[BT_PART_BYTES];
  int64_t since_ms = lock->started_at_ms != BT_TIME_UNKNOWN ? lock->started_at_ms : lock->mtime_ms;
  bt_clock_full(when, frame->scene, lock->mtime_ms);
  bt_flow_printf(flow, LABEL_AT, BT_ROLE_LABEL, "file", TEXT_AT, BT_ROLE_DEFAULT, "%s", lock->path ? lock->path : "?");
  bt_flow_printf(flow, LABEL_AT, BT_ROLE_LABEL, NULL, TEXT_AT, BT_ROLE_DIM, "inode %llu   %lld bytes   mode %04o%s%s",
                 (unsigned long long)lock->inode, (long long)lock->size_bytes, lock->mode & 07777u,
                 flow->columns >= 90 ? "   written " : "", flow->columns >= 90 ? when : "");
  if (lock->host)
    bt_flow_printf(flow, LABEL_AT, BT_ROLE_LABEL, "host", TEXT_AT, BT_ROLE_DEFAULT, "%s%s", lock->host,
                   bt_lock_is_here(frame->snapshot, lock) ? "   this host" : "   not this host");
  if (lock->pid_text || lock->verdict != BT_LOCK_UNREADABLE)
    add_process(flow, frame, lock);
  bt_age_of(age, since_ms, frame->now_ms);
  if (lock->started_at)
    bt_flow_printf(flow, LABEL_AT, BT_ROLE_LABEL, "started at", TEXT_AT, BT_ROLE_DEFAULT, "%s   %s ago",
                   lock->started_at, age);
  else
    bt_flow_printf(flow, LABEL_AT, BT_ROLE_LABEL, "age", TEXT_AT, BT_ROLE_DEFAULT, "%s", age);
  if (lock->nonce)
    bt_flow_labelled(flow, LABEL_AT, BT_ROLE_LABEL, "nonce", TEXT_AT, BT_ROLE_DEFAULT, lock->nonce);
  if (lock->error)
    bt_flow_labelled(flow, LABEL_AT, BT_ROLE_LABEL, "problem", TEXT_AT, BT_ROLE_WARNING, lock->error);
  bt_flow_printf(flow, LABEL_AT, BT_ROLE_LABEL, "verdict", TEXT_AT, bt_role_of_verdict(lock->verdict), "%s   %s",
                 bt_lock_verdict_word(lock->verdict), lock->why ? lock->why : "");
}

void bt_record_add_evidence(struct bt_flow *flow, const struct bt_lock *lock) {
  for (size_t i = 0; i < lock->evidence_count; i++) {
    const struct bt_evidence_line *line = &lock->evidence[i];
    int how_at = TEXT_AT + 6 + 36;
    int found =
        bt_text_width(line->found ? line->found : "?", line->found ? strlen(line->found) : 1, flow->unicode, 40);
    struct bt_flow before = *flow;
    bool beside = flow->columns >= 100 && line->how && found < 36; /* else it would lie over it */
    bt_flow_printf(flow, LABEL_AT + 5, BT_ROLE_LABEL, line->what, TEXT_AT + 6, BT_ROLE_DEFAULT, "%s%s%s%s",
                   line->found ? line->found : "?", beside || !line->how ? "" : " (",
                   beside || !line->how ? "" : line->how, beside || !line->how ? "" : ")");
    struct bt_pane first = bt_flow_line(&before);
    bt_pane_text(first, 0, LABEL_AT, bt_role_of_check(line->check), bt_check_mark(line->check));
    if (beside)
      bt_pane_field(first, 0, how_at, flow->columns - how_at, BT_ALIGN_LEFT, BT_ROLE_DIM, line->how);
  }
}
