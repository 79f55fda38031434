/* core/model/record.c - the words for what a record is. */
#include "core/model/record.h"

#include <math.h>

const char *bt_deny_class_word(enum bt_deny_class class_) {
  switch (class_) {
  case BT_DENY_CLASS_BOUND:
    return "bound";
  case BT_DENY_CLASS_UNBOUND:
    return "unbound";
  case BT_DENY_CLASS_ORPHAN:
    return "orphan";
  case BT_DENY_CLASS_CAPTURED:
    return "captured";
  case BT_DENY_CLASS_CONSUMED:
    return "consumed";
  case BT_DENY_CLASS_INVALID:
  case BT_DENY_CLASS_COUNT:
    break;
  }
  return "invalid";
}

const char *bt_brief_word(enum bt_brief_status status) {
  switch (status) {
  case BT_BRIEF_NONE:
    return "none";
  case BT_BRIEF_VERIFIED:
    return "verified";
  case BT_BRIEF_TAMPERED:
    return "tampered";
  case BT_BRIEF_MISSING:
    return "missing";
  case BT_BRIEF_OVERSIZE:
    return "oversize";
  case BT_BRIEF_UNREADABLE:
    return "unreadable";
  case BT_BRIEF_UNCHECKED:
  case BT_BRIEF_COUNT:
    break;
  }
  return "unchecked";
}

const char *bt_lock_verdict_word(enum bt_lock_verdict verdict) {
  switch (verdict) {
  case BT_LOCK_STALE:
    return "STALE";
  case BT_LOCK_PID_REUSE:
    return "PID-REUSE";
  case BT_LOCK_FOREIGN:
    return "FOREIGN";
  case BT_LOCK_UNREADABLE:
    return "UNREADABLE";
  case BT_LOCK_LIVE:
    return "LIVE";
  case BT_LOCK_UNKNOWN:
  case BT_LOCK_VERDICT_COUNT:
    break;
  }
  return "UNKNOWN";
}

const char *bt_lock_kind_word(enum bt_lock_kind kind) {
  switch (kind) {
  case BT_LOCK_SESSION:
    return "session";
  case BT_LOCK_LEDGER:
    return "ledger";
  case BT_LOCK_GIT:
    return "git";
  case BT_LOCK_FLEET:
    return "fleet";
  case BT_LOCK_TICKETS:
    break;
  }
  return "tickets";
}

bool bt_lock_names_process(const struct bt_lock *lock) {
  return lock->pid > 0 && lock->pid == floor(lock->pid) && isfinite(lock->pid);
}

const char *bt_check_word(enum bt_check check) {
  switch (check) {
  case BT_CHECK_OK:
    return "ok";
  case BT_CHECK_WARN:
    return "warn";
  case BT_CHECK_BAD:
    return "bad";
  case BT_CHECK_UNKNOWN:
    break;
  }
  return "unknown";
}

const char *bt_signature_word(enum bt_signature signature) {
  switch (signature) {
  case BT_SIG_VERIFIED:
    return "verified";
  case BT_SIG_INVALID:
    return "invalid";
  case BT_SIG_UNVERIFIABLE:
    break;
  }
  return "unverifiable";
}

const char *bt_grant_state_word(enum bt_grant_state state) {
  switch (state) {
  case BT_GRANT_LIVE:
    return "live";
  case BT_GRANT_EXPIRED:
    return "expired";
  case BT_GRANT_UNREADABLE:
    break;
  }
  return "unreadable";
}
