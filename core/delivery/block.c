/* core/delivery/block.c - fences of a pull request's description. */
#include "core/delivery/block.h"

#include <string.h>

#include "core/delivery/fields.h"

#define DEDICATED "verified-delivery-handoff"

struct scan {
  const char *body;
  size_t length, at;
};

/* The next line without its LF and one CR before it; false at the end of the body. */
static bool next_line(struct scan *scan, struct bt_slice *line) {
  if (scan->at >= scan->length)
    return false;
  const char *from = scan->body + scan->at;
  const char *lf = memchr(from, '\n', scan->length - scan->at);
  size_t length = lf != NULL ? (size_t)(lf - from) : scan->length - scan->at;
  scan->at += length + (lf != NULL);
  if (length > 0 && from[length - 1] == '\r')
    length--;
  *line = (struct bt_slice){from, length};
  return true;
}

/* 0 to 3 spaces, then three or more backticks or tildes; what follows them is `rest`. 0: no fence. */
static size_t fence_at(struct bt_slice line, char *character, struct bt_slice *rest) {
  size_t from = 0, run = 0;
  while (from < line.length && from < 4 && line.data[from] == ' ')
    from++;
  if (from > 3 || from >= line.length || (line.data[from] != '`' && line.data[from] != '~'))
    return 0;
  *character = line.data[from];
  while (from + run < line.length && line.data[from + run] == *character)
    run++;
  *rest = (struct bt_slice){line.data + from + run, line.length - from - run};
  return run >= 3 ? run : 0;
}

static bool is_space(char byte) {
  return byte == ' ' || byte == '\t' || byte == '\v' || byte == '\f' || byte == '\r';
}

static struct bt_slice next_word(struct bt_slice *rest) {
  while (rest->length > 0 && is_space(rest->data[0])) {
    rest->data++;
    rest->length--;
  }
  struct bt_slice word = {rest->data, 0};
  while (word.length < rest->length && !is_space(word.data[word.length]))
    word.length++;
  rest->data += word.length;
  rest->length -= word.length;
  return word;
}

/* Whether the info string is one of ours. */
static bool is_json(struct bt_slice info, bool *dedicated) {
  struct bt_slice word = next_word(&info);
  bool json = word.length == 4 && bt_ascii_same(word.data, "json", 4);
  *dedicated = json && bt_slice_equals(next_word(&info), DEDICATED);
  return json;
}

static bool closes(struct bt_slice line, char character, size_t length) {
  struct bt_slice rest;
  char found = '\0';
  size_t run = fence_at(line, &found, &rest);
  if (run < length || found != character)
    return false;
  for (size_t i = 0; i < rest.length; i++) {
    if (rest.data[i] != ' ' && rest.data[i] != '\t')
      return false;
  }
  return true;
}

static bool add_block(struct bt_arena *arena, struct bt_blocks *blocks, size_t *room, const struct bt_block *block) {
  if (blocks->count == *room) {
    *room = *room > 0 ? 2 * *room : 4;
    struct bt_block *items = BT_ARENA_ARRAY(arena, struct bt_block, *room);
    if (items == NULL)
      return false;
    if (blocks->count > 0)
      memcpy(items, blocks->items, blocks->count * sizeof *items);
    blocks->items = items;
  }
  blocks->items[blocks->count++] = *block;
  return true;
}

/* Reads on to the end of the fence that has just opened; gathers its lines when somebody wants them. */
static void read_fence(struct scan *scan, char character, size_t length, struct bt_str *payload, bool wanted,
                       struct bt_blocks *blocks) {
  struct bt_slice line;
  bt_str_clear(payload);
  while (next_line(scan, &line)) {
    if (closes(line, character, length))
      return;
    if (wanted) {
      bt_str_append(payload, line.data, line.length);
      bt_str_putc(payload, '\n');
    }
  }
  blocks->open_fence = character;
  blocks->open_fence_length = length;
}

