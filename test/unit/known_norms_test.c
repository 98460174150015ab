/* analysis/known_norms.h: what is proved once between two forwards, and not longer. */

#include "analysis/known_norms.h"

#include "support/main.h"
#include "unit/measure_fixture.h"

static const char words[] = "placement=pre gain_qk=1 causal=1";

static struct lnstab__weight matrix(lnstab_model *m, const char *name) {
    return lnstab__weight_of(lnstab_model_tensor(m, name));
}

START_TEST(test_norms_are_those_of_the_weights) {
    lnstab_model *m = measure_model(words);
    const struct lnstab__weight w_1 = matrix(m, "layer.1.ffn.w_1"),
                                w_2 = matrix(m, "layer.1.ffn.w_2"),
                                w_v = matrix(m, "layer.2.attn.w_v"),
                                w_o = matrix(m, "layer.2.attn.w_o");
    for (int time = 0; time < 2; ++time) {
        ck_assert_double_eq(lnstab__known_weight_norm(m, w_1), lnstab__weight_norm(m, w_1).upper);
        ck_assert_double_eq(lnstab__known_weight_norm(m, w_2), lnstab__weight_norm(m, w_2).upper);
        ck_assert_double_eq(lnstab__known_weight_norm(m, w_o), lnstab__weight_norm(m, w_o).upper);
        ck_assert_double_eq(lnstab__known_product_norm(m, w_o, w_v),
                            lnstab__product_norm(m, w_o, w_v).upper);
        ck_assert_double_eq(lnstab__known_product_norm(m, w_v, w_o),
                            lnstab__product_norm(m, w_v, w_o).upper);
        ck_assert_uint_eq(m->krylov.known->count, 5);
    }
    lnstab_model_destroy(m);
}
END_TEST

/* All claims of a model find room for what they prove, and a forward forgets it. */
START_TEST(test_a_forward_forgets) {
    static const char *const scenes[] = {"placement=pre", "placement=none heads=3 kv_heads=1",
                                         "placement=post positions=rotary heads=1",
                                         "placement=pre out_proj=0"};
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; ++i) {
        lnstab_model *m = measure_model(scenes[i]);
        const struct lnstab__known_norms *known = m->krylov.known;
        measure_forward(m, 1, MEASURE_T);
        const double before = measure(m, "local.jacobian", "sublayer=2").stated;
        measure(m, "product.jacobian", "sublayer=%d", 2 * MEASURE_L);
        const size_t count = known->count;
        ck_assert(count > 0 && count <= known->capacity);
        measure(m, "forward.norm", "sublayer=%d", 2 * MEASURE_L);
        ck_assert_uint_eq(known->count, count);
        double *w = lnstab_tensor_data(lnstab_model_tensor(m, "layer.1.ffn.w_1"));
        for (int j = 0; j < MEASURE_H * MEASURE_D; ++j) {
            w[j] *= 2;
        }
        measure_forward(m, 1, MEASURE_T);
        ck_assert_uint_eq(known->count, 0);
        ck_assert_double_gt(measure(m, "local.jacobian", "sublayer=2").stated, before);
        lnstab_model_destroy(m);
    }
}
END_TEST

/* What finds no room is proved anew. */
START_TEST(test_no_room) {
    lnstab_model *m = measure_model(words);
    const struct lnstab__weight w = matrix(m, "layer.1.ffn.w_1");
    m->krylov.known->capacity = 0;
    ck_assert_double_eq(lnstab__known_weight_norm(m, w), lnstab__weight_norm(m, w).upper);
    ck_assert_uint_eq(m->krylov.known->count, 0);
    lnstab_model_destroy(m);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {test_norms_are_those_of_the_weights, test_a_forward_forgets,
                                  test_no_room};
    return run_tests("known_norms", tests, sizeof tests / sizeof *tests);
}
