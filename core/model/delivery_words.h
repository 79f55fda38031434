/* core/model/delivery_words.h - what the codes of a delivery mean to who reads them, and what to do about them.
 *
 * The codes are those of spec/delivery-handoff.md 3, 8, 9, 11 to 13 and 15; the sentences are ours, the same on the
 * screen and in a shell. Constant texts; nothing can fail. */
#ifndef BATON_CORE_MODEL_DELIVERY_WORDS_H
#define BATON_CORE_MODEL_DELIVERY_WORDS_H

/* What a verdict means; "" for an unknown word. */
const char *bt_delivery_verdict_means(const char *verdict);

/* What a reason, a warning or a refusal means; NULL where there is no more to say than the code does. */
const char *bt_delivery_code_means(const char *code);

/* What to do in a shell about a verdict, or about what a verb answered (`refused:...`). `reason`: the first, or NULL;
 * it is the more exact where something is known of it. NULL: nothing to add. */
const char *bt_delivery_what_next(const char *answer, const char *reason);

#endif
