/* core/base/number.h - doubles as ECMAScript spells them, in any locale.
 *
 * Must not know: JSON values. Rules: spec/context-handoff.md 4.1, 4.2 and 13.4. */
#ifndef BATON_CORE_BASE_NUMBER_H
#define BATON_CORE_BASE_NUMBER_H

#include <stddef.h>

#define BT_NUMBER_TEXT 32 /* room for the longest spelling and its NUL */

/* The double nearest to a decimal: optional sign, digits with an optional point among or around them,
 * optional exponent. The caller has checked the grammar. Too large gives an infinity, too small 0. */
double bt_decimal_to_double(const char *text, size_t length);

/* Number.prototype.toString for base 10: shortest digits that read back, "-0" as "0", "NaN",
 * "Infinity", "-Infinity". Gives the length. */
size_t bt_double_to_text(char out[BT_NUMBER_TEXT], double value);

#endif
