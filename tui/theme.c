/* tui/theme.c - one line a role, one line a theme. */
#include "tui/theme.h"

#include <string.h>

/* What a colour says. */
enum hue { NO_HUE, BAD, GONE, FOREIGN, READY, WARN, GOOD, HUE_COUNT };

struct look { /* of a role, whatever the theme */
  enum hue hue;
  bool bold, dim, underline, reverse;
};

/* clang-format off */
#define PLAIN {NO_HUE, false, false, false, false}
#define BOLD {NO_HUE, true, false, false, false}
#define DIM {NO_HUE, false, true, false, false}
#define UNDERLINE {NO_HUE, false, false, true, false}
#define UNDERLINE_BOLD {NO_HUE, true, false, true, false}
#define REVERSE {NO_HUE, false, false, false, true}
#define COLOUR(hue) {hue, false, false, false, false}
#define COLOUR_BOLD(hue) {hue, true, false, false, false}
#define COLOUR_REVERSE(hue) {hue, false, false, false, true}
/* clang-format on */

/* Roles that are not named here look plain. */
static const struct look looks[BT_ROLE_COUNT] = {
    [BT_ROLE_DEFAULT] = PLAIN,
    [BT_ROLE_DIM] = DIM,
    [BT_ROLE_BOLD] = BOLD,
    [BT_ROLE_TITLE] = BOLD,
    [BT_ROLE_LABEL] = DIM,
    [BT_ROLE_HEAD] = DIM,
    [BT_ROLE_HEAD_SORT] = UNDERLINE,
    [BT_ROLE_RULE] = DIM,
    [BT_ROLE_RULE_TITLE] = PLAIN,
    [BT_ROLE_SELECTION] = REVERSE,
    [BT_ROLE_MARK] = BOLD,
    [BT_ROLE_SELECTION_IDLE] = BOLD,
    [BT_ROLE_STATE_BLOCKED] = COLOUR_BOLD(BAD),
    [BT_ROLE_STATE_STALE_LOCK] = COLOUR(GONE),
    [BT_ROLE_STATE_FOREIGN] = COLOUR(FOREIGN),
    [BT_ROLE_STATE_READY] = COLOUR(READY),
    [BT_ROLE_STATE_WARN] = COLOUR(WARN),
    [BT_ROLE_STATE_RUN] = PLAIN,
    [BT_ROLE_STATE_IDLE] = DIM,
    [BT_ROLE_STATE_DONE] = DIM,
    [BT_ROLE_VERDICT_STALE] = COLOUR(GONE),
    [BT_ROLE_VERDICT_PID_REUSE] = COLOUR_BOLD(GONE),
    [BT_ROLE_VERDICT_FOREIGN] = COLOUR(FOREIGN),
    [BT_ROLE_VERDICT_UNREADABLE] = COLOUR(WARN),
    [BT_ROLE_VERDICT_UNKNOWN] = COLOUR(WARN),
    [BT_ROLE_VERDICT_LIVE] = PLAIN,
    [BT_ROLE_BAND_UNKNOWN] = DIM,
    [BT_ROLE_BAND_OK] = PLAIN,
    [BT_ROLE_BAND_WARN] = COLOUR(WARN),
    [BT_ROLE_BAND_HANDOFF] = COLOUR_BOLD(WARN),
    [BT_ROLE_BAND_HARD] = COLOUR_BOLD(BAD),
    [BT_ROLE_VERIFIED] = COLOUR(GOOD),
    [BT_ROLE_TAMPERED] = COLOUR_REVERSE(BAD),
    [BT_ROLE_WARNING] = COLOUR_BOLD(WARN),
    [BT_ROLE_BAD] = COLOUR_BOLD(BAD),
    [BT_ROLE_UNKNOWN] = DIM,
    [BT_ROLE_GUTTER] = DIM,
    [BT_ROLE_QUOTED] = PLAIN,
    [BT_ROLE_ESCAPED] = BOLD,
    [BT_ROLE_REDACTED] = COLOUR(GONE),
    [BT_ROLE_ADDED] = COLOUR(GOOD),
    [BT_ROLE_REMOVED] = COLOUR(BAD),
    [BT_ROLE_HIT] = UNDERLINE_BOLD,
    [BT_ROLE_HIT_CURRENT] = REVERSE,
    [BT_ROLE_KEY] = BOLD,
    [BT_ROLE_KEY_OFF] = DIM,
    [BT_ROLE_NEXT_STEP] = BOLD,
    [BT_ROLE_TAB] = PLAIN,
    [BT_ROLE_TAB_CURRENT] = REVERSE,
    [BT_ROLE_BOX] = PLAIN,
    [BT_ROLE_BOX_TITLE] = BOLD,
    [BT_ROLE_BOX_TITLE_RISKY] = COLOUR_BOLD(WARN),
    [BT_ROLE_BACKDROP] = DIM,
    [BT_ROLE_FIELD] = UNDERLINE,
    [BT_ROLE_FIELD_FOCUSED] = UNDERLINE_BOLD,
    [BT_ROLE_BUTTON] = PLAIN,
    [BT_ROLE_BUTTON_FOCUSED] = REVERSE,
    [BT_ROLE_BUTTON_LOCKED] = DIM,
    [BT_ROLE_MESSAGE] = PLAIN,
    [BT_ROLE_MESSAGE_GOOD] = COLOUR(GOOD),
    [BT_ROLE_MESSAGE_WARN] = COLOUR(WARN),
    [BT_ROLE_MESSAGE_ERROR] = COLOUR_BOLD(BAD),
    [BT_ROLE_NOTICE] = BOLD,
};

