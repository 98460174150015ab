#ifndef LNSTAB_ANALYSIS_ATTENTION_OFFSETS_H
#define LNSTAB_ANALYSIS_ATTENTION_OFFSETS_H

#include "analysis/scene.h"

/* What biases add: with, ||b_V W_O + b_O||; values, ||b_V W_O||; alone, ||b_O||. */
struct lnstab__offset_norms {
    double with, values, alone;
};

struct lnstab__offset_norms lnstab__attention_offsets(const struct lnstab__scene *s,
                                                      const struct lnstab__attention *f);

/* Is there a query that sees no key? */
int lnstab__has_blind_query(const struct lnstab__scene *s);

#endif
