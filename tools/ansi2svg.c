/* tools/ansi2svg.c - turns `tmux capture-pane -e -p` into an SVG picture; the same input gives the same bytes.
 *
 * Usage: ansi2svg [--columns N] [--rows N] [--title TEXT] < capture > picture.svg
 * Understands SGR (16 and 256 colours, bold, dim, underline, reverse) and skips every other sequence. Each run of one
 * look is one <text>, placed at its column, so the picture does not depend on the width of the reader's font. */
#define _XOPEN_SOURCE 700
#include <locale.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#define COLUMNS_MAX 400
#define ROWS_MAX 200
#define CELL_BYTES 64
#define CELL_WIDTH 8.43
#define CELL_HEIGHT 17
#define FONT_SIZE 14
#define MARGIN 14
#define BAR_HEIGHT 26

struct look {
  int foreground, background; /* -1: the default */
  bool bold, dim, underline, reverse;
};
struct cell {
  char bytes[CELL_BYTES];
  int width; /* 0: right half of the cell before */
  struct look look;
};
struct screen {
  struct cell cells[ROWS_MAX][COLUMNS_MAX];
  int rows, columns;
};

static const struct look plain = {-1, -1, false, false, false, false};
static const char *const ink = "#d8dee9", *const paper = "#1b1f27", *const bar = "#262b35";

static const char *const base_colours[16] = {"#3b4252", "#f0717c", "#9ccf7f", "#e8c46c", "#79a8e8", "#cf94db",
                                             "#6fc7cc", "#e5e9f0", "#6b7489", "#ff8791", "#b4e397", "#ffdb86",
                                             "#95bffc", "#e6aef1", "#89e0e5", "#ffffff"};

static void colour_text(char out[8], int colour, const char *fallback) {
  if (colour < 0)
    snprintf(out, 8, "%s", fallback);
  else if (colour < 16)
    snprintf(out, 8, "%s", base_colours[colour]);
  else if (colour < 232) {
    static const int steps[6] = {0, 95, 135, 175, 215, 255};
    int index = colour - 16;
    snprintf(out, 8, "#%02x%02x%02x", steps[index / 36 % 6], steps[index / 6 % 6], steps[index % 6]);
  } else {
    int grey = 8 + (colour - 232) * 10;
    snprintf(out, 8, "#%02x%02x%02x", grey & 255, grey & 255, grey & 255);
  }
}

/* ---- reading ---- */

static void apply_one(struct look *look, const int *codes, int count, int *at) {
  int code = codes[*at];
  if (code == 0)
    *look = plain;
  else if (code == 1)
    look->bold = true;
  else if (code == 2)
    look->dim = true;
  else if (code == 4)
    look->underline = true;
  else if (code == 7)
    look->reverse = true;
  else if (code == 22)
    look->bold = look->dim = false;
  else if (code == 24)
    look->underline = false;
  else if (code == 27)
    look->reverse = false;
  else if (code >= 30 && code <= 37)
    look->foreground = code - 30;
  else if (code == 39)
    look->foreground = -1;
  else if (code >= 40 && code <= 47)
    look->background = code - 40;
  else if (code == 49)
    look->background = -1;
  else if (code >= 90 && code <= 97)
    look->foreground = code - 90 + 8;
  else if (code >= 100 && code <= 107)
    look->background = code - 100 + 8;
  else if ((code == 38 || code == 48) && *at + 2 < count && codes[*at + 1] == 5) {
    *(code == 38 ? &look->foreground : &look->background) = codes[*at + 2] & 255;
    *at += 2;
  }
}

/* `text` is after "ESC [". Returns the bytes up to and with the final byte. */
static size_t read_sequence(const char *text, struct look *look) {
  int codes[32] = {0}, count = 0;
  size_t at = 0;
  while (text[at] && (text[at] < '@' || text[at] > '~')) {
    if (text[at] >= '0' && text[at] <= '9')
      codes[count] = (codes[count] * 10 + (text[at] - '0')) % 1000;
    else if ((text[at] == ';' || text[at] == ':') && count < 31)
      count++;
    at++;
  }
  if (text[at] == 'm')
    for (int i = 0; i <= count; i++)
      apply_one(look, codes, count + 1, &i);
  return text[at] ? at + 1 : at;
}

