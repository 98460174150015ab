#include "analysis/claim_arguments.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/number.h"

#define WHOLE 1.0, HUGE_VAL, 1, "a whole number of at least 1"
#define SIZE 0.0, HUGE_VAL, 0, "a number of at least 0"
#define COSINE -1.0, 1.0, 0, "a number of at least -1 and at most 1"
#define SHARE DBL_TRUE_MIN, 1.0 - DBL_EPSILON / 2, 0, "a number above 0 and below 1"
#define AT(member) offsetof(struct lnstab__claim_arguments, member)

static const struct {
    const char *name;
    enum lnstab__teller teller;
    size_t offset;
    double least, most;
    int whole;
    const char *range; /* in words */
} argument_table[] = {
    {"layer", LNSTAB__CALLER, AT(layer), WHOLE},
    {"sublayer", LNSTAB__CALLER, AT(sublayer), WHOLE},
    {"tokens", LNSTAB__MODEL, AT(tokens), WHOLE},
    {"coherence", LNSTAB__MODEL, AT(coherence), COSINE},
    {"start", LNSTAB__MODEL, AT(start), SIZE},
    {"epsilon", LNSTAB__CALLER, AT(epsilon), SIZE},
    {"level", LNSTAB__CALLER, AT(level), SHARE},
    {"delta", LNSTAB__MODEL, AT(delta), SIZE},
    {"tau", LNSTAB__MODEL, AT(tau), SIZE},
};

enum { ARGUMENTS = sizeof argument_table / sizeof *argument_table };

/* Does the caller have to give it? */
static int is_needed(int i, const char *wanted, enum lnstab__teller teller) {
    const char *name = argument_table[i].name;
    return lnstab__text_has_word(wanted, name, strlen(name)) &&
           (teller == LNSTAB__CALLER || argument_table[i].teller == LNSTAB__CALLER);
}

static int argument_find(struct lnstab__word name) {
    for (int i = 0; i < ARGUMENTS; ++i) {
        if (lnstab__text_is(name.at, name.length, argument_table[i].name)) {
            return i;
        }
    }
    return -1;
}

static int32_t parse_argument(struct lnstab__message *message, const char *claim,
                              const char *wanted, enum lnstab__teller teller,
                              struct lnstab__word name, struct lnstab__word text,
                              int given[ARGUMENTS], struct lnstab__claim_arguments *out) {
    double value;
    int i = argument_find(name);
    if (i >= 0 && teller == LNSTAB__MODEL && argument_table[i].teller == LNSTAB__MODEL) {
        return lnstab__fail(message, LNSTAB_ERROR_NAME, "%s is what the model tells itself",
                            argument_table[i].name);
    }
    if (i < 0 || !lnstab__text_has_word(wanted, name.at, name.length)) {
        return lnstab__fail(message, LNSTAB_ERROR_NAME, "%s takes %s, not '%.*s'", claim,
                            *wanted ? wanted : "no argument", LNSTAB__SHOWN(name));
    }
    if (!lnstab__number_parse(text.at, text.length, &value) || value < argument_table[i].least ||
        value > argument_table[i].most || (argument_table[i].whole && value != floor(value))) {
        return lnstab__fail(message, LNSTAB_ERROR_ARGUMENT, "%s '%.*s' is not %s",
                            argument_table[i].name, LNSTAB__SHOWN(text), argument_table[i].range);
    }
    memcpy((unsigned char *)out + argument_table[i].offset, &value, sizeof value);
    given[i] = 1;
    return LNSTAB_OK;
}

int32_t lnstab__claim_arguments_parse(struct lnstab__message *message, const char *claim,
                                      const char *wanted, enum lnstab__teller teller,
                                      const char *text, struct lnstab__claim_arguments *out) {
    int given[ARGUMENTS] = {0};
    struct lnstab__word name, value;
    for (int found; (found = lnstab__text_next_assignment(&text, &name, &value)) != 0;) {
        int32_t status =
            found > 0 ? parse_argument(message, claim, wanted, teller, name, value, given, out)
                      : lnstab__fail(message, LNSTAB_ERROR_ARGUMENT, "'%.*s' is not argument=value",
                                     LNSTAB__SHOWN(name));
        if (status != LNSTAB_OK) {
            return status;
        }
    }
    for (int i = 0; i < ARGUMENTS; ++i) {
        if (!given[i] && is_needed(i, wanted, teller)) {
            return lnstab__fail(message, LNSTAB_ERROR_ARGUMENT, "%s needs %s", claim,
                                argument_table[i].name);
        }
    }
    return LNSTAB_OK;
}
