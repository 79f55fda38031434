/* bench/gen_ledger.c - writes a ledger of N sessions in every state, the same for the same N.
 *
 *   gen_ledger FOLDER SESSIONS [MANIFEST_ENTRIES]
 * A third are open and bound to a capture that verifies, a third consumed, the rest open and unbound. With
 * MANIFEST_ENTRIES a plain manifest of that length is written too, signed with `test-key`. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base/digest.h"

static FILE *create(const char *folder, const char *rest, unsigned long n, const char *tail) {
  char path[4096];
  snprintf(path, sizeof path, "%s/.adlc/%s%05lu%s", folder, rest, n, tail);
  FILE *file = fopen(path, "w");
  if (!file) {
    perror(path);
    exit(1);
  }
  return file;
}

static void make_folder(const char *folder, const char *rest) {
  char path[4096];
  snprintf(path, sizeof path, "%s%s", folder, rest);
  mkdir(path, 0777);
}

static void write_session(const char *folder, unsigned long n) {
  char body[8192], hash[BT_SHA256_HEX];
  int length = snprintf(body, sizeof body, "## Ticket\n\n- id: T-%lu\n", n);
  for (int line = 0; line < 60; line++)
    length += snprintf(body + length, sizeof body - (size_t)length,
                       "line %d of the brief of session %lu, some words to read\n", line, n);
  bt_sha256_hex(body, (size_t)length, hash);
  FILE *deny = create(folder, "handoffs/denies/sess-", n, ".json");
  unsigned kind = (unsigned)(n % 3);
  if (kind == 2)
    fprintf(
        deny,
        "{\n  \"session_id\": \"sess-%05lu\",\n  \"ticket_id\": null,\n  \"content_hash\": null,\n  \"status\": \"open\",\n"
        "  \"since\": \"2026-11-30T10:00:00.000Z\",\n  \"host\": \"local\",\n  \"schema\": 1\n}\n",
        n);
  else
    fprintf(
        deny,
        "{\n  \"session_id\": \"sess-%05lu\",\n  \"ticket_id\": \"T-%lu\",\n  \"content_hash\": \"%s\",\n  \"status\": \"%s\",\n"
        "  \"since\": \"2026-11-30T10:00:00.000Z\",\n  \"host\": \"local\",\n  \"schema\": 1,\n  \"content_kind\": \"capture\"%s\n}\n",
        n, n, hash, kind ? "consumed" : "open",
        kind ? ",\n  \"consumed_by\": \"next\",\n  \"consumed_at\": \"2026-11-30T11:00:00.000Z\"" : "");
  fclose(deny);
  if (kind == 2)
    return;
  FILE *capture = create(folder, "handoffs/content/sess-", n, ".md");
  fwrite(body, 1, (size_t)length, capture);
  fclose(capture);
  FILE *final = create(folder, "handoffs/finals/sess-", n, ".json");
  fprintf(
      final,
      "{\n  \"schema\": 1,\n  \"session_id\": \"sess-%05lu\",\n  \"ticket_id\": \"T-%lu\",\n  \"written_at\": \"2026-11-30T10:00:01.000Z\",\n"
      "  \"host\": \"local\",\n  \"content_hash\": \"%s\",\n  \"content_kind\": \"capture\"\n}\n",
      n, n, hash);
  fclose(final);
}

static void write_manifest(const char *folder, unsigned long entries) {
  char path[4096], message[1024], previous[BT_SHA256_HEX + 2] = "null", hash[BT_SHA256_HEX], sig[BT_SHA256_HEX];
  snprintf(path, sizeof path, "%s/.adlc/manifest.jsonl", folder);
  FILE *file = fopen(path, "w");
  if (!file)
    exit(1);
  for (unsigned long seq = 1; seq <= entries; seq++) {
    int length = snprintf(
        message, sizeof message,
        "{\"seq\":%lu,\"gate\":\"context-handoff-write\",\"ts\":\"2026-11-30T10:00:00.000Z\",\"ticket\":\"T-%lu\",\"data\":{\"session_id\":"
        "\"sess-%05lu\",\"content_hash\":\"abc\",\"deny_reason\":\"ok\",\"rebound\":false},\"files\":{},\"prev\":%s}",
        seq, seq, seq % 1000, previous);
    bt_hmac_sha256_hex("test-key", 8, message, (size_t)length, sig);
    length += snprintf(message + length - 1, sizeof message - (size_t)length + 1, ",\"sig\":\"%s\"}", sig) - 1;
    bt_sha256_hex(message, (size_t)length, hash);
    snprintf(previous, sizeof previous, "\"%s\"", hash);
    fprintf(file, "%s\n", message);
  }
  fclose(file);
}

int main(int argc, char **argv) {
  if (argc < 3) {
    fprintf(stderr, "usage: gen_ledger FOLDER SESSIONS [MANIFEST_ENTRIES]\n");
    return 1;
  }
  unsigned long sessions = strtoul(argv[2], NULL, 10);
  static const char *const folders[] = {
      "", "/.adlc", "/.adlc/handoffs", "/.adlc/handoffs/denies", "/.adlc/handoffs/finals", "/.adlc/handoffs/content"};
  for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
    make_folder(argv[1], folders[i]);
  for (unsigned long n = 0; n < sessions; n++)
    write_session(argv[1], n);
  if (argc > 3)
    write_manifest(argv[1], strtoul(argv[3], NULL, 10));
  return 0;
}
