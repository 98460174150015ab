#ifndef LNSTAB_ANALYSIS_CLAIMS_H
#define LNSTAB_ANALYSIS_CLAIMS_H

#include "analysis/claim_arguments.h"
#include "analysis/scene.h"

/* A statement of the theory as a row: what it says, where from, what it assumes, what it predicts, and
 * what a model has instead. It stands between the two sides: measured relation stated. */
struct lnstab__claim {
    const char *name, *source, *arguments, *assumptions, *kind, *relation, *formula;
    /* The first assumption that a configuration breaks, in words, or NULL. */
    const char *(*broken)(const struct lnstab__spec *spec);
    /* What is stated: of a configuration, or, where that does not decide it, of a model. One is NULL. */
    double (*predict)(const struct lnstab__spec *spec, const struct lnstab__claim_arguments *a);
    lnstab__measure_fn *state, *measure;
    const char *needs; /* of state and measure; "": one model cannot measure it */
};

/* Kinds of claims: true of every model, up to rounding; true of a mean over weights and inputs; true as
 * the width grows; a probability; as published, without a proof that covers it: a model that contradicts
 * it is a finding. */
#define LNSTAB__IDENTITY "identity"
#define LNSTAB__INEQUALITY "inequality"
#define LNSTAB__EXPECTATION "expectation"
#define LNSTAB__LIMIT "limit"
#define LNSTAB__PROBABILITY "probability"
#define LNSTAB__PUBLISHED "published"

/* The table is one list of rows after the other: Xiong 2020's Lemma 2 and Theorem 1, its other lemmas and its
 * definition, states, gradients, bounds for any weights, identities of gradients, what factors of weights
 * leave alone. */
struct lnstab__claim_list {
    const struct lnstab__claim *rows;
    int count;
};

extern const struct lnstab__claim_list lnstab__xiong_claims, lnstab__lemma_claims,
    lnstab__state_claims, lnstab__gradient_claims, lnstab__identity_claims, lnstab__bound_claims,
    lnstab__ellipsoid_claims, lnstab__alignment_claims, lnstab__forward_claims,
    lnstab__lipschitz_claims, lnstab__transport_claims, lnstab__scale_claims;

#define LNSTAB__AFTER_KAN "derived, after Kan et al. 2025"

#define LNSTAB__MEAN_FIELD                                                                         \
    "gain_qk=0 causal=0, Xavier weights, inputs N(0, I), width to infinity, eps at most 1e-5"

int lnstab__claim_count(void);
const struct lnstab__claim *lnstab__claim_at(int i);

/* As lnstab_claim_predict and lnstab_claim_measure; messages go to the handle. */
int32_t lnstab__claim_predict(lnstab_config *c, const char *name, const char *arguments,
                              double *value);
int32_t lnstab__claim_measure(lnstab_model *m, const char *name, const char *arguments,
                              double *stated, double *measured);

#endif
