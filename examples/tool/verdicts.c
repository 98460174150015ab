#include "verdicts.h"

#include <stdio.h>
#include <stdlib.h>

static const struct claim {
    const char *source, *statement;
    judge *judge;
} claims[] = {
    {"Xiong 2020, Lemma 2",
     "post: E||x5||^2/d = 1 + c_f; pre: 1 + c_f L <= E||x||^2/d <= 1 + (1 + c_f) L", judge_lemma},
    {"Xiong 2020, Theorem 1, bound",
     "||dL_i/dW_2|| <= C_g K; measured: largest token/bound, range over the grid", judge_bound},
    {"Xiong 2020, Theorem 1, probability",
     "0.99 - delta - epsilon/(0.9+epsilon); measured: delta at epsilon = 0.1", judge_probability},
    {"derived, mean field", "E||x||^2/d before the last norm; measured/predicted", judge_state},
    {"derived, rank one", "||dL_i/dW_2||/||g_i|| = ||h_i|| ||g_i J||/||g_i||; measured/predicted",
     judge_ratio},
    {"derived, rank one",
     "||dLoss/dW_2|| of the sequence, given ||g_i|| and rho_v; measured/predicted", judge_raw},
    {"derived, mean field", "exponent of ||dL_i/dW_2||/||g_i|| in L on this grid",
     judge_ratio_depth},
    {"derived, mean field", "exponent of ||dLoss/dW_2|| in L on this grid", judge_raw_depth},
    {"derived, mean field", "exponent of ||dL_i/dW_2||/||g_i||/sqrt(1-k/d) in d",
     judge_ratio_width},
    {"Xiong 2020, Theorem 1, as a rate",
     "the bound's exponent in L on this grid is that of ||dL_i/dW_2||/||g_i||", judge_rate_depth},
    {"Xiong 2020, Theorem 1, as a rate", "d sqrt(ln d) is the growth of ||dL_i/dW_2||/||g_i|| in d",
     judge_rate_width},
};

#define CLAIMS (int)(sizeof claims / sizeof claims[0])

/* Three levels, Lemma 2 and the bound in every cell, and their means; every fit. */
static int count_comparisons(const struct summary *s, const struct fits *f) {
    const struct grid *g = s->sweep->setting.grid;
    return 5 * grid_cells(g) + 3 * g->placements + f->count + f->pooled_count;
}

bool verdicts_make(struct verdicts *out, const struct summary *s, const struct fits *f) {
    const struct grid *g = s->sweep->setting.grid;
    *out = (struct verdicts){.comparisons = count_comparisons(s, f)};
    out->miss = shared_miss(0.05, out->comparisons);
    out->list = calloc((size_t)(CLAIMS * g->placements), sizeof *out->list);
    if (!out->list) {
        usage_error("no memory for the verdicts");
        return false;
    }
    for (int i = 0; i < CLAIMS; i++)
        for (int p = 0; p < g->placements; p++) {
            struct verdict *v = &out->list[out->count++];
            v->source = claims[i].source;
            v->claim = claims[i].statement;
            v->placement = g->placement[p].label;
            claims[i].judge(v, s, f, p, out->miss);
            out->violated |= v->violated;
        }
    return true;
}

void verdicts_free(struct verdicts *v) {
    free(v->list);
}
