#ifndef LNSTAB_BASE_TEXT_H
#define LNSTAB_BASE_TEXT_H

#include <stddef.h>

/* A stretch of somebody's text, not ended by 0. */
struct lnstab__word {
    const char *at;
    size_t length;
};

/* The arguments of a printf's "%.*s" for a word, cut where a message would grow beyond reading. */
#define LNSTAB__SHOWN(word) (int)((word).length < 60 ? (word).length : 60), (word).at

/* Is text[length] the same as the 0-ended name? And are two words the same? */
int lnstab__text_is(const char *text, size_t length, const char *name);
int lnstab__words_equal(struct lnstab__word a, struct lnstab__word b);

/* Cuts the next word, set off by blanks, tabs and ends of lines, from *rest and moves *rest behind it;
 * length 0 when none is left. */
struct lnstab__word lnstab__text_next_word(const char **rest);

/* Cuts the next "name=value" from *rest, past blanks and comments (# to the end of the line); blanks of
 * one line around the mark do not count. 1, or 0 if none is left, or -1 if what comes is no assignment:
 * name then shows it. */
int lnstab__text_next_assignment(const char **rest, struct lnstab__word *name,
                                 struct lnstab__word *value);

/* Is word[length] one of the words of list? */
int lnstab__text_has_word(const char *list, const char *word, size_t length);

/* Splits word at the first mark into what is before and after it: 0 if there is no mark. */
int lnstab__text_split(struct lnstab__word word, char mark, struct lnstab__word *before,
                       struct lnstab__word *after);

#endif
