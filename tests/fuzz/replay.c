/* tests/fuzz/replay.c - runs one fuzz target over files and folders of files, where no fuzzer is linked in. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static unsigned replayed;

static int replay_file(const char *path) {
  FILE *in = fopen(path, "rb");
  if (!in)
    return 1;
  uint8_t *bytes = NULL;
  size_t size = 0, got;
  do {
    uint8_t *grown = realloc(bytes, size + 65536);
    if (!grown)
      break;
    bytes = grown;
    got = fread(bytes + size, 1, 65536, in);
    size += got;
  } while (got > 0);
  int failed = ferror(in);
  fclose(in);
  /* a block of exactly this size, so that a sanitizer sees a read past the end */
  uint8_t *exact = malloc(size ? size : 1);
  if (bytes && exact && !failed) {
    memcpy(exact, bytes, size);
    LLVMFuzzerTestOneInput(exact, size);
    replayed++;
  }
  free(exact);
  free(bytes);
  return failed;
}

static int replay(const char *path) {
  struct stat st;
  if (stat(path, &st) != 0)
    return 1;
  if (!S_ISDIR(st.st_mode))
    return replay_file(path);
  DIR *folder = opendir(path);
  if (!folder)
    return 1;
  int failed = 0;
  for (struct dirent *item; (item = readdir(folder));) {
    char inner[4096];
    if (item->d_name[0] != '.' && snprintf(inner, sizeof inner, "%s/%s", path, item->d_name) < (int)sizeof inner)
      failed |= replay_file(inner);
  }
  closedir(folder);
  return failed;
}

int main(int argc, char **argv) {
  int failed = argc < 2;
  for (int i = 1; i < argc; i++)
    failed |= replay(argv[i]);
  printf("%u inputs replayed\n", replayed);
  return failed || !replayed;
}
