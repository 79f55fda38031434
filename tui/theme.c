/* tui/theme.c - one line a role. */
#include "tui/theme.h"

#define PLAIN                                                                                                          \
  { THEME_PLAIN, false, false, false, false }
#define BOLD                                                                                                           \
  { THEME_PLAIN, true, false, false, false }
#define DIM                                                                                                            \
  { THEME_PLAIN, false, true, false, false }
#define UNDERLINE                                                                                                      \
  { THEME_PLAIN, false, false, true, false }
#define UNDERLINE_BOLD                                                                                                 \
  { THEME_PLAIN, true, false, true, false }
#define REVERSE                                                                                                        \
  { THEME_PLAIN, false, false, false, true }
#define COLOUR(colour)                                                                                                 \
  { THEME_##colour, false, false, false, false }
#define COLOUR_BOLD(colour)                                                                                            \
  { THEME_##colour, true, false, false, false }
#define COLOUR_REVERSE(colour)                                                                                         \
  { THEME_##colour, false, false, false, true }

/* Roles that are not named here look plain. */
static const struct theme_look looks[BT_ROLE_COUNT] = {
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
    [BT_ROLE_SELECTION_IDLE] = BOLD,
    [BT_ROLE_STATE_BLOCKED] = COLOUR_BOLD(RED),
    [BT_ROLE_STATE_STALE_LOCK] = COLOUR(MAGENTA),
    [BT_ROLE_STATE_FOREIGN] = COLOUR(CYAN),
    [BT_ROLE_STATE_READY] = COLOUR(BLUE),
    [BT_ROLE_STATE_WARN] = COLOUR(YELLOW),
    [BT_ROLE_STATE_RUN] = PLAIN,
    [BT_ROLE_STATE_IDLE] = DIM,
    [BT_ROLE_STATE_DONE] = DIM,
    [BT_ROLE_VERDICT_STALE] = COLOUR(MAGENTA),
    [BT_ROLE_VERDICT_PID_REUSE] = COLOUR_BOLD(MAGENTA),
    [BT_ROLE_VERDICT_FOREIGN] = COLOUR(CYAN),
    [BT_ROLE_VERDICT_UNREADABLE] = COLOUR(YELLOW),
    [BT_ROLE_VERDICT_UNKNOWN] = COLOUR(YELLOW),
    [BT_ROLE_VERDICT_LIVE] = PLAIN,
    [BT_ROLE_BAND_UNKNOWN] = DIM,
    [BT_ROLE_BAND_OK] = PLAIN,
    [BT_ROLE_BAND_WARN] = COLOUR(YELLOW),
    [BT_ROLE_BAND_HANDOFF] = COLOUR_BOLD(YELLOW),
    [BT_ROLE_BAND_HARD] = COLOUR_BOLD(RED),
    [BT_ROLE_VERIFIED] = COLOUR(GREEN),
    [BT_ROLE_TAMPERED] = COLOUR_REVERSE(RED),
    [BT_ROLE_WARNING] = COLOUR_BOLD(YELLOW),
    [BT_ROLE_BAD] = COLOUR_BOLD(RED),
    [BT_ROLE_UNKNOWN] = DIM,
    [BT_ROLE_GUTTER] = DIM,
    [BT_ROLE_QUOTED] = PLAIN,
    [BT_ROLE_ESCAPED] = BOLD,
    [BT_ROLE_REDACTED] = COLOUR(MAGENTA),
    [BT_ROLE_HIT] = UNDERLINE_BOLD,
    [BT_ROLE_HIT_CURRENT] = REVERSE,
    [BT_ROLE_KEY] = BOLD,
    [BT_ROLE_KEY_OFF] = DIM,
    [BT_ROLE_NEXT_STEP] = BOLD,
    [BT_ROLE_TAB] = PLAIN,
    [BT_ROLE_TAB_CURRENT] = REVERSE,
    [BT_ROLE_BOX] = PLAIN,
    [BT_ROLE_BOX_TITLE] = BOLD,
    [BT_ROLE_BOX_TITLE_RISKY] = COLOUR_BOLD(YELLOW),
    [BT_ROLE_BACKDROP] = DIM,
    [BT_ROLE_FIELD] = UNDERLINE,
    [BT_ROLE_FIELD_FOCUSED] = UNDERLINE_BOLD,
    [BT_ROLE_BUTTON] = PLAIN,
    [BT_ROLE_BUTTON_FOCUSED] = REVERSE,
    [BT_ROLE_BUTTON_LOCKED] = DIM,
    [BT_ROLE_MESSAGE] = PLAIN,
    [BT_ROLE_MESSAGE_GOOD] = COLOUR(GREEN),
    [BT_ROLE_MESSAGE_WARN] = COLOUR(YELLOW),
    [BT_ROLE_MESSAGE_ERROR] = COLOUR_BOLD(RED),
    [BT_ROLE_NOTICE] = BOLD,
};

struct theme_look theme_look(enum bt_role role) {
  return looks[(unsigned)role < BT_ROLE_COUNT ? role : BT_ROLE_DEFAULT];
}
