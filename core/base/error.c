/* core/base/error.c - filling, showing and naming errors. */
#include "core/base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/base/utf8.h"

struct code_row {
  int exit_status;
  const char *words;
};

static const struct code_row code_rows[BT_CODE_COUNT] = {
#define CODE_ROW(name, exit_status, words) [BT_##name] = {exit_status, words},
    BT_ERROR_CODES(CODE_ROW)
#undef CODE_ROW
};

/* clang-format off */
#define ERRNO_NAMES(X)                                                                            \
  X(E2BIG) X(EACCES) X(EADDRINUSE) X(EADDRNOTAVAIL) X(EAFNOSUPPORT) X(EAGAIN) X(EALREADY)         \
  X(EBADF) X(EBADMSG) X(EBUSY) X(ECANCELED) X(ECHILD) X(ECONNABORTED) X(ECONNREFUSED)             \
  X(ECONNRESET) X(EDEADLK) X(EDESTADDRREQ) X(EDOM) X(EDQUOT) X(EEXIST) X(EFAULT) X(EFBIG)         \
  X(EHOSTUNREACH) X(EIDRM) X(EILSEQ) X(EINPROGRESS) X(EINTR) X(EINVAL) X(EIO) X(EISCONN)          \
  X(EISDIR) X(ELOOP) X(EMFILE) X(EMLINK) X(EMSGSIZE) X(ENAMETOOLONG) X(ENETDOWN) X(ENETRESET)     \
  X(ENETUNREACH) X(ENFILE) X(ENOBUFS) X(ENODATA) X(ENODEV) X(ENOENT) X(ENOEXEC) X(ENOLCK)         \
  X(ENOLINK) X(ENOMEM) X(ENOMSG) X(ENOPROTOOPT) X(ENOSPC) X(ENOSYS) X(ENOTCONN) X(ENOTDIR)        \
  X(ENOTEMPTY) X(ENOTRECOVERABLE) X(ENOTSOCK) X(ENOTSUP) X(ENOTTY) X(ENXIO) X(EOVERFLOW)          \
  X(EOWNERDEAD) X(EPERM) X(EPIPE) X(EPROTO) X(EPROTONOSUPPORT) X(EPROTOTYPE) X(ERANGE) X(EROFS)   \
  X(ESPIPE) X(ESRCH) X(ESTALE) X(ETIMEDOUT) X(ETXTBSY) X(EXDEV)
/* clang-format on */

const char *bt_errno_name(int sys_errno) {
  switch (sys_errno) {
#define ERRNO_CASE(name) \
  case name:             \
    return #name;
    ERRNO_NAMES(ERRNO_CASE)
#undef ERRNO_CASE
  default:
    return "EUNKNOWN";
  }
}

const char *bt_code_words(enum bt_code code) {
  return (unsigned)code < BT_CODE_COUNT ? code_rows[code].words : "unknown";
}

int bt_code_exit_status(enum bt_code code) {
  return (unsigned)code < BT_CODE_COUNT ? code_rows[code].exit_status : 1;
}

/* Copies `text` in its visible form behind what `out` holds and stops before a cluster that does not
 * fit. Takes no memory, so that running out of it can be reported too. */
static void append_visible(char *out, size_t size, const char *text) {
  size_t used = strlen(out);
  size_t length = text != NULL ? strlen(text) : 0;
  size_t at = 0;
  while (at < length) {
    struct bt_cluster cluster;
    bt_cluster_next(&cluster, text + at, length - at, false);
    size_t width = strlen(cluster.bytes);
    if (used + width >= size) {
      break;
    }
    memcpy(out + used, cluster.bytes, width + 1);
    used += width;
    at += cluster.consumed;
  }
}

static void append_formatted(struct bt_error *err, const char *fmt, va_list args) {
  char text[2 * sizeof err->message];
  if (vsnprintf(text, sizeof text, fmt, args) >= 0) {
    append_visible(err->message, sizeof err->message, text);
  }
}

static void start(struct bt_error *err, enum bt_code code, int sys_errno, const char *subject) {
  err->code = code;
  err->sys_errno = sys_errno;
  err->message[0] = '\0';
  err->subject[0] = '\0';
  append_visible(err->subject, sizeof err->subject, subject);
}

enum bt_code bt_error_set(struct bt_error *err, enum bt_code code, const char *subject, const char *fmt, ...) {
  if (err != NULL) {
    va_list args;
    va_start(args, fmt);
    start(err, code, 0, subject);
    append_formatted(err, fmt, args);
    va_end(args);
  }
  return code;
}

/* ENOENT means missing, ELOOP a refused link, ENOMEM our own shortage; the rest is the system's "no". */
static enum bt_code code_of_errno(int sys_errno) {
  switch (sys_errno) {
  case ENOENT:
    return BT_MISSING;
  case ELOOP:
    return BT_UNSAFE;
  case ENOMEM:
    return BT_NOMEM;
  default:
    return BT_IO;
  }
}

enum bt_code bt_error_set_errno(struct bt_error *err, int sys_errno, const char *subject, const char *fmt, ...) {
  enum bt_code code = code_of_errno(sys_errno);
  if (err != NULL) {
    va_list args;
    va_start(args, fmt);
    start(err, code, sys_errno, subject);
    append_formatted(err, fmt, args);
    append_visible(err->message, sizeof err->message, ": ");
    append_visible(err->message, sizeof err->message, bt_errno_name(sys_errno));
    va_end(args);
  }
  return code;
}

void bt_error_append(struct bt_error *err, const char *fmt, ...) {
  if (err != NULL) {
    va_list args;
    va_start(args, fmt);
    append_visible(err->message, sizeof err->message, " - ");
    append_formatted(err, fmt, args);
    va_end(args);
  }
}
