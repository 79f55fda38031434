/* core/base/error.h - one way to say what went wrong.
 *
 * Owns: the list of error codes, their words and the exit status each one maps to.
 * Must not know: any domain type.
 *
 * A function that can fail returns `enum bt_code` (BT_OK is 0) and takes a caller-owned
 * `struct bt_error *` as its last parameter, which may be NULL. The error is set where it is
 * first seen and passed up untouched. `subject` names the file, session or flag; `message` is
 * one line without a newline. Exit statuses are fixed by spec/context-handoff.md 8.1. */
#ifndef BATON_CORE_BASE_ERROR_H
#define BATON_CORE_BASE_ERROR_H

#define BT_NODISCARD __attribute__((warn_unused_result))
#define BT_PRINTF(fmt_index, first_arg) __attribute__((format(printf, fmt_index, first_arg)))

/* clang-format off */
/*  name        exit  words */
#define BT_ERROR_CODES(X)                                             \
  X(OK,          0,   "done")                                         \
  X(USAGE,       1,   "the command line is not understood")           \
  X(INPUT,       1,   "the input cannot be used")                     \
  X(MISSING,     1,   "not there")                                    \
  X(CORRUPT,     1,   "not readable as what it should be")            \
  X(UNSAFE,      1,   "refused: not a plain file or folder")          \
  X(TOO_LARGE,   1,   "larger than the limit")                        \
  X(IO,          1,   "the system refused")                           \
  X(NOMEM,       1,   "out of memory")                                \
  X(KEY,         1,   "no signing key")                               \
  X(EVIDENCE,    1,   "the evidence could not be recorded")           \
  X(STATE,       1,   "not possible in this state")                   \
  X(READONLY,    1,   "read-only")                                    \
  X(REFUSED,     2,   "refused, nothing changed")                     \
  X(STALE,       2,   "changed under this command, nothing changed")  \
  X(BUSY,        2,   "somebody else holds the lock")
/* clang-format on */

enum bt_code {
#define BT_ERROR_ENUM(name, exit_status, words) BT_##name,
  BT_ERROR_CODES(BT_ERROR_ENUM)
#undef BT_ERROR_ENUM
      BT_CODE_COUNT
};

struct bt_error {
  enum bt_code code;
  int sys_errno;     /* 0 when the system was not asked */
  char subject[192]; /* what it is about; cut at a character boundary when longer */
  char message[640]; /* one line, no newline, control characters shown as escapes */
};

/* Fills `err` (NULL is allowed) and returns `code`, so that a caller can write
 * `return bt_error_set(err, BT_MISSING, path, "no deny record");`.
 * Control characters and invalid UTF-8 in subject and message become visible escapes. */
enum bt_code bt_error_set(struct bt_error *err, enum bt_code code, const char *subject, const char *fmt, ...)
    BT_PRINTF(4, 5);

/* The same for a failed system call; the message ends in the symbolic errno name. */
enum bt_code bt_error_set_errno(struct bt_error *err, int sys_errno, const char *subject, const char *fmt, ...)
    BT_PRINTF(4, 5);

/* Appends ` - more` to the message (used when an undo could not put something back). */
void bt_error_append(struct bt_error *err, const char *fmt, ...) BT_PRINTF(2, 3);

const char *bt_code_words(enum bt_code code);
int bt_code_exit_status(enum bt_code code);

/* Symbolic errno name ("ENOENT"); "EUNKNOWN" for one that has no name here. Never NULL. */
const char *bt_errno_name(int sys_errno);

#endif
