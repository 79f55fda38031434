/* cli/cmd_ui_line.c - poll on two descriptors. */
#include "cli/cmd_ui_line.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "core/base/utf8.h"

#define BUFFER_MAX (LINE_BYTES_MAX * 4)

void line_reader_init(struct line_reader *reader) {
  bt_str_init(&reader->bytes, BUFFER_MAX);
  reader->ended = false;
}

void line_reader_dispose(struct line_reader *reader) {
  bt_str_dispose(&reader->bytes);
}

static bool is_blank(char byte) {
  return byte == ' ' || byte == '\t' || byte == '\r';
}

/* Takes `taken` bytes off the front, of which the first `length` are the line. */
static void hand_out(struct line_reader *reader, size_t length, size_t taken, struct bt_str *line) {
  size_t start = 0;
  while (start < length && is_blank(reader->bytes.data[start]))
    start++;
  while (length > start && is_blank(reader->bytes.data[length - 1]))
    length--;
  bt_str_clear(line);
  if (length - start <= LINE_BYTES_MAX)
    bt_utf8_decode8(line, reader->bytes.data + start, length - start);
  if (line->failed)
    bt_str_clear(line);
  size_t rest = reader->bytes.length - taken;
  memmove(reader->bytes.data, reader->bytes.data + taken, rest);
  bt_str_truncate(&reader->bytes, rest);
}

static bool take_line(struct line_reader *reader, struct bt_str *line) {
  const char *newline = memchr(reader->bytes.data, '\n', reader->bytes.length);
  if (newline) {
    size_t length = (size_t)(newline - reader->bytes.data);
    hand_out(reader, length, length + 1, line);
    return true;
  }
  if (!reader->ended || reader->bytes.length == 0)
    return false;
  hand_out(reader, reader->bytes.length, reader->bytes.length, line);
  return true;
}

static void fill(struct line_reader *reader) {
  char chunk[1024];
  ssize_t got = read(STDIN_FILENO, chunk, sizeof(chunk));
  if (got > 0) {
    if (reader->bytes.length + (size_t)got > BUFFER_MAX)
      bt_str_clear(&reader->bytes); /* nobody types that: what is there is no line */
    bt_str_append(&reader->bytes, chunk, (size_t)got);
  } else if (got == 0 || (errno != EINTR && errno != EAGAIN)) {
    reader->ended = true;
  }
}

bool line_read(struct line_reader *reader, struct watch *watch, void (*changed)(void *context), void *context,
               struct bt_str *line) {
  while (!take_line(reader, line)) {
    if (reader->ended)
      return false;
    struct pollfd fds[] = {{.fd = STDIN_FILENO, .events = POLLIN},
                           {.fd = watch ? watch_fd(watch) : -1, .events = POLLIN}};
    int ready = poll(fds, 2, watch ? WATCH_POLL_MS : -1);
    if (ready < 0 && errno != EINTR)
      return false;
    bool told = watch && ready > 0 && (fds[1].revents & POLLIN) && watch_read(watch);
    bool found = watch && ready == 0 && watch_poll(watch);
    if ((told || found) && changed)
      changed(context);
    if (ready > 0 && fds[0].revents)
      fill(reader);
  }
  return true;
}