#define OWN THEME_PLAIN
struct paint {
  short few, many; /* of eight colours; of 256 */
  bool bold;
};

/* Eight colours are the terminal's own, which its owner has made readable; where a theme wants others they come from
 * the 256. */
/* clang-format off */
static const struct paint paints[THEME_COUNT][HUE_COUNT] = {
  /*                 NO_HUE       BAD             GONE           FOREIGN        READY          WARN            GOOD */
  [THEME_DARK]  = {{OWN, OWN, 0}, {1, 1, 0},     {5, 5, 0},     {6, 6, 0},     {4, 4, 0},     {3, 3, 0},      {2, 2, 0}},
  [THEME_LIGHT] = {{OWN, OWN, 0}, {1, 124, 0},   {5, 90, 0},    {4, 24, 0},    {4, 19, 1},    {OWN, 130, 1},  {2, 22, 0}},
  [THEME_CB]    = {{OWN, OWN, 0}, {1, 208, 1},   {3, 172, 0},   {6, 6, 0},     {4, 4, 1},     {3, 178, 0},    {4, 4, 0}},
  [THEME_MONO]  = {{OWN, OWN, 0}, {OWN, OWN, 1}, {OWN, OWN, 0}, {OWN, OWN, 0}, {OWN, OWN, 0}, {OWN, OWN, 0},  {OWN, OWN, 0}},
};
/* clang-format on */

struct theme_look theme_look(enum theme theme, enum bt_role role, int colours) {
  const struct look *look = &looks[(unsigned)role < BT_ROLE_COUNT ? role : BT_ROLE_DEFAULT];
  const struct paint *paint = &paints[(unsigned)theme < THEME_COUNT ? theme : THEME_DARK][look->hue];
  return (struct theme_look){.colour = colours < 8     ? THEME_PLAIN
                                       : colours < 256 ? paint->few
                                                       : paint->many,
                             .bold = look->bold || paint->bold,
                             .dim = look->dim,
                             .underline = look->underline,
                             .reverse = look->reverse};
}

static const char *const words[THEME_COUNT] = {"dark", "light", "cb", "mono"};

bool theme_parse(const char *word, enum theme *theme) {
  for (int i = 0; i < THEME_COUNT; i++)
    if (strcmp(words[i], word) == 0) {
      *theme = (enum theme)i;
      return true;
    }
  return false;
}
