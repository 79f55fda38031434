/* core/base/fs.c - the reading half: stat, open, whole reads, tails and listings. */
#define _GNU_SOURCE /* O_PATH: a folder that may be searched need not be readable */
#include "core/base/fs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/fs_walk.h"

enum {
  READ_FLAGS = O_RDONLY | O_NONBLOCK, /* a FIFO must not keep us waiting */
  READ_CHUNK = 64 * 1024,
  LIST_BYTES_MAX = 64 * 1024 * 1024 /* of names: half a million of ordinary length */
};

int bt_fs_open_root(const char *path, struct bt_error *err) {
  int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0 && errno == EACCES && access(path, X_OK) == 0) { /* not to be listed, but what is below it can be named */
    fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
  }
  if (fd < 0) {
    (void)bt_error_set_errno(err, errno, path, "the folder cannot be opened");
  }
  return fd;
}

static enum bt_fs_kind kind_of(mode_t mode) {
  if (S_ISREG(mode)) {
    return BT_FS_FILE;
  }
  if (S_ISDIR(mode)) {
    return BT_FS_FOLDER;
  }
  return S_ISLNK(mode) ? BT_FS_LINK : BT_FS_OTHER;
}

static int64_t ns_of(struct timespec time) {
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/* Milliseconds rounded down, also before 1970. */
static int64_t ms_of(struct timespec time) {
  return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static void describe(const struct stat *found, struct bt_fs_stat *out) {
  *out = (struct bt_fs_stat){.kind = kind_of(found->st_mode),
                             .device = (uint64_t)found->st_dev,
                             .inode = (uint64_t)found->st_ino,
                             .size_bytes = (int64_t)found->st_size,
                             .mtime_ms = ms_of(found->st_mtim),
                             .mtime_ns = ns_of(found->st_mtim),
                             .ctime_ns = ns_of(found->st_ctim),
                             .mode = (unsigned)found->st_mode,
                             .uid = (unsigned)found->st_uid,
                             .gid = (unsigned)found->st_gid};
}

void bt_fs_stat_at(int dir, const char *path, struct bt_fs_stat *out) {
  struct bt_place place;
  struct stat found;
  int reason = bt_place_find(&place, dir, path, false);
  if (reason == 0 && fstatat(place.fd, place.name, &found, AT_SYMLINK_NOFOLLOW) != 0) {
    reason = errno;
  }
  bt_place_dispose(&place);
  if (reason == 0) {
    describe(&found, out);
  } else {
    *out = (struct bt_fs_stat){.kind = reason == ENOENT ? BT_FS_ABSENT : BT_FS_UNKNOWN, .sys_errno = reason};
  }
}

/* Opens the end of a walk; -1 with err set. */
static int open_at(int dir, const char *path, int flags, const char *what, struct bt_error *err) {
  struct bt_place place;
  int fd = -1;
  int reason = bt_place_find(&place, dir, path, false);
  if (reason == 0) {
    fd = bt_fs_openat(place.fd, place.name, flags, BT_FS_MODE_UMASK);
    reason = fd < 0 ? errno : 0;
    struct stat found;
    if (reason == ENOTDIR && fstatat(place.fd, place.name, &found, AT_SYMLINK_NOFOLLOW) == 0 &&
        S_ISLNK(found.st_mode)) {
      reason = ELOOP; /* O_DIRECTORY hides that it was a link */
    }
  }
  bt_place_dispose(&place);
  if (reason != 0) {
    (void)bt_fs_fail(err, reason, path, what);
  }
  return fd;
}

static int open_regular(int dir, const char *path, struct stat *found, struct bt_error *err) {
  int fd = open_at(dir, path, READ_FLAGS, "cannot be opened", err);
  if (fd < 0) {
    return -1;
  }
  if (fstat(fd, found) != 0) {
    (void)bt_error_set_errno(err, errno, path, "cannot be examined");
  } else if (!S_ISREG(found->st_mode)) {
    (void)bt_fs_refuse_kind(err, found->st_mode, path);
  } else {
    return fd;
  }
  (void)close(fd);
  return -1;
}

int bt_fs_open_file_at(int dir, const char *path, struct bt_error *err) {
  struct stat found;
  return open_regular(dir, path, &found, err);
}

int bt_fs_open_folder_at(int dir, const char *path, struct bt_error *err) {
  return open_at(dir, path, READ_FLAGS | O_DIRECTORY, "the folder cannot be opened", err);
}

/* The code that open_regular put into the error. Callers may have handed in none: keep one of our own. */
static struct bt_error *own_or(struct bt_error *err, struct bt_error *own) {
  return err != NULL ? err : own;
}

static enum bt_code too_large(struct bt_error *err, const char *path, size_t ceiling) {
  return bt_error_set(err, BT_TOO_LARGE, path, "larger than %zu bytes", ceiling);
}

/* Appends what is left in `fd`, at most `limit` bytes. */
static enum bt_code read_rest(int fd, const char *path, size_t limit, struct bt_str *out, struct bt_error *err) {
  while (limit > 0) {
    size_t spare = out->capacity > 0 ? out->capacity - 1 - out->length : 0;
    size_t part = spare > 0 ? spare : READ_CHUNK;
    size_t room = out->ceiling - out->length;
    if (room == 0) { /* full: fine if this was all */
      char probe;
      ssize_t more = read(fd, &probe, 1);
      if (more < 0 && errno == EINTR) {
        continue;
      }
      return more > 0 ? too_large(err, path, out->ceiling) : BT_OK;
    }
    part = part < room ? part : room;
    part = part < limit ? part : limit;
    if (!bt_str_reserve(out, part)) {
      return bt_error_set(err, BT_NOMEM, path, "out of memory");
    }
    ssize_t count = read(fd, out->data + out->length, part);
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count < 0) {
      return bt_error_set_errno(err, errno, path, "cannot be read");
    }
    if (count == 0) {
      break;
    }
    out->length += (size_t)count;
    out->data[out->length] = '\0';
    limit -= (size_t)count;
  }
  return BT_OK;
}

enum bt_code bt_fs_read_fd(int fd, const char *path, struct bt_str *out, struct bt_error *err) {
  return read_rest(fd, path, SIZE_MAX, out, err);
}

/* Room for the whole file and for the one byte that would tell that it grew. */
static bool reserve_for(struct bt_str *out, size_t size) {
  return bt_str_reserve(out, size < out->ceiling - out->length ? size + 1 : size);
}

enum bt_code bt_fs_read_at(int dir, const char *path, struct bt_str *out, struct bt_error *err) {
  struct bt_fs_stat unused;
  return bt_fs_read_and_stat_at(dir, path, out, &unused, err);
}

enum bt_code bt_fs_read_and_stat_at(int dir, const char *path, struct bt_str *out, struct bt_fs_stat *what,
                                    struct bt_error *err) {
  struct bt_error own;
  struct stat found;
  err = own_or(err, &own);
  *what = (struct bt_fs_stat){.kind = BT_FS_ABSENT};
  int fd = open_regular(dir, path, &found, err);
  if (fd < 0) {
    return err->code;
  }
  describe(&found, what);
  enum bt_code code = BT_OK;
  if (found.st_size > 0 && (uint64_t)found.st_size > out->ceiling - out->length) {
    code = too_large(err, path, out->ceiling);
  } else if (!reserve_for(out, (size_t)found.st_size)) {
    code = bt_error_set(err, BT_NOMEM, path, "out of memory");
  } else {
    code = bt_fs_read_fd(fd, path, out, err);
  }
  (void)close(fd);
  return code;
}

enum bt_code bt_fs_read_tail_at(int dir, const char *path, size_t window, struct bt_str *out, int64_t *offset,
                                struct bt_error *err) {
  struct bt_error own;
  struct stat found;
  err = own_or(err, &own);
  int fd = open_regular(dir, path, &found, err);
  if (fd < 0) {
    return err->code;
  }
  enum bt_code code = BT_OK;
  *offset = found.st_size > 0 && (uint64_t)found.st_size > window ? (int64_t)found.st_size - (int64_t)window : 0;
  if (window > out->ceiling - out->length) {
    code = too_large(err, path, out->ceiling);
  } else if (lseek(fd, (off_t)*offset, SEEK_SET) < 0) {
    code = bt_error_set_errno(err, errno, path, "cannot be read");
  } else {
    code = read_rest(fd, path, window, out, err);
  }
  (void)close(fd);
  return code;
}

/* ------------------------------------------------------------- listings ----------------------- */

static int compare_names(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b); /* compares as unsigned char */
}

