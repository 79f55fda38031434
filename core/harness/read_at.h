/* core/harness/read_at.h - positional reads of a live file: never past what was asked, never more than is there. */
#ifndef BATON_CORE_HARNESS_READ_AT_H
#define BATON_CORE_HARNESS_READ_AT_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Up to `length` bytes at `offset`, through interruptions; fewer only at the end of the file. -1 with errno on failure.
 */
ssize_t bt_read_at(int fd, char *bytes, size_t length, uint64_t offset);

#endif
