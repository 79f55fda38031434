/* core/base/real_path.h - where a path really leads, links followed.
 *
 * For paths outside the ledger only: below it links are refused (core/base/fs.h). */
#ifndef BATON_CORE_BASE_REAL_PATH_H
#define BATON_CORE_BASE_REAL_PATH_H

/* Absolute, without links, `.` and `..`. NULL when any component cannot be resolved or memory is short. The caller
 * frees. */
char *bt_real_path(const char *path);

#endif
