#ifndef LNSTAB_TEST_UNIT_BOUNDS_BENCH_H
#define LNSTAB_TEST_UNIT_BOUNDS_BENCH_H

#include "analysis/claims.h"
#include "unit/model_bench.h"

/* A bench model after a forward, and a backward from a random gradient. */
static inline lnstab_model *bounds_model(const char *assignments) {
    char words[280];
    struct pool pool = {0};
    snprintf(words, sizeof words, "keep_states=2 %s", assignments);
    lnstab_model *m = bench_model(words);
    bench_forward(m, pool_normals(&pool, 7, BENCH_N, 1.5));
    ck_good(lnstab_model_message(m),
            lnstab_model_backward(m, pool_normals(&pool, 8, BENCH_N, 0.7)));
    pool_end(&pool);
    return m;
}

struct sides {
    double stated, measured;
};

static inline struct sides sides_of(lnstab_model *m, const char *claim, const char *arguments) {
    struct sides out = {-77, -77};
    const int32_t status = lnstab__claim_measure(m, claim, arguments, &out.stated, &out.measured);
    ck_assert_msg(status == LNSTAB_OK, "%s %s: %s", claim, arguments, m->message.text);
    return out;
}

static inline void assert_no_sides(lnstab_model *m, const char *claim, const char *arguments,
                                   const char *said) {
    struct sides out = {-77, -77};
    ck_assert_int_eq(lnstab__claim_measure(m, claim, arguments, &out.stated, &out.measured),
                     LNSTAB_ERROR_UNAVAILABLE);
    ck_assert_double_eq(out.stated, -77);
    ck_assert_double_eq(out.measured, -77);
    ck_assert_msg(strstr(m->message.text, said) != NULL, "%s %s: %s", claim, arguments,
                  m->message.text);
}

#endif
