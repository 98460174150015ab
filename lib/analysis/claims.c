#include "analysis/claims.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/number.h"

static const struct lnstab__claim_list *const lists[] = {
    &lnstab__xiong_claims, &lnstab__state_claims, &lnstab__gradient_claims, &lnstab__bound_claims};

enum { LISTS = sizeof lists / sizeof *lists };

int lnstab__claim_count(void) {
    int count = 0;
    for (int i = 0; i < LISTS; ++i) {
        count += lists[i]->count;
    }
    return count;
}

const struct lnstab__claim *lnstab__claim_at(int i) {
    int list = 0;
    for (; i >= lists[list]->count; ++list) {
        i -= lists[list]->count;
    }
    return &lists[list]->rows[i];
}

static const struct lnstab__claim *claim_find(const char *name) {
    for (int i = 0; i < lnstab__claim_count(); ++i) {
        if (strcmp(lnstab__claim_at(i)->name, name) == 0) {
            return lnstab__claim_at(i);
        }
    }
    return NULL;
}

static int32_t check_place(lnstab_config *c, const char *name, double value, int64_t most) {
    char text[LNSTAB__NUMBER_ROOM];
    return value <= (double)most
               ? LNSTAB_OK
               : lnstab__fail(&c->message, LNSTAB_ERROR_ARGUMENT, "%s %s is outside 1..%" PRId64,
                              name, lnstab__number_format(text, value), most);
}

/* The squared norm of a sum of n vectors is not negative. */
static int32_t check_coherence(lnstab_config *c, const struct lnstab__claim_arguments *given) {
    char text[LNSTAB__NUMBER_ROOM];
    return given->coherence * (given->tokens - 1.0) >= -1.0
               ? LNSTAB_OK
               : lnstab__fail(&c->message, LNSTAB_ERROR_ARGUMENT,
                              "coherence %s is below -1/(tokens - 1)",
                              lnstab__number_format(text, given->coherence));
}

static int32_t check_arguments(lnstab_config *c, const struct lnstab__spec *spec,
                               const struct lnstab__claim_arguments *given) {
    int32_t status = check_place(c, "layer", given->layer, spec->layers);
    status = status ? status : check_place(c, "sublayer", given->sublayer, 2 * spec->layers + 1);
    return status ? status : check_coherence(c, given);
}

int32_t lnstab__claim_predict(lnstab_config *c, const char *name, const char *arguments,
                              double *value) {
    struct lnstab__spec spec;
    struct lnstab__claim_arguments given = {0};
    const struct lnstab__claim *claim = claim_find(name);
    if (!claim) {
        return lnstab__fail(&c->message, LNSTAB_ERROR_NAME, "no claim '%.60s'", name);
    }
    int32_t status = lnstab__spec_resolve(c, &spec);
    status =
        status ? status
               : lnstab__claim_arguments_parse(c, claim->name, claim->arguments, arguments, &given);
    status = status ? status : check_arguments(c, &spec, &given);
    if (status != LNSTAB_OK) {
        return status;
    }
    const char *broken = claim->broken(&spec);
    if (broken) {
        return lnstab__fail(&c->message, LNSTAB_ERROR_UNAVAILABLE, "%s does not cover this: %s",
                            name, broken);
    }
    const double predicted = claim->predict(&spec, &given);
    if (!isfinite(predicted)) {
        return lnstab__fail(&c->message, LNSTAB_ERROR_UNAVAILABLE,
                            "%s has no finite value for this configuration and these arguments",
                            name);
    }
    *value = predicted;
    return lnstab__succeed(&c->message);
}
