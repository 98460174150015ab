#include "base/text.h"

#include <string.h>

int lnstab__text_is(const char *text, size_t length, const char *name) {
    return strlen(name) == length && memcmp(text, name, length) == 0;
}

int lnstab__words_equal(struct lnstab__word a, struct lnstab__word b) {
    return a.length == b.length && memcmp(a.at, b.at, a.length) == 0;
}

struct lnstab__word lnstab__text_next_word(const char **rest) {
    static const char blanks[] = " \t\r\n\f\v";
    const char *at = *rest + strspn(*rest, blanks);
    size_t length = strcspn(at, blanks);
    *rest = at + length;
    return (struct lnstab__word){at, length};
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
