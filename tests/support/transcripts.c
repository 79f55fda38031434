/* tests/support/transcripts.c - see transcripts.h. */
#include "tests/support/transcripts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/harness/transcript.h"

int transcript_file(void) {
  char path[] = "/tmp/baton-transcript-XXXXXX";
  int fd = mkstemp(path);
  assert_true(fd >= 0);
  unlink(path);
  return fd;
}

char *quoted(const char *text) {
  char *copy = strdup(text);
  assert_non_null(copy);
  for (char *at = copy; (at = strchr(at, '\'')) != NULL;)
    *at = '"';
  return copy;
}

struct bt_transcript_facts facts_of_bytes(enum bt_harness harness, const char *stem, const char *bytes, size_t length) {
  struct bt_transcript_facts facts;
  int fd = transcript_file();
  assert_int_equal(write(fd, bytes, length), (ssize_t)length);
  struct bt_transcript *transcript = bt_transcript_new(stem, harness);
  assert_non_null(transcript);
  assert_int_equal(bt_transcript_update(transcript, fd, NULL, NULL), BT_OK);
  assert_int_equal(bt_facts_copy(&facts, bt_transcript_facts(transcript)), BT_OK);
  bt_transcript_free(transcript);
  close(fd);
  return facts;
}

struct bt_transcript_facts facts_of(enum bt_harness harness, const char *text) {
  char *bytes = quoted(text);
  struct bt_transcript_facts facts = facts_of_bytes(harness, TRANSCRIPT_STEM, bytes, strlen(bytes));
  free(bytes);
  return facts;
}
