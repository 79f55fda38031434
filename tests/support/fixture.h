/* tests/support/fixture.h - a sample ledger in a folder of its own, under a world that never changes.
 *
 * The clock stands at FIXTURE_NOW_MS, the host is "build-07", the user "op", the processes are scripted, the key is the
 * published sample key. So a screen or a JSON document made from it is the same everywhere and always. */
#ifndef BATON_TESTS_SUPPORT_FIXTURE_H
#define BATON_TESTS_SUPPORT_FIXTURE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/env.h"
#include "core/model/snapshot.h"

#define FIXTURE_NOW_MS INT64_C(1791555727000) /* 2026-10-09T14:22:07Z */
#define FIXTURE_LIVE_PID 40992                /* "codex", began before its lock */
#define FIXTURE_DEAD_PID 48211                /* nobody */
#define FIXTURE_REUSED_PID 1033               /* "sshd", began after the lock that names it */

enum fixture_kind {
  FIXTURE_SAMPLE, /* the sample ledger with its transcripts: 18 sessions, every state */
  FIXTURE_EMPTY,  /* an .adlc with nothing in it */
  FIXTURE_NONE    /* no .adlc at all */
};

struct fixture {
  struct bt_env env;   /* free to change before use; fixture_load looks at it */
  int64_t now_ms;      /* what the clock says; a test may move it */
  unsigned load_flags; /* handed to bt_store_load; BT_LOAD_TICKETS at first */
  char root[512];      /* the folder that holds .adlc, removed by fixture_free; its own name is "payments-api" */
  char home[512];      /* env.home; also parent of state, cache, config and data folders */
};

/* NULL, with a line on stderr, when the folder cannot be made. Free with fixture_free, which removes the folder. */
struct fixture *fixture_new(enum fixture_kind kind);
void fixture_free(struct fixture *fixture);
/* The same in `base`, an existing folder that fixture_free leaves alone; a ledger that is there already is kept. For a
 * program that is started more than once on one ledger. */
struct fixture *fixture_at(const char *base, enum fixture_kind kind);

/* A fresh snapshot of it (bt_snapshot_free). Fails the running test when it cannot be read. The paths in it that would
 * differ from run to run are fixed: root, ledger_dir and ledger_short say /home/op/w/payments-api; transcripts are named
 * from the root. */
struct bt_snapshot *fixture_load(struct fixture *fixture);
/* That fixing alone: what differs from run to run is not what a golden screen is about. */
void fixture_equalise(struct bt_snapshot *snapshot);

/* Small changes that tests make: write, append to, or remove a file below the fixture's root. */
void fixture_write(const struct fixture *fixture, const char *path, const char *text);
void fixture_append(const struct fixture *fixture, const char *path, const char *text);
void fixture_remove(const struct fixture *fixture, const char *path);

/* One hash over names, kinds and bytes of everything below the root: equal before and after means nothing was written. */
void fixture_tree_hash(const struct fixture *fixture, char hex[65]);

#endif
