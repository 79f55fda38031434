/* tests/support/steps.c - reading scripts. */
#include "tests/support/steps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SOURCE_MAX 65536

static const char *const words[STEP_KIND_COUNT] = {
    [STEP_LEDGER] = "ledger",       [STEP_WITHOUT_KEY] = "without", [STEP_READONLY] = "readonly",
    [STEP_HANDOVERS] = "handovers", [STEP_SIZES] = "sizes",         [STEP_KEY] = "key",
    [STEP_TYPE] = "type",           [STEP_PASTE] = "paste",         [STEP_SIZE] = "size",
    [STEP_CLOCK] = "clock",         [STEP_WRITE] = "write",         [STEP_REMOVE] = "remove",
    [STEP_EXPECT] = "expect",       [STEP_SHOWS] = "shows",         [STEP_UNCHANGED] = "unchanged",
    [STEP_QUITS] = "quits"};

static bool read_source(struct steps *steps, const char *path) {
  FILE *file = fopen(path, "rb");
  steps->source = malloc(SOURCE_MAX);
  size_t length = file && steps->source ? fread(steps->source, 1, SOURCE_MAX, file) : SOURCE_MAX;
  if (file)
    fclose(file);
  if (length == SOURCE_MAX) {
    fprintf(stderr, "%s: not readable, or too long\n", path);
    return false;
  }
  steps->source[length] = 0;
  return true;
}

static bool read_line(struct steps *steps, char *line, int number) {
  size_t word = strcspn(line, " ");
  char *text = line[word] ? line + word + 1 : line + word;
  for (int kind = 0; kind < STEP_KIND_COUNT; kind++) {
    if (strlen(words[kind]) != word || strncmp(words[kind], line, word) != 0)
      continue;
    if (steps->count == STEPS_MAX)
      return false;
    steps->list[steps->count++] = (struct step){(enum step_kind)kind, number, text};
    return true;
  }
  return false;
}

bool steps_read(struct steps *steps, const char *path) {
  int number = 0;
  memset(steps, 0, sizeof *steps);
  if (!read_source(steps, path))
    return false;
  for (char *line = steps->source, *next; line && *line; line = next) {
    next = strchr(line, '\n');
    if (next)
      *next++ = 0;
    number++;
    if (*line == 0 || *line == '#')
      continue;
    if (!read_line(steps, line, number)) {
      fprintf(stderr, "%s:%d: not understood: %s\n", path, number, line);
      return false;
    }
  }
  return true;
}

void steps_dispose(struct steps *steps) {
  free(steps->source);
  steps->source = NULL;
  steps->count = 0;
}

void steps_unescape(char *text) {
  char *to = text;
  for (; *text; text++) {
    if (text[0] == '\\' && (text[1] == 'n' || text[1] == '\\'))
      *to++ = *++text == 'n' ? '\n' : '\\';
    else
      *to++ = *text;
  }
  *to = 0;
}
