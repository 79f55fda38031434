/* core/handover/policy.h - the switch in a repository's policy file: on only where it says so in one plain word.
 *
 * A small, strict subset of YAML; what it cannot read is off. Pure text. Rules: spec/handover-request.md 8. */
#ifndef BATON_CORE_HANDOVER_POLICY_H
#define BATON_CORE_HANDOVER_POLICY_H

#include <stdbool.h>
#include <stddef.h>

#define BT_POLICY_PATH ".ai/repo/policy.yaml"
#define BT_MANIFEST_PATH ".ai/manifest.yaml"
#define BT_POLICY_BYTES_MAX ((size_t)256 * 1024)

struct bt_policy {
  bool on;
  const char *reason; /* "policy:true", "policy:absent-file", ...; static */
};

/* `text` NULL: there is no such file. */
struct bt_policy bt_policy_read(const char *text, size_t length);

/* The switch of the repository at `root` (an open folder): its policy file, and its manifest without which it is off
 * ("policy:no-manifest"). Links are followed for the manifest, as the gate does. */
struct bt_policy bt_policy_of(int root);

/* spec 3.1: ROOT/.ai/manifest.yaml is there and a regular file, links followed. */
bool bt_is_supervised(const char *root);

#endif
