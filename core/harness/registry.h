/* core/harness/registry.h - which processes say that they have a session open: Claude Code's sessions/<pid>.json.
 *
 * Owns: the entries and the verdict on each process, from signal 0 and /proc. An entry of a process that is gone, or
 * that began after the entry did, is stale: the program that wrote it did not clean up. Must not know transcripts. */
#ifndef BATON_CORE_HARNESS_REGISTRY_H
#define BATON_CORE_HARNESS_REGISTRY_H

#include <stdbool.h>
#include <stddef.h>

struct bt_env;

struct bt_registry_entry {
  char *session_id; /* owned; internal text */
  double pid;
  bool alive; /* false: stale */
};

struct bt_registry {
  struct bt_registry_entry *list;
  size_t count;
};

/* Reads all entries; what cannot be read is left out, it is only a hint. False: out of memory. */
bool bt_registry_load(struct bt_registry *registry, const struct bt_env *env);
void bt_registry_dispose(struct bt_registry *registry);

/* The same entries with the same verdicts. */
bool bt_registry_same(const struct bt_registry *a, const struct bt_registry *b);

/* How many living and how many stale entries name the session; `pid` (may be NULL) is of the last stale one, else of
 * the last one. */
void bt_registry_find(const struct bt_registry *registry, const char *session_id, size_t *living, size_t *stale,
                      double *pid);

#endif
