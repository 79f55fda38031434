/* core/store/verdict.c - evidence first, verdict from it: the host, then the process. Age never decides. */
#include "core/store/verdict.h"

#include <math.h>
#include <string.h>

#include "core/base/arena.h"
#include "core/base/clock.h"
#include "core/base/str.h"
#include "core/model/explain.h"
#include "core/store/lock.h"

#define EVIDENCE_MAX 4
#define PID_MAX 2147483647.0 /* spec 7: beyond the 32-bit signed range nothing lives */
#define NAME_MAX_BYTES 64

struct judgement {
  struct bt_arena *arena;
  struct bt_evidence_line lines[EVIDENCE_MAX];
  size_t count;
  bool failed;
};

static void note(struct judgement *j, enum bt_check check, const char *what, const char *found, const char *how) {
  if (!found || !how || j->count == EVIDENCE_MAX) {
    j->failed = true;
    return;
  }
  j->lines[j->count++] = (struct bt_evidence_line){check, what, found, how};
}

static void decide(struct judgement *j, struct bt_lock *lock, enum bt_lock_verdict verdict, const char *why) {
  lock->verdict = verdict;
  lock->why = why;
  if (!why)
    j->failed = true;
}

static enum bt_alive ask(const struct bt_env *env, double pid) {
  if (!(pid > 0) || pid != floor(pid) || pid > PID_MAX)
    return BT_ALIVE_NO;
  return env->proc.alive(env->proc.context, pid);
}

bool bt_lock_pid_alive(const struct bt_env *env, double pid) {
  return ask(env, pid) != BT_ALIVE_NO;
}

/* What is gone here may live in another pid namespace when the ledger is shared with another user. */
static void judge_dead(struct judgement *j, bool foreign_owner, struct bt_lock *lock) {
  bool named = bt_lock_names_process(lock);
  note(j, foreign_owner ? BT_CHECK_UNKNOWN : BT_CHECK_OK, "owner pid",
       named ? bt_arena_printf(j->arena, "%s is not running", lock->pid_text)
             : bt_arena_printf(j->arena, "`%s` names no process", lock->pid_text),
       named ? bt_arena_printf(j->arena, "kill(%s, 0) = ESRCH", lock->pid_text) : "an integer above 0 is needed");
  if (foreign_owner)
    decide(j, lock, BT_LOCK_UNKNOWN, "no such process here, but the ledger is another user's: it may run elsewhere");
  else if (named)
    decide(j, lock, BT_LOCK_STALE, "no such process (ESRCH); host matches");
  else
    decide(j, lock, BT_LOCK_STALE, "the lock names no process; host matches");
}

static void judge_alive(struct judgement *j, enum bt_alive alive, bool foreign_owner, struct bt_lock *lock) {
  char began[24], taken[24];
  const char *name = lock->process_name ? lock->process_name : "a process without a readable name";
  bool start_known = lock->process_started_ms != BT_TIME_UNKNOWN;
  bool both_known = start_known && lock->started_at_ms != BT_TIME_UNKNOWN;
  bool reused = both_known && lock->process_started_ms - BT_LOCK_START_SLACK_MS > lock->started_at_ms;
  bt_stamp_short(began, lock->process_started_ms);
  bt_stamp_short(taken, lock->started_at_ms);
  note(j, BT_CHECK_WARN, "owner pid", bt_arena_printf(j->arena, "%s is %s", lock->pid_text, name),
       alive == BT_ALIVE_DENIED ? bt_arena_printf(j->arena, "kill(%s, 0) = EPERM: another user's", lock->pid_text)
                                : bt_arena_printf(j->arena, "kill(%s, 0) succeeds", lock->pid_text));
  note(j,
       reused       ? BT_CHECK_OK
       : both_known ? BT_CHECK_BAD
                    : BT_CHECK_UNKNOWN,
       "start times", bt_arena_printf(j->arena, "process began %s, lock taken %s", began, taken),
       reused       ? "the process is younger than the lock: it is another one"
       : both_known ? "the process is not younger than the lock"
                    : "one of the two cannot be read");
  if (reused && foreign_owner)
    decide(j, lock, BT_LOCK_UNKNOWN, "the pid is another process here, but the ledger is another user's");
  else if (reused)
    decide(j, lock, BT_LOCK_PID_REUSE,
           bt_arena_printf(j->arena, "%s is %s, began %s, lock %s", lock->pid_text, name, began, taken));
  else if (alive == BT_ALIVE_DENIED && !start_known)
    decide(j, lock, BT_LOCK_UNKNOWN,
           bt_arena_printf(j->arena, "pid %s is another user's and its start cannot be read", lock->pid_text));
  else
    decide(j, lock, BT_LOCK_LIVE,
           both_known ? bt_arena_printf(j->arena, "%s (pid %s) runs since before the lock", name, lock->pid_text)
                      : bt_arena_printf(j->arena, "%s (pid %s) is running", name, lock->pid_text));
}

static bool look_at_process(const struct bt_env *env, struct judgement *j, struct bt_lock *lock) {
  char name[NAME_MAX_BYTES];
  if (env->proc.name(env->proc.context, lock->pid, name, sizeof(name))) {
    lock->process_name = bt_arena_strdup(j->arena, name);
    if (!lock->process_name)
      return false;
  }
  if (!env->proc.started_ms(env->proc.context, lock->pid, &lock->process_started_ms))
    lock->process_started_ms = BT_TIME_UNKNOWN;
  return true;
}

static void judge_host(const struct bt_env *env, struct judgement *j, bool host_is_text, struct bt_lock *lock) {
  if (!host_is_text) {
    note(j, BT_CHECK_UNKNOWN, "owner host", "not recorded", "the lock has no host text");
    decide(j, lock, BT_LOCK_UNKNOWN, "the lock does not say which host holds it");
  } else if (!bt_text_equals(lock->host, env->host)) {
    note(j, BT_CHECK_UNKNOWN, "owner host", bt_arena_printf(j->arena, "%s is not this host", lock->host),
         bt_arena_printf(j->arena, "this host is %s", env->host));
    decide(j, lock, BT_LOCK_FOREIGN, "cannot probe another host from here");
  } else {
    note(j, BT_CHECK_OK, "owner host", bt_arena_printf(j->arena, "%s is this host", lock->host), "names are equal");
  }
}

bool bt_lock_judge(const struct bt_env *env, struct bt_arena *arena, bool foreign_owner, bool host_is_text,
                   struct bt_lock *lock) {
  struct judgement j = {.arena = arena};
  lock->why = NULL;
  judge_host(env, &j, host_is_text, lock);
  if (!lock->why && !j.failed) {
    enum bt_alive alive = ask(env, lock->pid);
    if (alive == BT_ALIVE_NO) {
      judge_dead(&j, foreign_owner, lock);
    } else {
      if (!look_at_process(env, &j, lock))
        return false;
      judge_alive(&j, alive, foreign_owner, lock);
    }
  }
  if (j.failed)
    return false;
  struct bt_evidence_line *lines = BT_ARENA_ARRAY(arena, struct bt_evidence_line, j.count ? j.count : 1);
  if (!lines)
    return false;
  memcpy(lines, j.lines, j.count * sizeof(*lines));
  lock->evidence = lines;
  lock->evidence_count = j.count;
  return true;
}
