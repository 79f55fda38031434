/* tests/unit/test_command.c - words for sh: whatever the text, the shell hands it back byte for byte. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/ops/command.h"

/* What `sh -c "printf %s WORD"` prints. */
static void said_by_shell(const char *word, struct bt_str *out) {
  struct bt_str line;
  int pipes[2];
  bt_str_init(&line, 65536);
  bt_str_printf(&line, "printf %%s %s", word);
  assert_int_equal(pipe(pipes), 0);
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    dup2(pipes[1], 1);
    close(pipes[0]);
    execl("/bin/sh", "sh", "-c", line.data, (char *)NULL);
    _exit(127);
  }
  close(pipes[1]);
  char buffer[4096];
  ssize_t got;
  while ((got = read(pipes[0], buffer, sizeof buffer)) > 0)
    bt_str_append(out, buffer, (size_t)got);
  close(pipes[0]);
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(status, 0);
  bt_str_dispose(&line);
}

static void words_survive_the_shell(void **state) {
  (void)state;
  static const char *const texts[] = {"plain",
                                      "",
                                      "a b",
                                      "it's",
                                      "$HOME `id` $(id)",
                                      "a\\b\"c",
                                      "*?[x]{a,b}",
                                      "~",
                                      "#c",
                                      "!x",
                                      "tab\there",
                                      "line\nline",
                                      "esc\033[2Jx",
                                      "100%\033%s",
                                      ("\xc2\x9b"
                                       "2J"),
                                      "\xe2\x82\xac",
                                      "'\\\n'",
                                      "-x=y"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    struct bt_str word, said;
    bt_str_init(&word, 65536);
    bt_str_init(&said, 65536);
    bt_shell_word(&word, texts[i]);
    for (size_t k = 0; k < word.length; k++)
      assert_true((unsigned char)word.data[k] >= 0x20 && (unsigned char)word.data[k] != 0x7f);
    assert_null(strstr(word.data, "\xc2\x9b"));
    said_by_shell(word.data, &said);
    assert_string_equal(said.data, texts[i]);
    bt_str_dispose(&word);
    bt_str_dispose(&said);
  }
}

static void flags_come_in_a_form_the_parser_takes(void **state) {
  (void)state;
  const struct bt_env env = {.ledger_dir = "/home/op/it's/.adlc"};
  const struct bt_request request = {.verb = BT_VERB_UNLOCK,
                                     .session = "-dash",
                                     .pid = "7",
                                     .started_at = "2026-10-09T12:20:14.031Z",
                                     .host = "h",
                                     .nonce = "ab",
                                     .pid_reused = true};
  struct bt_str line;
  bt_str_init(&line, 65536);
  bt_command_line(&line, &env, &request);
  assert_string_equal(line.data, "baton unlock --dir '/home/op/it'\\''s/.adlc' --session=-dash --pid 7 "
                                 "--started-at 2026-10-09T12:20:14.031Z --host h --nonce ab --pid-reused --write");
  bt_str_dispose(&line);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(words_survive_the_shell),
                                     cmocka_unit_test(flags_come_in_a_form_the_parser_takes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
