/* cli/out.c - stdout for data, stderr for words about failures. */
#include "cli/out.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "core/base/utf8.h"

#define SAID_MAX ((size_t)16 * 1024)
#define SHOWN_MAX ((size_t)64 << 20)

int out_error(const struct bt_error *err) {
  int status = bt_code_exit_status(err->code);
  const char *message = err->message[0] != '\0' ? err->message : bt_code_words(err->code);
  bool named = err->subject[0] == '\0' || strstr(message, err->subject) != NULL;
  fprintf(stderr, "%s%s%s%s\n", status == 2 ? "" : "error: ", message, named ? "" : ": ", named ? "" : err->subject);
  return status;
}

void out_warning(const char *text) {
  struct bt_str visible;
  bt_str_init(&visible, 4096);
  bt_text_visible(&visible, text, strlen(text));
  fprintf(stderr, "warning: %s\n", visible.data);
  bt_str_dispose(&visible);
}

void out_say(const char *format, ...) {
  char line[SAID_MAX];
  struct bt_str visible;
  va_list arguments;
  va_start(arguments, format);
  (void)vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  bt_str_init(&visible, sizeof line * 12);
  bt_text_visible(&visible, line, strlen(line));
  fprintf(stderr, "%s\n", visible.data);
  bt_str_dispose(&visible);
}

int out_flush(void) {
  if (fflush(stdout) == 0 && !ferror(stdout))
    return 0;
  if (errno == EPIPE)
    return 0;
  fprintf(stderr, "error: cannot write to stdout: %s\n", bt_errno_name(errno));
  return 1;
}

int out_line(const char *text) {
  fputs(text, stdout);
  fputc('\n', stdout);
  return out_flush();
}

int out_text(const struct bt_str *text) {
  fwrite(text->data, 1, text->length, stdout);
  return out_flush();
}

int out_text_visible(const struct bt_str *text) {
  struct bt_str visible;
  bt_str_init(&visible, SHOWN_MAX);
  const char *at = text->data, *end = text->data + text->length;
  while (at < end) {
    const char *lf = memchr(at, '\n', (size_t)(end - at));
    const char *stop = lf != NULL ? lf : end;
    bt_text_visible(&visible, at, (size_t)(stop - at));
    if (lf != NULL)
      bt_str_putc(&visible, '\n');
    at = lf != NULL ? lf + 1 : end;
  }
  int status = out_text(&visible);
  bt_str_dispose(&visible);
  return status;
}
