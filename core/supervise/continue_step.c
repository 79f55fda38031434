/* core/supervise/continue_step.c - one child, its answer, and the capture it wrote. */
#include "core/supervise/continue_step.h"

#include <string.h>
#include <unistd.h>

#include "core/base/fs.h"
#include "core/base/utf8.h"
#include "core/store/capture.h"
#include "core/supervise/place.h"
#include "core/supervise/process.h"

#define OUTPUT_MAX ((size_t)8 * 1024 * 1024)
#define PATH_BYTES ((size_t)65536)
#define LAST_LINES 3

/* The last three lines of trimmed text, in one line. */
static void put_last_lines(struct bt_str *out, const struct bt_str *printed) {
  struct bt_slice text = bt_trim_w(printed->data, printed->length);
  size_t begin = text.length;
  int lines = 0;
  while (begin > 0) {
    if (text.data[begin - 1] == '\n' && ++lines == LAST_LINES)
      break;
    begin--;
  }
  for (size_t i = begin; i < text.length; i++)
    bt_str_putc(out, text.data[i] == '\n' ? ' ' : text.data[i]);
}

/* What a failed run says: its exit status and the end of what it printed. */
static enum bt_code failed_run(const struct bt_sup_exit *end, const struct bt_str *output,
                               const struct bt_str *complaints, struct bt_error *err) {
  struct bt_str words, decoded;
  bool silent = bt_is_blank_w(complaints->data, complaints->length);
  bt_str_init(&words, OUTPUT_MAX + 16);
  bt_str_init(&decoded, 3 * OUTPUT_MAX);
  put_last_lines(&words, silent ? output : complaints);
  bt_utf8_decode8(&decoded, words.data, words.length);
  enum bt_code code = bt_error_set(err, BT_REFUSED, "continue", "the continue step exited with %d: %s",
                                   end->signalled ? 1 : end->code, decoded.data);
  bt_str_dispose(&words);
  bt_str_dispose(&decoded);
  return code;
}

static enum bt_code run(const struct bt_env *env, const char *const *argv, char **environment, struct bt_str *output,
                        struct bt_error *err) {
  struct bt_process_spec spec = {
      .argv = argv, .cwd = env->root, .environment = environment, .no_input = true, .deaf = true};
  struct bt_sup_exit end = {0};
  struct bt_str complaints;
  bt_str_init(&complaints, OUTPUT_MAX);
  enum bt_code code = bt_process_gather(&spec, output, &complaints, &end, err);
  if (code == BT_OK && (end.signalled || end.code != 0))
    code = failed_run(&end, output, &complaints, err);
  bt_str_dispose(&complaints);
  return code;
}

enum bt_code bt_sup_continue(const struct bt_env *env, const char *session, bool with_transcript,
                             struct bt_sup_payload *payload, struct bt_error *err) {
  struct bt_str transcript, output;
  int64_t mtime_ns;
  *payload = (struct bt_sup_payload){0};
  bt_str_init(&transcript, PATH_BYTES);
  bt_str_init(&output, OUTPUT_MAX);
  bool captured = with_transcript && bt_sup_find_transcript(&transcript, env, session, &mtime_ns);
  const char *argv[] = {env->self_path,  "continue", "--deny-session",
                        session,         "--dir",    env->ledger_dir,
                        "--write",       "--json",   captured ? "--capture-from" : NULL,
                        transcript.data, NULL};
  char **environment = env->key != NULL ? bt_process_keyed_environment(env->key, env->key_length) : NULL;
  enum bt_code code = BT_OK;
  if (env->self_path == NULL)
    code = bt_error_set(err, BT_IO, "continue", "this program's own path is not known");
  else if (environment == NULL || transcript.failed)
    code = bt_error_set(err, BT_NOMEM, "continue", "out of memory");
  if (code == BT_OK)
    code = run(env, argv, environment, &output, err);
  if (code == BT_OK)
    code = bt_sup_payload_read(output.data, output.length, payload, err);
  bt_process_free_environment(environment);
  bt_str_dispose(&transcript);
  bt_str_dispose(&output);
  return code;
}

enum bt_code bt_sup_verify(const struct bt_env *env, const char *session, const char *content_hash,
                           struct bt_error *err) {
  const char *problem = NULL;
  int ledger = bt_fs_open_root(env->ledger_dir, err);
  if (ledger < 0)
    return BT_IO;
  enum bt_code code = bt_capture_read_verified(ledger, session, content_hash, NULL, &problem, err);
  close(ledger);
  if (code == BT_OK && problem != NULL)
    code = bt_error_set(err, BT_CORRUPT, session, "the brief of %s does not verify: %s", session, problem);
  return code;
}
