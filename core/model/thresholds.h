/* core/model/thresholds.h - the numbers of spec/context-handoff.md 1.4 and 3.1, each written once. */
#ifndef BATON_CORE_MODEL_THRESHOLDS_H
#define BATON_CORE_MODEL_THRESHOLDS_H

#define BT_WARN_PCT 50
#define BT_HANDOFF_PCT 60
#define BT_HARD_PCT 80
#define BT_WARN_DEPTH 20
#define BT_HANDOFF_DEPTH 30
#define BT_HARD_DEPTH 40
#define BT_WARN_BYTES 131072
#define BT_HANDOFF_BYTES 196608
#define BT_HARD_BYTES 262144

#define BT_MAX_ACTIVE_CONTEXT_BYTES 8388608 /* transcript scan */
#define BT_MAX_SCAN_WALL_MS 500

#define BT_BYPASS_GRANT_TTL_MS 600000
#define BT_MAX_BYPASS_GRANT_BYTES 4096

#define BT_SUPERVISE_DENY_POLL_MS 2000
#define BT_SUPERVISE_QUIESCENCE_MS 5000
#define BT_SUPERVISE_TERMINATE_GRACE_MS 10000

#define BT_HANDOFF_COOLDOWN_TOOLS 15
#define BT_MIN_REMAINING_TO_HARD 0.25

#define BT_HANDOFF_MAX_AGE_HOURS 72
#define BT_MAX_CAPTURE_BYTES 65536
#define BT_MAX_NARRATIVE_BYTES 32768
#define BT_EVIDENCE_TAIL_ENTRIES 12
#define BT_EVIDENCE_TAIL_BYTES 65536
#define BT_GIT_STATUS_MAX_LINES 40
#define BT_TRANSCRIPT_TAIL_BYTES 1048576
#define BT_TICKET_POINTER_BYTES 65536
#define BT_SMALL_MARKER_BYTES 4096 /* manifest.d/.store.json and .lineage must be smaller */
#define BT_LEDGER_LOCK_BYTES 512   /* a genuine ledger lock inside manifest.d is smaller */

#define BT_ORPHAN_AGE_MS 86400000 /* an open, unbound deny without a brief that is older is an orphan */

/* A ceiling of this program's own: a larger sentinel reads as unreadable. */
#define BT_MAX_SENTINEL_BYTES 16777216

#endif
