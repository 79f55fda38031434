/* bench/gen_transcripts.c - writes Claude Code transcripts that are the same for the same arguments.
 *
 *   gen_transcripts FILE BYTES [CWD [LONG_LINE_BYTES]]
 *   gen_transcripts --store CLAUDE_DIR FILES BYTES_TOGETHER [CWD]
 * Records take 2-3 KB on average, mostly escaped tool output. Each file of a store has its own session and size; one of
 * them is a tenth of the whole. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct writer {
  FILE *file;
  uint64_t seed, written, goal;
  unsigned long session, record;
  const char *cwd;
};

static uint64_t next(struct writer *w) { /* xorshift */
  w->seed ^= w->seed << 13;
  w->seed ^= w->seed >> 7;
  w->seed ^= w->seed << 17;
  return w->seed;
}

static void put(struct writer *w, const char *text) {
  size_t length = strlen(text);
  if (fwrite(text, 1, length, w->file) != length) {
    perror("gen_transcripts");
    exit(1);
  }
  w->written += length;
}

static void put_session(struct writer *w, char out[40]) {
  snprintf(out, 40, "%08x-0000-4000-8000-%012x", (unsigned)(w->session * 2654435761UL), (unsigned)w->session);
}

/* The fields that every record has, up to its message. */
static void begin(struct writer *w, const char *type) {
  char head[1024], session[40];
  unsigned long second = w->record * 3;
  put_session(w, session);
  snprintf(head, sizeof head,
           "{\"parentUuid\":\"u-%lu-%lu\",\"isSidechain\":false,\"userType\":\"external\",\"cwd\":\"%s\",\"sessionId\":"
           "\"%s\",\"version\":\"2.1.40\","
           "\"gitBranch\":\"main\",\"type\":\"%s\",\"uuid\":\"u-%lu-%lu\",\"timestamp\":\"2026-%02lu-%02luT%02lu:%02lu:"
           "%02lu.000Z\",",
           w->session, w->record, w->cwd, session, type, w->session, w->record + 1, 1 + second / 2419200 % 12,
           1 + second / 86400 % 28, second / 3600 % 24, second / 60 % 60, second % 60);
  put(w, head);
  w->record++;
}

/* Tool output as it stands in a JSON string: lines, indents and quotes escaped. */
static void put_output(struct writer *w, uint64_t length) {
  static const char *const lines[] = {
      "   12\\t  if (!path || *path == 0)\\n",
      "\\u001b[31mFAIL\\u001b[0m test_reads_whole_file (0.02s)\\n",
      "drwxr-xr-x  5 dev dev  4096 Jan  1 src\\n",
      "{\\\"name\\\": \\\"widget\\\", \\\"type\\\": \\\"module\\\", \\\"main\\\": \\\"index.js\\\"}\\n",
      "src/main.c:120:14: warning: unused variable \\u2018count\\u2019\\n",
      "-    return size - offset;\\n+    return offset < size ? size - offset : 0;\\n",
      "the quick brown fox jumps over the lazy dog and then walks home along the river\\n"};
  for (uint64_t end = w->written + length; w->written < end;)
    put(w, lines[next(w) % (sizeof lines / sizeof *lines)]);
}

