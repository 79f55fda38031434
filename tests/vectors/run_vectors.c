/* tests/vectors/run_vectors.c - runs every case of the vector files in a folder: run_vectors DIR [options].
 *
 * One line a file: `area: passed/total`, with the skipped count where there are any; differences go to stderr; the
 * last line is `N passed, N failed, N skipped`. Exits 0 only if nothing failed (skipped is not failed), 2 on bad usage.
 */
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/utf8.h"
#include "tests/vectors/area.h"
#include "tests/vectors/support.h"

enum { CASE_SECONDS = 120, LINES_PER_CASE = 6 };

struct options {
  const char *dir, *area, *name;
  bool incremental;
};

struct entry {
  const char *list;
  const struct bt_json *json;
  char name[160];
};

struct tally {
  size_t passed, failed, skipped;
};

struct file {
  const char *area;
  struct bt_json *document;
  struct entry *entries;
  size_t count;
};

/* Lines said about the present case, in the child that runs it. */
static size_t lines_told;

static void tell(const struct vec_case *vec, const char *verdict, const char *fmt, va_list args) {
  if (lines_told++ >= LINES_PER_CASE)
    return;
  char line[2000];
  vsnprintf(line, sizeof line, fmt, args);
  struct bt_str shown;
  bt_str_init(&shown, VEC_TEXT_MAX);
  bt_text_visible(&shown, line, strlen(line));
  fprintf(stderr, "%s: %s: %s: %s\n", vec->area, vec->name, verdict, shown.data);
  bt_str_dispose(&shown);
}

enum vec_result vec_fail(const struct vec_case *vec, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  tell(vec, "differs", fmt, args);
  va_end(args);
  return VEC_FAIL;
}

enum vec_result vec_skip(const struct vec_case *vec, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  tell(vec, "skipped", fmt, args);
  va_end(args);
  return VEC_SKIP;
}

static enum vec_result run_case(const struct vec_area *area, const struct file *file, const struct entry *entry,
                                const struct options *options) {
  struct bt_json *decoded = vec_decode(entry->json);
  const struct vec_case vec = {
      .area = area->name,
      .list = entry->list,
      .name = entry->name,
      .document = file->document,
      .json = decoded,
      .input = bt_json_get(decoded, "input"),
      .expected = bt_json_get(decoded, "expected"),
      .incremental = options->incremental,
  };
  lines_told = 0;
  enum vec_result result = area->run(&vec);
  bt_json_free(decoded);
  return result;
}

/* Ends the process after so many seconds of its own work, however busy the machine is; 0: never. One that waits for ever
 * is ended by the time limit of the whole run. */
static void limit_cpu(time_t seconds) {
  const struct itimerval limit = {.it_value = {.tv_sec = seconds}};
  vec_require(setitimer(ITIMER_PROF, &limit, NULL) == 0, "timer");
}

/* The child: one byte a case goes to the parent, which knows from their number which case it died in. */
static void run_cases_from(const struct vec_area *area, const struct file *file, size_t start, int out,
                           const struct options *options) {
  for (size_t i = start; i < file->count; i++) {
    limit_cpu(CASE_SECONDS);
    char byte = "PFS"[run_case(area, file, &file->entries[i], options)];
    limit_cpu(0);
    vec_require(write(out, &byte, 1) == 1, "pipe");
  }
}

static void count_byte(struct tally *tally, char byte) {
  if (byte == 'P')
    tally->passed++;
  else if (byte == 'S')
    tally->skipped++;
  else
    tally->failed++;
}

