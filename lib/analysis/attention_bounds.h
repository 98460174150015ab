#ifndef LNSTAB_ANALYSIS_ATTENTION_BOUNDS_H
#define LNSTAB_ANALYSIS_ATTENTION_BOUNDS_H

#include "analysis/scene.h"

/* Head h of attention, with the keys and values of the kv head h/group, as its weights bound it: theory.md,
 * Backward bounds. Norms are proved upper bounds; they need the room of krylov, and overwrite the other. */
struct lnstab__head_bounds {
    double value; /* ||W_V W_O||, or ||W_V|| without W_O */
    double score; /* ||W_Q W_K^T||/sqrt head_dim, rotary: ||W_Q|| ||W_K|| instead */
    double
        query; /* what of a score is linear in the query's input alone and depends on the key's place */
    double
        key; /* what of a score is linear in the key's input alone: ||b_Q W_K^T||/sqrt head_dim */
};

struct lnstab__head_bounds lnstab__head_values(const struct lnstab__scene *s,
                                               const struct lnstab__attention *f, size_t h);
struct lnstab__head_bounds lnstab__head_bounds_of(const struct lnstab__scene *s,
                                                  const struct lnstab__attention *f, size_t h);

/* sqrt of the largest column sum of the weights of head h in the last forward: >= their spectral norm. */
double lnstab__head_spread(const struct lnstab__scene *s, const struct lnstab__attention *f,
                           size_t h);

#endif
