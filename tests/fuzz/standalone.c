/* tests/fuzz/standalone.c - replays corpus files through a fuzz target in builds without libFuzzer.
 *
 * Arguments are files or folders of files; flags (they begin with "-") are the fuzzer's and passed over.
 * Each input is handed over as a block of exactly its size, so that a sanitizer sees one byte too far, and
 * once more cut in half and with one byte changed: cheap neighbours of every seed. */
#include <dirent.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/fuzz/fuzz.h"

enum { INPUT_MAX = 4 * 1024 * 1024 };

static void run_copy(const uint8_t *bytes, size_t size, size_t flip) {
  uint8_t *copy = malloc(size > 0 ? size : 1);
  FUZZ_CHECK(copy != NULL);
  memcpy(copy, bytes, size);
  if (flip < size) {
    copy[flip] ^= 0x84;
  }
  (void)LLVMFuzzerTestOneInput(copy, size);
  free(copy);
}

static bool run_file(const char *path) {
  FILE *file = fopen(path, "rb");
  uint8_t *bytes = malloc(INPUT_MAX);
  bool done = file != NULL && bytes != NULL;
  if (done) {
    size_t size = fread(bytes, 1, INPUT_MAX, file);
    run_copy(bytes, size, SIZE_MAX);
    run_copy(bytes, size / 2, SIZE_MAX);
    run_copy(bytes, size, size / 3);
  } else {
    fprintf(stderr, "%s: cannot be read\n", path);
  }
  free(bytes);
  if (file != NULL) {
    (void)fclose(file);
  }
  return done;
}

/* Gives the number of files, -1 when one could not be read. */
static long run_path(const char *path) {
  struct stat found;
  if (stat(path, &found) != 0 || !S_ISDIR(found.st_mode)) {
    return run_file(path) ? 1 : -1;
  }
  long count = 0;
  DIR *folder = opendir(path);
  if (folder == NULL) {
    return -1;
  }
  for (const struct dirent *entry = readdir(folder); entry != NULL && count >= 0; entry = readdir(folder)) {
    char file[4096];
    if (entry->d_name[0] == '.') {
      continue;
    }
    int length = snprintf(file, sizeof file, "%s/%s", path, entry->d_name);
    bool done = length > 0 && (size_t)length < sizeof file && run_file(file);
    count = done ? count + 1 : -1;
  }
  (void)closedir(folder);
  return count;
}

int main(int argc, char **argv) {
  long files = 0;
  for (int i = 1; i < argc; i++) {
    if (argv[i][0] == '-') {
      continue;
    }
    long count = run_path(argv[i]);
    if (count <= 0) {
      fprintf(stderr, "%s: no corpus there\n", argv[i]);
      return 1;
    }
    files += count;
  }
  printf("%ld inputs replayed\n", files);
  return files > 0 ? 0 : 1;
}