enum bt_code bt_blocks_find(struct bt_arena *arena, const char *body, size_t length, struct bt_blocks *blocks,
                            struct bt_error *err) {
  struct scan scan = {body, length, 0};
  struct bt_str payload;
  struct bt_slice line, info;
  size_t room = 0, start = 0;
  enum bt_code code = BT_OK;
  char character = '\0';
  *blocks = (struct bt_blocks){.items = NULL};
  bt_str_init(&payload, length + 1);
  for (; code == BT_OK && next_line(&scan, &line); start = scan.at) {
    size_t run = fence_at(line, &character, &info);
    if (run == 0 || (character == '`' && memchr(info.data, '`', info.length) != NULL))
      continue;
    struct bt_block block = {.start = start};
    bool wanted = is_json(info, &block.dedicated);
    read_fence(&scan, character, run, &payload, wanted, blocks);
    block.end = scan.at;
    if (!wanted)
      continue;
    code = payload.failed ? BT_NOMEM : bt_delivery_read(arena, payload.data, payload.length, &block.reading, err);
    bool ours = block.dedicated || !block.reading.foreign;
    if (code == BT_OK && ours && !add_block(arena, blocks, &room, &block))
      code = BT_NOMEM;
  }
  bt_str_dispose(&payload);
  while (blocks->governing < blocks->count && blocks->items[blocks->governing].reading.kind == BT_DELIVERY_CLOSED)
    blocks->governing++;
  return code == BT_OK ? BT_OK : bt_error_set(err, BT_NOMEM, "description", "out of memory");
}

/* ---- writing ---- */

static const char *line_end_of(const char *body, size_t length) {
  const char *lf = length > 0 ? memchr(body, '\n', length) : NULL;
  return lf != NULL && lf > body && lf[-1] == '\r' ? "\r\n" : "\n";
}

static size_t longest_run(const struct bt_str *text, char character) {
  size_t longest = 0, run = 0;
  for (size_t i = 0; i < text->length; i++) {
    run = text->data[i] == character ? run + 1 : 0;
    longest = run > longest ? run : longest;
  }
  return longest;
}

static void put_fence(struct bt_str *out, char character, size_t length) {
  for (size_t i = 0; i < length; i++)
    bt_str_putc(out, character);
}

static void put_record(struct bt_str *out, const struct bt_str *payload, const char *line_end) {
  size_t run = longest_run(payload, '`');
  size_t fence = run >= 3 ? run + 1 : 3;
  put_fence(out, '`', fence);
  bt_str_printf(out, "json %s%s", DEDICATED, line_end);
  for (size_t i = 0; i < payload->length; i++) {
    if (payload->data[i] == '\n')
      bt_str_puts(out, line_end);
    else
      bt_str_putc(out, payload->data[i]);
  }
  bt_str_puts(out, line_end);
  put_fence(out, '`', fence);
  bt_str_puts(out, line_end);
}

/* An empty line before the block, and an end to a fence that would swallow it. */
static void put_gap(struct bt_str *out, const char *body, size_t length, const struct bt_blocks *blocks,
                    const char *line_end) {
  bool ended = length == 0 || body[length - 1] == '\n';
  size_t end_size = strlen(line_end);
  if (!ended)
    bt_str_puts(out, line_end);
  if (blocks->open_fence != '\0') {
    put_fence(out, blocks->open_fence, blocks->open_fence_length);
    bt_str_puts(out, line_end);
  }
  bool blank = blocks->open_fence == '\0' && ended &&
               (length == 0 || length == end_size ||
                (length >= 2 * end_size && memcmp(body + length - 2 * end_size, line_end, end_size) == 0));
  if (!blank)
    bt_str_puts(out, line_end);
}

void bt_block_put(struct bt_str *out, const char *body, size_t length, const struct bt_blocks *blocks,
                  const struct bt_str *payload) {
  const char *line_end = line_end_of(body, length);
  size_t place = blocks->governing;
  if (place == blocks->count) {
    place = 0;
    while (place < blocks->count && !blocks->items[place].dedicated)
      place++;
  }
  if (place == blocks->count) {
    bt_str_append(out, body, length);
    put_gap(out, body, length, blocks, line_end);
    put_record(out, payload, line_end);
    return;
  }
  const struct bt_block *block = &blocks->items[place];
  bt_str_append(out, body, block->start);
  put_record(out, payload, line_end);
  bt_str_append(out, body + block->end, length - block->end);
}
