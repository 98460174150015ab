#include "model/rule_text.h"

#include "base/number.h"

/* "L^0.25" into the power it sets; each base once. */
static int parse_power(struct lnstab__word text, struct lnstab__rule *out, int given[2]) {
    struct lnstab__word base, power;
    if (!lnstab__text_split(text, '^', &base, &power) || base.length != 1) {
        return 0;
    }
    const int which = *base.at == 'L' ? 0 : *base.at == 'l' ? 1 : -1;
    return which >= 0 && !given[which]++ &&
           lnstab__number_parse(power.at, power.length,
                                which == 0 ? &out->depth_power : &out->layer_power);
}

int lnstab__rule_parse(struct lnstab__word text, struct lnstab__rule *out) {
    struct lnstab__rule rule = {0};
    int given[2] = {0, 0};
    struct lnstab__word first, rest;
    int more = lnstab__text_split(text, '*', &first, &rest);
    if (!lnstab__number_parse(more ? first.at : text.at, more ? first.length : text.length,
                              &rule.factor)) {
        return 0;
    }
    while (more) {
        struct lnstab__word remaining = rest;
        more = lnstab__text_split(remaining, '*', &first, &rest);
        if (!parse_power(more ? first : remaining, &rule, given)) {
            return 0;
        }
    }
    *out = rule;
    return 1;
}

static void write_power(struct lnstab__writer *w, char base, double power) {
    if (power != 0.0) {
        lnstab__write(w, "*%c^", base);
        lnstab__write_number(w, power);
    }
}

void lnstab__rule_write(struct lnstab__writer *w, struct lnstab__rule rule) {
    lnstab__write_number(w, rule.factor);
    write_power(w, 'L', rule.depth_power);
    write_power(w, 'l', rule.layer_power);
}
