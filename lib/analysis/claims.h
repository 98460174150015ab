#ifndef LNSTAB_ANALYSIS_CLAIMS_H
#define LNSTAB_ANALYSIS_CLAIMS_H

#include "analysis/claim_arguments.h"
#include "model/spec.h"

/* A statement of the theory as a row: what it says, where from, what it assumes, what it predicts. */
struct lnstab__claim {
    const char *name, *source, *arguments, *assumptions, *relation, *formula;
    /* The first assumption that a configuration breaks, in words, or NULL. */
    const char *(*broken)(const struct lnstab__spec *spec);
    double (*predict)(const struct lnstab__spec *spec, const struct lnstab__claim_arguments *a);
};

/* The table is one list of rows after the other: Xiong 2020's statements, states, gradients, bounds for
 * any weights. */
struct lnstab__claim_list {
    const struct lnstab__claim *rows;
    int count;
};

extern const struct lnstab__claim_list lnstab__xiong_claims, lnstab__state_claims,
    lnstab__gradient_claims, lnstab__bound_claims;

#define LNSTAB__MEAN_FIELD                                                                         \
    "gain_qk=0 causal=0, Xavier weights, inputs N(0, I), width to infinity, eps at most 1e-5"

int lnstab__claim_count(void);
const struct lnstab__claim *lnstab__claim_at(int i);

/* As lnstab_claim_predict; messages go to the configuration. */
int32_t lnstab__claim_predict(lnstab_config *c, const char *name, const char *arguments,
                              double *value);

#endif
