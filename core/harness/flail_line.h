/* core/harness/flail_line.h - what one line says of a file written or an error met. Rules: spec/transcripts.md 9 steps
 * 3 and 5. Pure. */
#ifndef BATON_CORE_HARNESS_FLAIL_LINE_H
#define BATON_CORE_HARNESS_FLAIL_LINE_H

#include <stdbool.h>

#include "core/base/str.h"

/* The file that the line says was written; borrowed from the line. */
bool bt_flail_path(struct bt_slice line, struct bt_slice *path);

bool bt_flail_speaks_of_error(struct bt_slice line);

/* Appends what two meetings of one error have in common: lower case, without addresses, quotations, paths and numbers.
 */
void bt_flail_signature(struct bt_str *out, struct bt_slice line);

/* Whether a signature is worth counting. */
bool bt_flail_signature_counts(struct bt_slice signature);

#endif
