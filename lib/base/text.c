#include "base/text.h"

#include <string.h>

#define BLANKS " \t\r\n\f\v"

int lnstab__text_is(const char *text, size_t length, const char *name) {
    return strlen(name) == length && memcmp(text, name, length) == 0;
}

int lnstab__words_equal(struct lnstab__word a, struct lnstab__word b) {
    return a.length == b.length && memcmp(a.at, b.at, a.length) == 0;
}

struct lnstab__word lnstab__text_next_word(const char **rest) {
    const char *at = *rest + strspn(*rest, BLANKS);
    size_t length = strcspn(at, BLANKS);
    *rest = at + length;
    return (struct lnstab__word){at, length};
}

static const char *skip_comments(const char *at) {
    for (;;) {
        at += strspn(at, BLANKS);
        if (*at != '#') {
            return at;
        }
        at += strcspn(at, "\n");
    }
}

static struct lnstab__word cut_until(const char **at, const char *ends) {
    const struct lnstab__word word = {*at, strcspn(*at, ends)};
    *at += word.length;
    return word;
}

int lnstab__text_next_assignment(const char **rest, struct lnstab__word *name,
                                 struct lnstab__word *value) {
    const char *at = skip_comments(*rest);
    if (!*at) {
        *rest = at;
        return 0;
    }
    *name = cut_until(&at, BLANKS "=#");
    const char *mark = at + strspn(at, " \t");
    if (*mark != '=') {
        *rest = at;
        return -1;
    }
    at = mark + 1;
    at += strspn(at, " \t");
    *value = cut_until(&at, BLANKS "#");
    *rest = at;
    return 1;
}

int lnstab__text_has_word(const char *list, const char *word, size_t length) {
    for (struct lnstab__word w = lnstab__text_next_word(&list); w.length;
         w = lnstab__text_next_word(&list)) {
        if (lnstab__words_equal(w, (struct lnstab__word){word, length})) {
            return 1;
        }
    }
    return 0;
}

int lnstab__text_split(struct lnstab__word word, char mark, struct lnstab__word *before,
                       struct lnstab__word *after) {
    const char *at = memchr(word.at, mark, word.length);
    if (!at) {
        return 0;
    }
    *before = (struct lnstab__word){word.at, (size_t)(at - word.at)};
    *after = (struct lnstab__word){at + 1, word.length - before->length - 1};
    return 1;
}
