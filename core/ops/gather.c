/* core/ops/gather.c - ticket, branch, working tree, evidence, last words: the inputs of a brief. */
#include "core/ops/gather.h"

#include "core/store/evidence.h"
#include "core/store/repo.h"
#include "core/store/tickets.h"
#include "core/text/brief.h"
#include "core/text/capture.h"

#define INPUT_MAX (4u << 20)

struct inputs {
  struct bt_str branch, status, evidence;
  struct bt_tickets *tickets;
};

static enum bt_code read_inputs(const struct bt_env *env, int ledger, struct inputs *in, struct bt_error *err) {
  enum bt_repo_answer answer;
  bt_str_init(&in->branch, INPUT_MAX);
  bt_str_init(&in->status, INPUT_MAX);
  bt_str_init(&in->evidence, INPUT_MAX);
  in->tickets = NULL;
  enum bt_code code = bt_tickets_load(env, ledger, &in->tickets, err);
  if (code != BT_OK && code != BT_NOMEM)
    code = BT_OK; /* a store that does not validate has no titles */
  if (code == BT_OK)
    code = bt_repo_branch(env, &in->branch, &answer, err);
  if (code == BT_OK)
    code = bt_repo_status_brief(env, &in->status, err);
  if (code == BT_OK)
    code = bt_evidence_brief(ledger, &in->evidence, err);
  return code;
}

static void dispose_inputs(struct inputs *in) {
  bt_str_dispose(&in->branch);
  bt_str_dispose(&in->status);
  bt_str_dispose(&in->evidence);
  bt_tickets_free(in->tickets);
}

static size_t count_lines(const struct bt_str *text) {
  size_t lines = 0;
  for (size_t i = 0; i < text->length; i++)
    lines += text->data[i] == '\n';
  return lines;
}

static enum bt_code compose(const struct inputs *in, const char *ticket, const struct bt_narrative *narrative,
                            struct bt_brief *brief, struct bt_error *err) {
  const char *status[] = {in->status.data}, *evidence[] = {in->evidence.data};
  struct bt_brief_inputs inputs = {.ticket_id = ticket,
                                   .ticket_title = bt_tickets_title(in->tickets, ticket),
                                   .branch = in->branch.length > 0 ? in->branch.data : NULL,
                                   .status = {status, 1},
                                   .evidence = {evidence, 1},
                                   .narrative = narrative != NULL ? narrative->text : NULL,
                                   .narrative_note = narrative != NULL ? narrative->note : NULL};
  brief->title_known = inputs.ticket_title != NULL;
  brief->dirty_lines = count_lines(&in->status);
  enum bt_code code = bt_brief_capture(&brief->body, &inputs, &brief->was_cut, err);
  if (code == BT_OK)
    code = bt_capture_hash(brief->body.data, brief->body.length, brief->hash, err);
  return code;
}

enum bt_code bt_brief_gather(const struct bt_env *env, int ledger, const char *ticket,
                             const struct bt_narrative *narrative, struct bt_brief *brief, struct bt_error *err) {
  struct inputs in;
  *brief = (struct bt_brief){0};
  bt_str_init(&brief->body, INPUT_MAX);
  enum bt_code code = read_inputs(env, ledger, &in, err);
  if (code == BT_OK)
    code = compose(&in, ticket, narrative, brief, err);
  dispose_inputs(&in);
  return code;
}

void bt_brief_dispose(struct bt_brief *brief) {
  bt_str_dispose(&brief->body);
}