/* Bytes of an escape sequence at `text` (which begins with ESC). */
static size_t skip_escape(const char *text, struct look *look) {
  if (text[1] == '[')
    return 2 + read_sequence(text + 2, look);
  if (text[1] == '(' || text[1] == ')')
    return text[2] ? 3 : 2;
  return text[1] ? 2 : 1;
}

static void put(struct screen *screen, int row, int *column, const char *bytes, size_t length, wchar_t wide,
                const struct look *look) {
  int width = wcwidth(wide);
  if (width < 0)
    return;
  if (width == 0 && *column > 0) { /* a combining mark joins the cell before it */
    struct cell *cell = &screen->cells[row][*column - 1];
    size_t used = strlen(cell->bytes);
    if (used + length < CELL_BYTES)
      memcpy(cell->bytes + used, bytes, length), cell->bytes[used + length] = 0;
    return;
  }
  if (width == 0 || *column + width > COLUMNS_MAX)
    return;
  struct cell *cell = &screen->cells[row][*column];
  memcpy(cell->bytes, bytes, length);
  cell->bytes[length] = 0;
  cell->width = width;
  cell->look = *look;
  if (width == 2)
    screen->cells[row][*column + 1] = (struct cell){"", 0, *look};
  *column += width;
}

static void read_row(struct screen *screen, int row, const char *line, struct look *look) {
  int column = 0;
  mbstate_t state;
  memset(&state, 0, sizeof state);
  for (size_t at = 0; line[at];) {
    wchar_t wide;
    if (line[at] == '\033') {
      at += skip_escape(line + at, look);
      continue;
    }
    size_t length = mbrtowc(&wide, line + at, strlen(line + at), &state);
    if (length == (size_t)-1 || length == (size_t)-2 || length == 0) {
      memset(&state, 0, sizeof state);
      at++;
      continue;
    }
    put(screen, row, &column, line + at, length, wide, look);
    at += length;
  }
  if (column > screen->columns)
    screen->columns = column;
}

/* ---- writing ---- */

static void print_escaped(const char *text) {
  for (; *text; text++) {
    if (*text == '&')
      fputs("&amp;", stdout);
    else if (*text == '<')
      fputs("&lt;", stdout);
    else if (*text == '>')
      fputs("&gt;", stdout);
    else
      putchar(*text);
  }
}

static bool same_look(const struct look *a, const struct look *b) {
  return a->foreground == b->foreground && a->background == b->background && a->bold == b->bold && a->dim == b->dim &&
         a->underline == b->underline && a->reverse == b->reverse;
}

static bool is_blank(const struct cell *cell) {
  return cell->bytes[0] == 0 || (cell->bytes[0] == ' ' && cell->bytes[1] == 0);
}

/* One run: cells of one look. A non-ASCII cell is a run by itself, so that its width cannot move what follows. */
static int run_end(const struct screen *screen, int row, int from) {
  const struct cell *cells = screen->cells[row];
  int at = from + 1;
  bool ascii = (unsigned char)cells[from].bytes[0] < 0x80 && cells[from].width == 1;
  bool line = strcmp(cells[from].bytes, "─") == 0;
  while (at < screen->columns && cells[at].width == 0)
    at++;
  while (at < screen->columns && same_look(&cells[at].look, &cells[from].look)) {
    bool next_ascii = (unsigned char)cells[at].bytes[0] < 0x80 && cells[at].width == 1;
    bool next_line = strcmp(cells[at].bytes, "─") == 0;
    if (!(ascii && next_ascii) && !(line && next_line))
      break;
    at++;
  }
  return at;
}

