/* analysis/bound_claims.c: what no weights of the branches exceed. test/api/bound_test.c reaches it. */

#include "analysis/claims.h"

#include "support/main.h"
#include "unit/claim_fixture.h"
#include "unit/measure_fixture.h"

/* N_res gives 1, N_out |alpha| start + |beta|, neither no bound; behind the last sublayer the final norm. */
START_TEST(test_bound_of_states) {
    static const struct {
        const char *words;
        int sublayer;
        double bound;
    } rows[] = {{"peri", 1, 4},
                {"peri", 12, 15},
                {"peri", 13, 1},
                {"peri,final_norm=0", 13, 15},
                {"peri,embed_norm=1", 2, 3},
                {"output-norm,alpha=-0.5,beta=-2", 2, 3.75},
                {"peri,beta=1*l^1", 4, 9},
                {"post", 1, 1},
                {"pre,beta=0", 5, 3},
                {"pre,layer.2.attn.norm_res=1", 3, 1},
                {"pre,layer.2.norm_res=1,layer.3-L.norm_out=1", 8, 5}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        char arguments[80];
        lnstab_config *c = theory_config(rows[i].words, 6, 1, 64);
        snprintf(arguments, sizeof arguments, "sublayer=%d start=3", rows[i].sublayer);
        assert_near(rows[i].words, i, predict(c, "bound.state", arguments), rows[i].bound, 1e-12);
        lnstab_config_destroy(c);
    }
}
END_TEST

START_TEST(test_where_there_is_none) {
    static const char *const words[] = {"pre", "none", "peri,layer.2.ffn.norm_out=0"};
    for (size_t i = 0; i < sizeof words / sizeof *words; ++i) {
        double value = -77;
        lnstab_config *c = theory_config(words[i], 6, 1, 64);
        ck_assert_int_eq(lnstab__claim_predict(c, "bound.state", "sublayer=12 start=1", &value),
                         LNSTAB_ERROR_UNAVAILABLE);
        ck_assert_double_eq(value, -77);
        lnstab_config_destroy(c);
    }
}
END_TEST

START_TEST(test_measure) {
    enum { D = MEASURE_D, ROWS = 2 * MEASURE_T };
    lnstab_model *m = measure_model("placement=peri");
    lnstab__model_init(m, 5);
    measure_forward(m, 2, MEASURE_T);
    for (int k = 1; k <= 2 * MEASURE_L + 1; ++k) {
        const double *x = data_of(m, stream_name(k));
        double most = 0;
        for (int i = 0; i < ROWS; ++i) {
            most = fmax(most, sqrt(dot(D, x + i * D, x + i * D) / D));
        }
        assert_same("bound.state", (size_t)k, measure(m, "bound.state", "sublayer=%d", k).measured,
                    most);
    }
    lnstab_model_destroy(m);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {test_bound_of_states, test_where_there_is_none, test_measure};
    return run_tests("bound_claims", tests, sizeof tests / sizeof *tests);
}
