/* tests/support/picture.c - surfaces as text. */
#include "tests/support/picture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void picture_glyphs(struct bt_str *out, const struct bt_surface *surface) {
  for (int row = 0; row < surface->rows; row++) {
    size_t end = out->length;
    for (int column = 0; column < surface->columns; column++) {
      const struct bt_cell *cell = bt_surface_cell(surface, row, column);
      bt_str_puts(out, cell->bytes);
      if (strcmp(cell->bytes, " ") != 0)
        end = out->length;
    }
    bt_str_truncate(out, end);
    bt_str_putc(out, '\n');
  }
}

void picture_roles(struct bt_str *out, const struct bt_surface *surface) {
  for (int row = 0; row < surface->rows; row++) {
    size_t end = out->length;
    for (int column = 0; column < surface->columns; column++) {
      const struct bt_cell *cell = bt_surface_cell(surface, row, column);
      bool plain = cell->role == BT_ROLE_DEFAULT && strcmp(cell->bytes, " ") == 0;
      bt_str_putc(out, plain ? ' ' : bt_role_letter((enum bt_role)cell->role));
      if (!plain)
        end = out->length;
    }
    bt_str_truncate(out, end);
    bt_str_putc(out, '\n');
  }
}

void picture_golden(struct bt_str *out, const struct bt_surface *surface, const struct bt_view_cursor *cursor) {
  picture_glyphs(out, surface);
  bt_str_printf(out, "-- %dx%d cursor %d,%d%s\n", surface->columns, surface->rows, cursor->row, cursor->column,
                cursor->typing ? " typing" : "");
  picture_roles(out, surface);
}

static char *read_file(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file)
    return NULL;
  size_t room = 1 << 20;
  char *text = malloc(room + 1);
  size_t length = text ? fread(text, 1, room, file) : 0;
  fclose(file);
  if (text)
    text[length] = 0;
  return text;
}

static bool write_file(const char *path, const struct bt_str *text) {
  FILE *file = fopen(path, "wb");
  bool whole = file && fwrite(text->data, 1, text->length, file) == text->length;
  if (file)
    whole = fclose(file) == 0 && whole;
  if (!whole)
    fprintf(stderr, "%s: cannot be written\n", path);
  return whole;
}

static void print_difference(const char *path, const char *wanted, const char *found) {
  int line = 1;
  while (*wanted && *wanted == *found) {
    size_t a = strcspn(wanted, "\n"), b = strcspn(found, "\n");
    if (a != b || memcmp(wanted, found, a) != 0)
      break;
    wanted += a + (wanted[a] == '\n');
    found += b + (found[b] == '\n');
    line++;
  }
  fprintf(stderr, "%s: line %d\n  golden: %.*s\n  now:    %.*s\n", path, line, (int)strcspn(wanted, "\n"), wanted,
          (int)strcspn(found, "\n"), found);
}

bool picture_matches(const char *path, const struct bt_str *picture) {
  const char *update = getenv("BATON_UPDATE_GOLDEN");
  if (picture->failed)
    return false;
  if (update && strcmp(update, "1") == 0)
    return write_file(path, picture);
  char *wanted = read_file(path);
  bool same = wanted && strlen(wanted) == picture->length && memcmp(wanted, picture->data, picture->length) == 0;
  if (!wanted)
    fprintf(stderr, "%s: no such golden screen (BATON_UPDATE_GOLDEN=1 makes it)\n", path);
  else if (!same)
    print_difference(path, wanted, picture->data);
  free(wanted);
  return same;
}

static bool unsound(int row, int column, const char *what) {
  fprintf(stderr, "cell %d,%d: %s\n", row, column, what);
  return false;
}

bool picture_is_sound(const struct bt_surface *surface) {
  for (int row = 0; row < surface->rows; row++) {
    int owed = 0; /* right halves that must follow */
    for (int column = 0; column < surface->columns; column++) {
      const struct bt_cell *cell = bt_surface_cell(surface, row, column);
      if (cell->role >= BT_ROLE_COUNT)
        return unsound(row, column, "role outside the table");
      if ((cell->width == 0) != (owed > 0))
        return unsound(row, column, "half of a wide character");
      if (cell->width == 0) {
        owed--;
        continue;
      }
      owed = cell->width - 1;
      if (!memchr(cell->bytes, 0, BT_CELL_BYTES) || !cell->bytes[0])
        return unsound(row, column, "bytes do not end");
      for (const char *byte = cell->bytes; *byte; byte++)
        if ((unsigned char)*byte < 0x20 || *byte == 0x7f || (!surface->unicode && (unsigned char)*byte >= 0x80))
          return unsound(row, column, "byte that may not be printed");
    }
    if (owed)
      return unsound(row, surface->columns, "wide character cut at the edge");
  }
  return true;
}
