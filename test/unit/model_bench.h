#ifndef LNSTAB_TEST_UNIT_MODEL_BENCH_H
#define LNSTAB_TEST_UNIT_MODEL_BENCH_H

#include <stdio.h>

#include "model/model.h"
#include "support/handles.h"
#include "unit/harness.h"

/* Small float64 models, drawn and perturbed so that no bias is 0 and no gamma is 1. */

enum { BENCH_B = 1, BENCH_T = 3, BENCH_D = 4, BENCH_N = BENCH_B * BENCH_T * BENCH_D };

/* The biases of W_1 far from 0 on both sides: half of the hidden entries live, half are dead, and no
 * small step crosses the kink of ReLU. */
static inline void avoid_kinks(lnstab_model *m) {
    for (int64_t k = 1; k < 2 * m->spec.layers; k += 2) {
        double *b = m->sublayers[k].of.ffn.w_1.bias.data;
        for (int64_t i = 0; i < m->spec.ffn_width; ++i) {
            b[i] = i % 2 ? -40 : 40;
        }
    }
}

static inline lnstab_model *bench_model(const char *assignments) {
    char words[500];
    snprintf(words, sizeof words,
             "layers=2 width=4 ffn_width=6 heads=2 vocab=5 max_batch=1 max_tokens=3 dtype=float64 "
             "input=embedded eps=1e-3 %s",
             assignments);
    lnstab_model *m = new_model(words);
    lnstab__model_init(m, 11);
    perturb(m, 12, 0.3);
    avoid_kinks(m);
    return m;
}

static inline void bench_forward(lnstab_model *m, const double *x) {
    ck_good(lnstab_model_message(m), lnstab_model_forward_embedded(m, BENCH_B, BENCH_T, x, NULL));
}

static inline struct lnstab__run bench_run(const lnstab_model *m, int record) {
    return (struct lnstab__run){.kernels = m->kernels,
                                .work = &m->work,
                                .batch = BENCH_B,
                                .tokens = BENCH_T,
                                .rows = BENCH_B * BENCH_T,
                                .record = record};
}

static inline const struct lnstab_tensor *bench_tensor(lnstab_model *m, const char *name) {
    const struct lnstab_tensor *t = lnstab__model_find(m, name);
    ck_assert_msg(t != NULL, "%s", m->message.text);
    return t;
}

#endif
