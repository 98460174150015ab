#include "analysis/claims.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/number.h"

static const struct lnstab__claim_list *const lists[] = {
    &lnstab__xiong_claims,     &lnstab__lemma_claims,     &lnstab__state_claims,
    &lnstab__gradient_claims,  &lnstab__identity_claims,  &lnstab__bound_claims,
    &lnstab__ellipsoid_claims, &lnstab__alignment_claims, &lnstab__forward_claims,
    &lnstab__lipschitz_claims, &lnstab__transport_claims, &lnstab__scale_claims};

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

static int32_t find(struct lnstab__message *message, const char *name,
                    const struct lnstab__claim **out) {
    *out = claim_find(name);
    return *out ? LNSTAB_OK : lnstab__fail(message, LNSTAB_ERROR_NAME, "no claim '%.60s'", name);
}

static int32_t check_place(struct lnstab__message *message, const char *name, double value,
                           int64_t most) {
    char text[LNSTAB__NUMBER_ROOM];
    return value <= (double)most
               ? LNSTAB_OK
               : lnstab__fail(message, LNSTAB_ERROR_ARGUMENT, "%s %s is outside 1..%" PRId64, name,
                              lnstab__number_format(text, value), most);
}

/* The squared norm of a sum of n vectors is not negative. */
static int32_t check_coherence(struct lnstab__message *message,
                               const struct lnstab__claim_arguments *given) {
    char text[LNSTAB__NUMBER_ROOM];
    return given->coherence * (given->tokens - 1.0) >= -1.0
               ? LNSTAB_OK
               : lnstab__fail(message, LNSTAB_ERROR_ARGUMENT,
                              "coherence %s is below -1/(tokens - 1)",
                              lnstab__number_format(text, given->coherence));
}

/* What a claim is asked about, of a model or for any: read, and within the specification. */
static int32_t read_arguments(struct lnstab__message *message, const struct lnstab__claim *claim,
                              const struct lnstab__spec *spec, enum lnstab__teller teller,
                              const char *text, struct lnstab__claim_arguments *out) {
    int32_t status =
        lnstab__claim_arguments_parse(message, claim->name, claim->arguments, teller, text, out);
    status = status ? status : check_place(message, "layer", out->layer, spec->layers);
    return status ? status : check_place(message, "sublayer", out->sublayer, 2 * spec->layers + 1);
}

static int32_t check_assumptions(struct lnstab__message *message, const struct lnstab__claim *claim,
                                 const struct lnstab__spec *spec) {
    const char *broken = claim->broken(spec);
    return broken ? lnstab__fail(message, LNSTAB_ERROR_UNAVAILABLE, "%s does not cover this: %s",
                                 claim->name, broken)
                  : LNSTAB_OK;
}

static int32_t check_finite(struct lnstab__message *message, const struct lnstab__claim *claim,
                            double value) {
    return isfinite(value)
               ? LNSTAB_OK
               : lnstab__fail(message, LNSTAB_ERROR_UNAVAILABLE,
                              "%s has no finite value for this configuration and these arguments",
                              claim->name);
}

int32_t lnstab__claim_predict(lnstab_config *c, const char *name, const char *arguments,
                              double *value) {
    struct lnstab__spec spec;
    struct lnstab__claim_arguments given = {0};
    const struct lnstab__claim *claim;
    struct lnstab__message *message = &c->message;
    int32_t status = find(message, name, &claim);
    status = status ? status : lnstab__spec_resolve(c, &spec);
    status =
        status ? status : read_arguments(message, claim, &spec, LNSTAB__CALLER, arguments, &given);
    status = status ? status : check_coherence(message, &given);
    status = status ? status : check_assumptions(message, claim, &spec);
    if (status == LNSTAB_OK && !claim->predict) {
        status = lnstab__fail(message, LNSTAB_ERROR_UNAVAILABLE,
                              "%s is about the weights of a model: lnstab_claim_measure", name);
    }
    if (status != LNSTAB_OK) {
        return status;
    }
    const double predicted = claim->predict(&spec, &given);
    status = check_finite(message, claim, predicted);
    if (status == LNSTAB_OK) {
        *value = predicted;
        lnstab__succeed(message);
    }
    return status;
}

static int32_t check_needs(lnstab_model *m, const struct lnstab__claim *claim,
                           const struct lnstab__scene *s) {
    const char *missing =
        *claim->needs ? lnstab__scene_misses(s, claim->needs) : "more than one model";
    return missing ? lnstab__fail(&m->message, LNSTAB_ERROR_UNAVAILABLE, "%s needs %s", claim->name,
                                  missing)
                   : LNSTAB_OK;
}

int32_t lnstab__claim_measure(lnstab_model *m, const char *name, const char *arguments,
                              double *stated, double *measured) {
    const struct lnstab__scene s = lnstab__scene_of(m);
    struct lnstab__claim_arguments given = {0};
    const struct lnstab__claim *claim;
    int32_t status = find(&m->message, name, &claim);
    status = status
                 ? status
                 : read_arguments(&m->message, claim, &m->spec, LNSTAB__MODEL, arguments, &given);
    status = status ? status : check_assumptions(&m->message, claim, &m->spec);
    status = status ? status : check_needs(m, claim, &s);
    if (status != LNSTAB_OK) {
        return status;
    }
    lnstab__scene_tell(&s, claim->arguments, &given);
    const double says = claim->state ? claim->state(&s, &given) : claim->predict(&m->spec, &given);
    status = check_finite(&m->message, claim, says);
    if (status == LNSTAB_OK) {
        *stated = says;
        *measured = claim->measure(&s, &given);
        lnstab__succeed(&m->message);
    }
    return status;
}
