/* What the claims of a cell of the grid are measured on: configurations, and what becomes of their weights. */
#ifndef TOOL_VERIFY_VARIANTS_H
#define TOOL_VERIFY_VARIANTS_H

#include "verify_claims.h"

#include "lnstab.h"

struct variant {
    const char *name;
    const char *assignments; /* over the setting of Xiong 2020                          */
    int64_t heads;           /* where they divide the width, else 1                     */
    int64_t batch;           /* sequences: 2 are paired samples                         */
    bool statistical;        /* many seeds, for what is so of means; else one           */
    bool asks_large;         /* what is costly, of large models too                     */
    double factor;           /* of every matrix                                         */
    /* Makes weights and inputs x[batch, tokens, width] of those at initialisation, or NULL. */
    void (*change)(lnstab_model *m, uint64_t seed);
    void (*change_inputs)(double *x, int64_t batch, int64_t tokens, int64_t width);
};

extern const struct variant variants[];
extern const int variants_count;

/* Is the claim asked of a model of this variant? */
bool variant_asks(const struct variant *v, const struct claim *c);

/* Its assignments for a width. */
const char *variant_spell(const struct variant *v, int64_t width, struct pool *pool);

/* Weights at initialisation become those of the variant. */
void variant_change(const struct variant *v, lnstab_model *m, uint64_t seed);

#endif