/* Runs the cases from `start` on in a child; answers the index after the last one that is accounted for. */
static size_t run_batch(const struct vec_area *area, const struct file *file, size_t start, struct tally *tally,
                        const struct options *options) {
  int ends[2];
  vec_require(pipe(ends) == 0, "pipe");
  fflush(NULL);
  pid_t child = fork();
  vec_require(child >= 0, "fork");
  if (child == 0) {
    close(ends[0]);
    run_cases_from(area, file, start, ends[1], options);
    fflush(NULL);
    exit(0); /* not _exit: leak checkers report at exit */
  }
  close(ends[1]);
  size_t at = start;
  char byte;
  ssize_t got;
  while ((got = read(ends[0], &byte, 1)) == 1 || (got < 0 && errno == EINTR)) {
    if (got == 1) {
      count_byte(tally, byte);
      at++;
    }
  }
  close(ends[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (at == file->count && !(WIFEXITED(status) && WEXITSTATUS(status) == 0)) {
    fprintf(stderr, "%s: the run ended badly after its last case (status 0x%x)\n", file->area, (unsigned)status);
    tally->failed++;
  } else if (at < file->count) {
    fprintf(stderr, "%s: %s: died (%s %d)\n", file->area, file->entries[at].name,
            WIFSIGNALED(status) ? "signal" : "status", WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    tally->failed++;
    at++;
  }
  return at;
}

static const struct vec_area *find_area(const char *name) {
  for (size_t i = 0; i < vec_area_count; i++)
    if (strcmp(vec_areas[i].name, name) == 0)
      return &vec_areas[i];
  return NULL;
}

static void name_entry(struct entry *entry, size_t index) {
  const char *name = bt_json_get_string(entry->json, "name");
  if (!name)
    name = bt_json_get_string(entry->json, "id");
  if (name)
    snprintf(entry->name, sizeof entry->name, "%s%s%s", strcmp(entry->list, "cases") == 0 ? "" : entry->list,
             strcmp(entry->list, "cases") == 0 ? "" : " ", name);
  else
    snprintf(entry->name, sizeof entry->name, "%s[%zu]", entry->list, index);
}

/* Every element of every list at the top of the file is a case. */
static void collect_entries(struct file *file, const struct options *options) {
  size_t room = 0;
  for (const struct bt_json *list = bt_json_first(file->document); list; list = bt_json_next(list))
    room += bt_json_type(list) == BT_JSON_ARRAY ? bt_json_count(list) : 0;
  file->entries = calloc(room + 1, sizeof *file->entries);
  vec_require(file->entries != NULL, "memory");
  for (const struct bt_json *list = bt_json_first(file->document); list; list = bt_json_next(list)) {
    if (bt_json_type(list) != BT_JSON_ARRAY)
      continue;
    size_t index = 0;
    for (const struct bt_json *json = bt_json_first(list); json; json = bt_json_next(json), index++) {
      struct entry *entry = &file->entries[file->count];
      entry->list = bt_json_key(list);
      entry->json = json;
      name_entry(entry, index);
      if (!options->name || strstr(entry->name, options->name))
        file->count++;
    }
  }
}

static struct bt_json *read_document(const char *path) {
  struct bt_str bytes;
  bt_str_init(&bytes, VEC_TEXT_MAX);
  FILE *in = fopen(path, "rb");
  struct bt_json *document = NULL;
  if (in) {
    char buffer[65536];
    size_t got;
    while ((got = fread(buffer, 1, sizeof buffer, in)) > 0)
      bt_str_append(&bytes, buffer, got);
    if (!ferror(in) && !bytes.failed) {
      struct bt_error err = {0};
      document = bt_json_parse(bytes.data, bytes.length, &err);
      if (!document)
        fprintf(stderr, "%s: %s\n", path, err.message);
    }
    fclose(in);
  }
  bt_str_dispose(&bytes);
  return document;
}

static void run_file(const char *file_name, struct tally *total, const struct options *options) {
  char path[4096], stem[256];
  snprintf(path, sizeof path, "%s/%s", options->dir, file_name);
  snprintf(stem, sizeof stem, "%.*s", (int)(strlen(file_name) - strlen(".json")), file_name);
  struct file file = {.document = read_document(path)};
  if (!file.document) {
    fprintf(stderr, "%s: cannot be read\n", path);
    total->failed++;
    return;
  }
  const char *given = bt_json_get_string(file.document, "area");
  file.area = given ? given : stem;
  if (!options->area || strcmp(options->area, file.area) == 0) {
    collect_entries(&file, options);
    const struct vec_area *area = find_area(file.area);
    struct tally tally = {0};
    if (!area)
      tally.skipped = file.count;
    for (size_t at = 0; area && at < file.count;)
      at = run_batch(area, &file, at, &tally, options);
    printf("%s: %zu/%zu", file.area, tally.passed, file.count);
    if (tally.skipped)
      printf(" (%zu skipped)", tally.skipped);
    putchar('\n');
    total->passed += tally.passed;
    total->failed += tally.failed;
    total->skipped += tally.skipped;
  }
  free(file.entries);
  bt_json_free(file.document);
}

static int by_name(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Names of the *.json files, sorted. NULL when the folder cannot be read. */
static char **list_files(const char *dir, size_t *count) {
  DIR *folder = opendir(dir);
  if (!folder)
    return NULL;
  char **names = NULL;
  *count = 0;
  for (struct dirent *item; (item = readdir(folder));) {
    size_t length = strlen(item->d_name);
    if (length <= 5 || strcmp(item->d_name + length - 5, ".json") != 0)
      continue;
    names = realloc(names, (*count + 1) * sizeof *names);
    vec_require(names != NULL, "memory");
    names[*count] = strdup(item->d_name);
    vec_require(names[*count] != NULL, "memory");
    (*count)++;
  }
  closedir(folder);
  if (names)
    qsort(names, *count, sizeof *names, by_name);
  return names;
}

static bool parse_options(struct options *options, int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--incremental") == 0)
      options->incremental = true;
    else if (strcmp(argv[i], "--area") == 0 && i + 1 < argc)
      options->area = argv[++i];
    else if (strcmp(argv[i], "--case") == 0 && i + 1 < argc)
      options->name = argv[++i];
    else if (argv[i][0] != '-' && !options->dir)
      options->dir = argv[i];
    else
      return false;
  }
  return options->dir != NULL;
}

int main(int argc, char **argv) {
  struct options options = {0};
  if (!parse_options(&options, argc, argv)) {
    fputs("usage: run_vectors DIR [--area AREA] [--case PART-OF-NAME] [--incremental]\n", stderr);
    return 2;
  }
  signal(SIGPIPE, SIG_IGN);
  size_t count = 0;
  char **names = list_files(options.dir, &count);
  if (!names) {
    fprintf(stderr, "%s: no vector files\n", options.dir);
    return 2;
  }
  struct tally total = {0};
  for (size_t i = 0; i < count; i++) {
    run_file(names[i], &total, &options);
    free(names[i]);
  }
  free(names);
  printf("%zu passed, %zu failed, %zu skipped\n", total.passed, total.failed, total.skipped);
  return total.failed ? 1 : 0;
}
