#include "model/scope.h"

#include <string.h>

#include "base/number.h"

static int cut(struct lnstab__word *name, const char *front) {
    const size_t length = strlen(front);
    if (name->length < length || memcmp(name->at, front, length) != 0) {
        return 0;
    }
    *name = (struct lnstab__word){name->at + length, name->length - length};
    return 1;
}

static int parse_end(struct lnstab__word text, int64_t *out) {
    if (lnstab__text_is(text.at, text.length, "L")) {
        *out = 0;
        return 1;
    }
    return lnstab__integer_parse(text.at, text.length, out) && *out >= 1;
}

/* "3", "2-5", "4-L" */
static int parse_layers(struct lnstab__word text, struct lnstab__scope *out) {
    struct lnstab__word first = text, last = text;
    (void)lnstab__text_split(text, '-', &first, &last);
    return parse_end(first, &out->first) && parse_end(last, &out->last) &&
           (out->last == 0 || (out->first != 0 && out->first <= out->last));
}

int lnstab__scope_cut(struct lnstab__word *name, struct lnstab__scope *out) {
    struct lnstab__scope scope = {1, 0, LNSTAB__ATTN | LNSTAB__FFN};
    struct lnstab__word rest = *name, layers;
    const int has_layers = cut(&rest, "layer.");
    if (has_layers &&
        (!lnstab__text_split(rest, '.', &layers, &rest) || !parse_layers(layers, &scope))) {
        return -1;
    }
    const int part = cut(&rest, "attn.") ? LNSTAB__ATTN : cut(&rest, "ffn.") ? LNSTAB__FFN : 0;
    scope.parts = part ? part : scope.parts;
    *name = rest;
    *out = scope;
    return has_layers || part;
}

int64_t lnstab__scope_end(int64_t end, int64_t layers) {
    return end ? end : layers;
}

int lnstab__scope_has(struct lnstab__scope s, int64_t layers, int64_t k) {
    const int64_t l = k / 2 + 1;
    return (s.parts & (k % 2 ? LNSTAB__FFN : LNSTAB__ATTN)) &&
           l >= lnstab__scope_end(s.first, layers) && l <= lnstab__scope_end(s.last, layers);
}

static int64_t deepest_if_last(int64_t end) {
    return end ? end : INT64_MAX;
}

int lnstab__scope_covers(struct lnstab__scope a, struct lnstab__scope b) {
    return (a.parts & b.parts) == b.parts && deepest_if_last(a.first) <= deepest_if_last(b.first) &&
           deepest_if_last(a.last) >= deepest_if_last(b.last);
}
