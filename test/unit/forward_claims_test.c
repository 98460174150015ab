/* analysis/forward_claims.c: the recursion from what is at embed.out, and what it needs. */

#include "analysis/stream_bounds.h"
#include "support/main.h"
#include "unit/bounds_bench.h"

static const char *const names[] = {"forward.norm", "forward.mean", "forward.deviation",
                                    "forward.spread"};

static double member(struct lnstab__stream_bounds b, int i) {
    const double all[] = {b.norm, b.mean, b.deviation, b.spread};
    return all[i];
}

static const char *const designs[] = {"placement=pre krylov=4", "placement=peri", "placement=post",
                                      "placement=none krylov=2 final_norm=1"};

START_TEST(test_both_sides) {
    lnstab_model *m = bounds_model(designs[_i]);
    const struct lnstab__scene s = lnstab__scene_of(m);
    struct lnstab__stream_bounds b = lnstab__stream_there(&s, 0);
    for (int k = 1; k <= 5; ++k) {
        const struct lnstab__stream_bounds there = lnstab__stream_there(&s, k);
        char at[40];
        snprintf(at, sizeof at, "sublayer=%d", k);
        b = lnstab__stream_after(&s, k, b);
        for (int i = 0; i < 4; ++i) {
            const struct sides got = sides_of(m, names[i], at);
            ck_assert_double_eq(got.stated, member(b, i));
            ck_assert_double_eq(got.measured, member(there, i));
        }
    }
    lnstab_model_destroy(m);
}
END_TEST

/* Norms of weights are needed where no norm bounds a branch, and only there. */
START_TEST(test_what_is_needed) {
    static const struct {
        const char *words, *said;
    } rows[] = {{"placement=pre", "forward.norm needs room for Lanczos vectors: set krylov=16"},
                {"placement=post layer.2.ffn.norm_res=0", "set krylov=16"},
                {"placement=pre gated=1 krylov=4",
                 "gated must be 0 (neither N_out nor N_res bounds the FFN)"}};
    static const char *const fine[] = {"placement=pre beta=0", "placement=peri gated=1",
                                       "placement=post gated=1 qk_norm=head"};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        lnstab_model *m = bounds_model(rows[i].words);
        assert_no_sides(m, "forward.norm", "sublayer=1", rows[i].said);
        lnstab_model_destroy(m);
    }
    for (size_t i = 0; i < sizeof fine / sizeof *fine; ++i) {
        lnstab_model *m = bounds_model(fine[i]);
        const struct sides got = sides_of(m, "forward.norm", "sublayer=4");
        ck_assert_double_le(got.measured, got.stated);
        lnstab_model_destroy(m);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("forward_claims");
    TCase *cases = tcase_create("forward_claims");
    tcase_add_loop_test(cases, test_both_sides, 0, sizeof designs / sizeof *designs);
    tcase_add_test(cases, test_what_is_needed);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
