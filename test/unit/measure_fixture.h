#ifndef LNSTAB_TEST_UNIT_MEASURE_FIXTURE_H
#define LNSTAB_TEST_UNIT_MEASURE_FIXTURE_H

#include <stdarg.h>
#include <stdio.h>

#include "analysis/claims.h"
#include "support/handles.h"
#include "unit/harness.h"

/* Models that a claim is measured in, and their arrays by the names that a host has for them: naive code
 * in the tests reads those. No bias is 0 and no gamma is 1. */

enum { MEASURE_L = 2, MEASURE_D = 6, MEASURE_H = 10, MEASURE_T = 3, MEASURE_V = 80 };

static inline lnstab_config *measure_config(const char *words) {
    lnstab_config *c = new_config(
        "layers=2 width=6 ffn_width=10 heads=2 vocab=80 max_batch=2 max_tokens=3 "
        "dtype=float64 input=embedded keep_states=2 krylov=8 gain_qk=0 causal=0 eps=1e-5");
    ck_good(lnstab_config_message(c), lnstab_config_set(c, words));
    return c;
}

static inline lnstab_model *measure_model(const char *words) {
    lnstab_config *c = measure_config(words);
    lnstab_model *m = NULL;
    ck_good(lnstab_config_message(c), lnstab_model_create(c, &m));
    lnstab_config_destroy(c);
    lnstab__model_init(m, 5);
    perturb(m, 6, 0.3);
    return m;
}

/* In the type of the model. */
static inline void measure_forward(lnstab_model *m, int64_t batch, int64_t tokens) {
    void *x = normals(7, 1, (size_t)(batch * tokens * MEASURE_D), m->spec.dtype);
    ck_good(lnstab_model_message(m), lnstab_model_forward_embedded(m, batch, tokens, x, NULL));
    free(x);
}

/* The backward of the loss of the first `counted` tokens. */
static inline void measure_backward(lnstab_model *m, int64_t counted) {
    int32_t targets[2 * MEASURE_T];
    double loss;
    for (int32_t i = 0; i < 2 * MEASURE_T; ++i) {
        targets[i] = i < counted ? 3 * i + 1 : (int32_t)m->spec.ignore_index;
    }
    ck_good(lnstab_model_message(m), lnstab_model_zero_grads(m));
    ck_good(lnstab_model_message(m), lnstab_model_loss(m, targets, &loss, NULL));
    ck_good(lnstab_model_message(m), lnstab_model_backward(m, NULL));
}

/* Both sides of a claim, the arguments as of printf. */
struct sides {
    double stated, measured;
};

static inline struct sides measure(lnstab_model *m, const char *claim, const char *format, ...) {
    struct sides s = {-77, -77};
    char arguments[80];
    va_list list;
    va_start(list, format);
    vsnprintf(arguments, sizeof arguments, format, list);
    va_end(list);
    const int32_t status = lnstab_claim_measure(m, claim, arguments, &s.stated, &s.measured);
    ck_assert_msg(status == LNSTAB_OK, "%s %s: %s", claim, arguments, lnstab_model_message(m));
    return s;
}

/* A value that the naive code has too: 1e-12 of it. */
static inline void assert_same(const char *what, size_t at, double got, double wanted) {
    assert_near(what, at, got, wanted, 1e-12 * fabs(wanted));
}

/* The array behind sublayer k = 0..2L + 1, or before it: its name. */
static inline const char *stream_name(int64_t k) {
    static const char *const names[] = {"embed.out",        "layer.1.attn.out", "layer.1.ffn.out",
                                        "layer.2.attn.out", "layer.2.ffn.out",  "output"};
    return names[k];
}

/* An array of a sublayer k = 1..2L: "layer.l.part.name". */
static inline const char *of_sublayer(int64_t k, const char *name, char text[64]) {
    snprintf(text, 64, "layer.%d.%s.%s", (int)(k + 1) / 2, k % 2 ? "attn" : "ffn", name);
    return text;
}

static inline const double *state_of(lnstab_model *m, int64_t k, const char *name) {
    char text[64];
    return data_of(m, of_sublayer(k, name, text));
}

static inline const double *costate_of(lnstab_model *m, int64_t k, const char *name) {
    char text[64];
    return grad_of(m, of_sublayer(k, name, text));
}

#endif
