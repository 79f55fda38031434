/* views/parts.h - the small pieces that several screens share: roles of verdicts, times, hashes, the context bar.
 *
 * Must not know: layout. `out` buffers are the caller's; results are NUL-terminated visible-or-internal text. */
#ifndef BATON_VIEWS_PARTS_H
#define BATON_VIEWS_PARTS_H

#include "views/scene.h"
#include "views/surface.h"

#define BT_PART_BYTES 64

enum bt_role bt_role_of_state(enum bt_state state);
enum bt_role bt_role_of_verdict(enum bt_lock_verdict verdict);
enum bt_role bt_role_of_band(enum bt_band band);
enum bt_role bt_role_of_brief(enum bt_brief_status status);
enum bt_role bt_role_of_signature(enum bt_signature signature);
enum bt_role bt_role_of_check(enum bt_check check);
enum bt_role bt_role_of_severity(enum bt_severity severity);
char bt_verdict_glyph(enum bt_lock_verdict verdict); /* x ~ ? ^ or space */
const char *bt_check_mark(enum bt_check check);      /* "[ok]" "[!!]" "[no]" "[??]" */

/* Words for the screen: the JSON words, in capitals where the reader must stop. */
const char *bt_brief_shown(enum bt_brief_status status);
void bt_deny_shown(char out[BT_PART_BYTES], const struct bt_deny *deny); /* "open bound", "-" for NULL */

/* A few words for a narrow row: "brief TAMPERED, open captured deny, lock LIVE"; empty when nothing is to be said. */
#define BT_WHY_BYTES 192
void bt_why_shown(char out[BT_WHY_BYTES], const struct bt_session *session);

/* A step with the reason why it would refuse now. */
#define BT_STEP_BYTES 1024
void bt_step_shown(char out[BT_STEP_BYTES], const struct bt_next_step *step);

int64_t bt_scene_now(const struct bt_scene *scene, const struct bt_snapshot *snapshot);
void bt_clock_minute(char out[BT_PART_BYTES], const struct bt_scene *scene, int64_t time_ms); /* "14:22" */
void bt_clock_full(char out[BT_PART_BYTES], const struct bt_scene *scene, int64_t time_ms);   /* date and time */
/* "14:10:31" on the day of `now_ms`, the full form on any other; "?" for an unknown time. */
void bt_clock_near(char out[BT_PART_BYTES], const struct bt_scene *scene, int64_t time_ms, int64_t now_ms);
void bt_age_of(char out[BT_PART_BYTES], int64_t since_ms, int64_t now_ms); /* "12m"; "?" when unknown */
void bt_countdown(char out[BT_PART_BYTES], int64_t left_ms);               /* "07:41", "0:00" and never below */

void bt_hash_shown(char out[BT_PART_BYTES], const char *hash); /* "3f9c..a017"; "-" for NULL */
void bt_size_shown(char out[BT_PART_BYTES], size_t bytes);     /* "148 bytes", "4.1 KiB" */
void bt_number_shown(char out[BT_PART_BYTES], double number);  /* "166,114" */

/* The name for a column of `columns`: the whole id where it fits, else the short one. */
const char *bt_session_name(const struct bt_session *session, int columns, bool unicode);

/* "[########..]" in 12 columns; question marks while nothing is known. */
void bt_bar_draw(struct bt_pane pane, int row, int column, const struct bt_context *context, bool selected);
void bt_percent_shown(char out[BT_PART_BYTES], const struct bt_context *context); /* "83.1%" or "?" */

/* First grant that is live at `now_ms`, and how many there are. */
const struct bt_grant *bt_live_grant(const struct bt_snapshot *snapshot, int64_t now_ms, size_t *count);

#endif