static void print_run(const struct screen *screen, int row, int from, int to) {
  const struct cell *cells = screen->cells[row];
  const struct look *look = &cells[from].look;
  char fore[8], back[8];
  colour_text(fore, look->foreground, ink);
  colour_text(back, look->background, paper);
  double x = MARGIN + from * CELL_WIDTH, width = (to - from) * CELL_WIDTH;
  int y = BAR_HEIGHT + MARGIN + row * CELL_HEIGHT;
  bool blank = true;
  for (int at = from; at < to; at++)
    blank = blank && is_blank(&cells[at]);
  if (look->reverse || look->background >= 0)
    printf("<rect x=\"%.2f\" y=\"%d\" width=\"%.2f\" height=\"%d\" fill=\"%s\"%s/>\n", x, y, width, CELL_HEIGHT,
           look->reverse ? fore : back, look->reverse && look->dim ? " opacity=\"0.6\"" : "");
  if (look->underline)
    printf("<rect x=\"%.2f\" y=\"%d\" width=\"%.2f\" height=\"1\" fill=\"%s\"/>\n", x, y + CELL_HEIGHT - 2, width,
           fore);
  if (blank)
    return;
  printf("<text x=\"%.2f\" y=\"%d\" textLength=\"%.2f\" lengthAdjust=\"spacingAndGlyphs\" fill=\"%s\"%s%s>", x, y + 13,
         width, look->reverse ? back : fore, look->bold ? " font-weight=\"bold\"" : "",
         look->dim && !look->reverse ? " opacity=\"0.62\"" : "");
  for (int at = from; at < to; at++)
    print_escaped(cells[at].bytes);
  puts("</text>");
}

static void print_svg(const struct screen *screen, const char *title) {
  int width = (int)(2 * MARGIN + screen->columns * CELL_WIDTH + 0.99);
  int height = BAR_HEIGHT + 2 * MARGIN + screen->rows * CELL_HEIGHT;
  printf("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">\n", width, height,
         width, height);
  printf("<rect width=\"%d\" height=\"%d\" rx=\"8\" fill=\"%s\"/>\n", width, height, paper);
  printf("<path d=\"M0 %dV8a8 8 0 0 1 8-8h%da8 8 0 0 1 8 8v%dz\" fill=\"%s\"/>\n", BAR_HEIGHT, width - 16,
         BAR_HEIGHT - 8, bar);
  for (int i = 0; i < 3; i++)
    printf("<circle cx=\"%d\" cy=\"13\" r=\"5\" fill=\"%s\"/>\n", 18 + 17 * i, base_colours[8]);
  printf("<text x=\"%d\" y=\"17\" text-anchor=\"middle\" font-family=\"DejaVu Sans Mono, monospace\" font-size=\"12\" "
         "fill=\"%s\">",
         width / 2, base_colours[8]);
  print_escaped(title);
  puts("</text>");
  printf("<g font-family=\"DejaVu Sans Mono, Menlo, Consolas, monospace\" font-size=\"%d\" xml:space=\"preserve\">\n",
         FONT_SIZE);
  for (int row = 0; row < screen->rows; row++)
    for (int at = 0; at < screen->columns;) {
      int end = run_end(screen, row, at);
      print_run(screen, row, at, end);
      at = end;
    }
  puts("</g>\n</svg>");
}

int main(int argc, char **argv) {
  struct screen *screen = calloc(1, sizeof *screen);
  const char *title = "baton";
  char *line = NULL;
  size_t room = 0;
  ssize_t length;
  struct look look = plain;
  int rows = 0;
  if (!screen || (!setlocale(LC_CTYPE, "C.UTF-8") && !setlocale(LC_CTYPE, "en_US.UTF-8"))) {
    fputs("ansi2svg: no UTF-8 locale or no memory\n", stderr);
    return 1;
  }
  for (int i = 1; i + 1 < argc; i += 2) {
    if (!strcmp(argv[i], "--columns"))
      screen->columns = atoi(argv[i + 1]);
    else if (!strcmp(argv[i], "--rows"))
      rows = atoi(argv[i + 1]);
    else if (!strcmp(argv[i], "--title"))
      title = argv[i + 1];
  }
  if (screen->columns < 0 || screen->columns > COLUMNS_MAX)
    screen->columns = COLUMNS_MAX;
  for (int row = 0; row < ROWS_MAX; row++)
    for (int column = 0; column < COLUMNS_MAX; column++)
      screen->cells[row][column] = (struct cell){" ", 1, plain};
  while (screen->rows < ROWS_MAX && (length = getline(&line, &room, stdin)) >= 0) {
    line[strcspn(line, "\n")] = 0;
    read_row(screen, screen->rows++, line, &look);
  }
  if (rows > 0 && rows <= ROWS_MAX)
    screen->rows = rows;
  print_svg(screen, title);
  free(line);
  free(screen);
  return ferror(stdout) || fflush(stdout) ? 1 : 0;
}