static bool is_dots(const char *name) {
  return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

/* All names, each with its NUL, in the order of the folder. */
static enum bt_code collect_names(DIR *folder, const char *path, struct bt_str *names, size_t *count,
                                  struct bt_error *err) {
  *count = 0;
  for (;;) {
    errno = 0;
    const struct dirent *entry = readdir(folder);
    if (entry == NULL) {
      return errno == 0 ? BT_OK : bt_error_set_errno(err, errno, path, "the folder cannot be listed");
    }
    if (is_dots(entry->d_name)) {
      continue;
    }
    bt_str_append(names, entry->d_name, strlen(entry->d_name) + 1);
    if (names->failed) {
      bool full = names->length + sizeof entry->d_name > names->ceiling;
      return full ? too_large(err, path, names->ceiling) : bt_error_set(err, BT_NOMEM, path, "out of memory");
    }
    *count += 1;
  }
}

enum bt_code bt_fs_list_at(int dir, const char *path, struct bt_fs_listing *out, struct bt_error *err) {
  struct bt_error own;
  struct bt_str names;
  enum bt_code code = BT_OK;
  size_t count = 0;
  err = own_or(err, &own);
  out->names = NULL;
  out->count = 0;
  bt_str_init(&names, LIST_BYTES_MAX);
  int fd = bt_fs_open_folder_at(dir, path, err);
  if (fd < 0) {
    return err->code;
  }
  DIR *folder = fdopendir(fd);
  if (folder == NULL) {
    code = bt_error_set_errno(err, errno, path, "the folder cannot be listed");
    (void)close(fd);
    return code;
  }
  code = collect_names(folder, path, &names, &count, err);
  (void)closedir(folder);
  if (code != BT_OK) {
    goto out;
  }
  /* One block: the pointers, then the bytes they point at. */
  char **list = malloc((count + 1) * sizeof *list + names.length + 1);
  if (list == NULL) {
    code = bt_error_set(err, BT_NOMEM, path, "out of memory");
    goto out;
  }
  char *bytes = (char *)(list + count + 1);
  memcpy(bytes, names.data, names.length);
  for (size_t i = 0; i < count; i++) {
    list[i] = bytes;
    bytes += strlen(bytes) + 1;
  }
  list[count] = NULL;
  qsort(list, count, sizeof *list, compare_names);
  out->names = list;
  out->count = count;
out:
  bt_str_dispose(&names);
  return code;
}

void bt_fs_listing_dispose(struct bt_fs_listing *listing) {
  free(listing->names);
  listing->names = NULL;
  listing->count = 0;
}