static void put_exchange(struct writer *w, uint64_t output_bytes) {
  char text[1024];
  if (w->record % 41 == 0) {
    begin(w, "assistant");
    snprintf(text, sizeof text,
             "\"message\":{\"id\":\"msg-%lu\",\"model\":\"claude-opus-4-6\",\"content\":[{\"type\":\"text\",\"text\":"
             "\"Part %lu is done. The reader now "
             "keeps what it knows of a file and looks only at what is new; the tests that cut it everywhere pass, and "
             "the two that were slow are not. "
             "What is left is the listing of folders, which I would do next, after you have had a look at the numbers "
             "above.\"}],"
             "\"stop_reason\":\"end_turn\"}}\n",
             w->record, w->record);
    put(w, text);
    begin(w, "user");
    snprintf(text, sizeof text,
             "\"message\":{\"role\":\"user\",\"content\":\"Please look at part %lu again. The numbers look fine to me, "
             "but the second table is not sorted as "
             "the first one is, and I would like the same order in both before we go on with the folders.\"}}\n",
             w->record);
    put(w, text);
  }
  begin(w, "assistant");
  snprintf(text, sizeof text,
           "\"requestId\":\"req-%lu\",\"message\":{\"id\":\"msg-%lu\",\"type\":\"message\",\"role\":\"assistant\","
           "\"model\":\"claude-opus-4-6\",\"content\":"
           "[{\"type\":\"tool_use\",\"id\":\"toolu-%lu\",\"name\":\"Bash\",\"input\":{\"command\":\"make -C build "
           "test\"}}],\"stop_reason\":\"tool_use\","
           "\"usage\":{\"input_tokens\":6,\"cache_read_input_tokens\":%lu,\"cache_creation_input_tokens\":900,\"output_"
           "tokens\":120}}}\n",
           w->record, w->record, w->record, 8000 + w->record % 4000 * 40);
  put(w, text);
  begin(w, "user");
  snprintf(text, sizeof text,
           "\"message\":{\"role\":\"user\",\"content\":[{\"tool_use_id\":\"toolu-%lu\",\"type\":\"tool_result\","
           "\"content\":\"",
           w->record - 1);
  put(w, text);
  put_output(w, output_bytes);
  put(w, "\"}]}}\n");
}

static void write_file(const char *path, unsigned long session, uint64_t bytes, const char *cwd, uint64_t long_line) {
  struct writer w = {.seed = UINT64_C(0x9e3779b97f4a7c15) + session, .goal = bytes, .session = session, .cwd = cwd};
  w.file = fopen(path, "w");
  if (!w.file) {
    perror(path);
    exit(1);
  }
  for (int i = 0; i < 8; i++)
    (void)next(&w);
  while (w.written < w.goal) {
    bool is_long = long_line && w.written > w.goal / 2;
    put_exchange(&w, is_long ? long_line : 500 + next(&w) % 8000);
    if (is_long)
      long_line = 0;
  }
  if (fclose(w.file) != 0) {
    perror(path);
    exit(1);
  }
}

int main(int argc, char **argv) {
  if (argc >= 5 && strcmp(argv[1], "--store") == 0) {
    unsigned long files = strtoul(argv[3], NULL, 10);
    uint64_t together = strtoull(argv[4], NULL, 10), left = together - together / 10;
    const char *cwd = argc > 5 ? argv[5] : "/home/dev/widget";
    char path[4096];
    mkdir(argv[2], 0777);
    snprintf(path, sizeof path, "%s/projects", argv[2]);
    mkdir(path, 0777);
    snprintf(path, sizeof path, "%s/projects/-home-dev-widget", argv[2]);
    mkdir(path, 0777);
    for (unsigned long n = 0; n < files; n++) {
      struct writer name = {.session = n + 1};
      char session[40];
      put_session(&name, session);
      uint64_t share = left / files, bytes = n == 0 ? together / 10 : share / 4 + (n * 7919 % 1000) * share * 3 / 2000;
      snprintf(path, sizeof path, "%s/projects/-home-dev-widget/%s.jsonl", argv[2], session);
      write_file(path, n + 1, bytes, cwd, 0);
    }
    return 0;
  }
  if (argc < 3) {
    fprintf(stderr, "usage: gen_transcripts FILE BYTES [CWD [LONG_LINE_BYTES]]\n       gen_transcripts --store "
                    "CLAUDE_DIR FILES BYTES_TOGETHER [CWD]\n");
    return 1;
  }
  write_file(argv[1], 1, strtoull(argv[2], NULL, 10), argc > 3 ? argv[3] : "/home/dev/widget",
             argc > 4 ? strtoull(argv[4], NULL, 10) : 0);
  return 0;
}
