/* cli/cmd_delivery.h - what the files of `baton delivery` share: its flags and its printing.
 *
 * Exit statuses are the delivery's own (spec/delivery-handoff.md 8): 2 is a usage error, 10 a refusal. */
#ifndef BATON_CLI_CMD_DELIVERY_H
#define BATON_CLI_CMD_DELIVERY_H

#include "cli/env.h"
#include "cli/options.h"
#include "core/delivery/change.h"

enum delivery_verb { DELIVERY_RECORD, DELIVERY_SHOW, DELIVERY_VALIDATE, DELIVERY_RECONCILE, DELIVERY_CLOSE };

struct delivery_flags {
  enum delivery_verb verb;
  const char *repo, *remote, *pr_state, *pr_max_age, *host_store, *host_store_name, *authorization, *now;
  bool gh, json, help, write;
  const char *directive, *directive_file, *pr, *branch, *head, *supersede, *stop_reason, *stop_detail, *store, *from,
      *body_out;
  bool no_pr, update, replace_corrupt, confirm_publish;
  bool delivered, boundary_stop, resumable;
  const char *evidence, *detail;
  struct bt_texts authorize, withhold, pending, watchers, watchers_live, watchers_dead;
  struct bt_steps completed, reverified;
};

/* Reads the flags of one verb (argv[0] is its word). BT_USAGE. With flags->help the help has been printed. */
enum bt_code delivery_flags_read(struct bt_arena *arena, enum delivery_verb verb, int argc, char **argv,
                                 struct delivery_flags *flags, struct bt_error *err) BT_NODISCARD;

/* The request that the flags make, files and standard input read. BT_USAGE, BT_IO, BT_NOMEM. */
enum bt_code delivery_request_make(struct cli_env *cli, struct bt_arena *arena, const struct delivery_flags *flags,
                                   struct bt_delivery_request *request, struct bt_error *err) BT_NODISCARD;

/* A whole file, for flags that name one; `-` is standard input. *taken_ms: its time of change, or `now_ms` where it has
 * none. */
enum bt_code delivery_read_input(struct bt_arena *arena, const char *path, size_t most, int64_t now_ms,
                                 const char **bytes, size_t *length, int64_t *taken_ms,
                                 struct bt_error *err) BT_NODISCARD;

struct delivery_result {
  const struct bt_evaluation *evaluation;
  const struct bt_liveness_facts *watchers;
  int exit_status;
  const char *code;                     /* of a mutating verb; NULL: this one only looks */
  const struct bt_node *before, *after; /* what would be, or was, written; NULL */
  const char *target;                   /* where */
  const char *source_path;              /* where the record that was evaluated lies; NULL */
  bool exclusion_needed, written;
  const struct bt_codes *notes; /* NULL */
  int64_t now_ms;
  bool open_only; /* `show`: the record was not judged against anything */
};

/* Prints a result; returns its exit status, or 1 when stdout cannot be written. */
int delivery_print(const struct delivery_result *result, bool json);

#endif
