/* core/hook/call.h - one tool call as a harness describes it to its hooks, in the words of the gate.
 *
 * Owns: the document and what was taken out of it. Must not know: the ledger, transcripts, time budgets, answers.
 * Claude Code and Codex send the same members with different tools in them; the tool's name tells them apart where the
 * caller does not say which harness it is. Rules: spec/context-handoff.md A.2, A.4. */
#ifndef BATON_CORE_HOOK_CALL_H
#define BATON_CORE_HOOK_CALL_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/error.h"
#include "core/base/str.h"
#include "core/harness/wiring.h"

struct bt_json;

#define BT_HOOK_DOCUMENT_MAX ((size_t)32 * 1024 * 1024) /* bytes; a larger document is not read */
#define BT_HOOK_PATHS_MAX 65536                         /* edit targets of one call */

struct bt_hook_call {   /* strings are internal text */
  struct bt_json *json; /* the document; most strings below are borrowed from it */
  enum bt_hook_harness harness;
  const char *session_ids[2];  /* `session_id`, `sessionId`; NULL where it is no string */
  const char *transcript_path; /* NULL or empty: none */
  bool transcript_malformed;   /* it is there and no string */
  const char *cwd, *tool;      /* NULL: no string */

  bool gated; /* the gate judges this tool; all others are allowed */
  bool is_shell;
  bool may_recover;      /* the recovery exception is looked at for this tool */
  struct bt_str command; /* of a shell call: all its commands, joined by LF */
  size_t command_count;
  char **paths; /* edit targets as they are spelled, in document order */
  size_t path_count, path_capacity;
};

/* Reads a document of raw bytes. BT_CORRUPT for what is no JSON object, BT_INPUT where no tool is named, BT_TOO_LARGE
 * for more targets or longer commands than are looked at, BT_NOMEM: a gate that is on takes each as a denial. Dispose
 * in every case; `cwd` and the other members that could be read are there even then. */
enum bt_code bt_hook_call_read(const char *bytes, size_t length, enum bt_hook_harness harness,
                               struct bt_hook_call *call, struct bt_error *err) BT_NODISCARD;
void bt_hook_call_dispose(struct bt_hook_call *call);

/* ---- for the readers of the two shapes (claude_call.c, codex_call.c) ---- */
enum bt_tool_kind { BT_TOOL_OTHER, BT_TOOL_EDIT, BT_TOOL_SHELL };
struct bt_tool { /* one row of a harness's table */
  const char *name;
  enum bt_tool_kind kind;
  bool may_recover;
};
const struct bt_tool *bt_claude_tool(const char *name); /* NULL: not listed */
const struct bt_tool *bt_codex_tool(const char *name);
enum bt_code bt_claude_read_input(struct bt_hook_call *call, const struct bt_json *input,
                                  struct bt_error *err) BT_NODISCARD;
enum bt_code bt_codex_read_input(struct bt_hook_call *call, const struct bt_json *input,
                                 struct bt_error *err) BT_NODISCARD;

/* Adds an edit target / one more command. BT_NOMEM, BT_TOO_LARGE. */
enum bt_code bt_hook_call_add_path(struct bt_hook_call *call, struct bt_slice path, struct bt_error *err) BT_NODISCARD;
enum bt_code bt_hook_call_add_command(struct bt_hook_call *call, const char *command,
                                      struct bt_error *err) BT_NODISCARD;

#endif
