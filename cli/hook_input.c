/* cli/hook_input.c - standard input and the way to the root. */
#include "cli/hook_input.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/utf8.h"
#include "core/hook/call.h"
#include "core/hook/place.h"

#define READ_BLOCK 65536
#define PATH_BYTES ((size_t)1024 * 1024)

bool hook_read_document(struct bt_str *out, struct bt_error *err) {
  char block[READ_BLOCK];
  for (;;) {
    ssize_t got = read(STDIN_FILENO, block, sizeof block);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      (void)bt_error_set_errno(err, errno, "hook document", "the hook document cannot be read");
    if (got <= 0)
      return got == 0;
    bt_str_append(out, block, (size_t)got);
    if (out->failed && !out->full) {
      (void)bt_error_set(err, BT_NOMEM, "hook document", "out of memory");
      return false;
    }
    if (out->failed) {
      (void)bt_error_set(err, BT_TOO_LARGE, "hook document", "the hook document is larger than %zu bytes",
                         out->ceiling);
      return false;
    }
  }
}

enum bt_code hook_enter_root(struct cli_env *cli, const char *cwd, bool *found, struct bt_error *err) {
  struct bt_str root, project;
  const char *variable = getenv("CLAUDE_PROJECT_DIR");
  bt_str_init(&root, PATH_BYTES);
  bt_str_init(&project, PATH_BYTES);
  if (variable != NULL)
    bt_utf8_decode8(&project, variable, strlen(variable));
  *found = bt_hook_find_root(&root, cli->env.cwd, cwd) || bt_hook_find_root(&root, cli->env.cwd, project.data) ||
           bt_hook_find_root(&root, cli->env.cwd, ".");
  enum bt_code code = root.failed || project.failed ? bt_error_set(err, BT_NOMEM, "root", "out of memory") : BT_OK;
  if (code == BT_OK && *found) {
    if (root.data[root.length - 1] != '/')
      bt_str_putc(&root, '/');
    bt_str_puts(&root, ".adlc");
    code = root.failed ? bt_error_set(err, BT_NOMEM, "root", "out of memory") : cli_env_set_dir(cli, root.data, err);
  }
  bt_str_dispose(&root);
  bt_str_dispose(&project);
  return code;
}
