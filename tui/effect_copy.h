/* tui/effect_copy.h - what is copied for the user: a text, or the page on show as JSON. */
#ifndef BATON_TUI_EFFECT_COPY_H
#define BATON_TUI_EFFECT_COPY_H

#include "tui/effect.h"

void effect_copy_text(const char *text, size_t length); /* nothing where it is too long for a clipboard */
/* To the clipboard; what that does not hold to a file of baton's own. Answers app_copied or app_wrote. */
void effect_copy_page(struct effector *effector);

#endif
