/* analysis/health.h: one pass over a set of tensors. */

#include "analysis/health.h"

#include "support/main.h"
#include "unit/model_bench.h"

START_TEST(test_names_of_sets) {
    ck_assert_int_eq(lnstab__tensor_set_find("parameters"), LNSTAB__PARAMETERS);
    ck_assert_int_eq(lnstab__tensor_set_find("gradients"), LNSTAB__GRADIENTS);
    ck_assert_int_eq(lnstab__tensor_set_find("states"), LNSTAB__STATES);
    ck_assert_int_eq(lnstab__tensor_set_find("state"), -1);
    ck_assert_int_eq(lnstab__tensor_set_find(""), -1);
}
END_TEST

/* The array of tensor i in a set, once: NULL if an earlier name has the same. */
static const void *once(const lnstab_model *m, int32_t i, enum lnstab__tensor_set set) {
    const int gradients = set == LNSTAB__GRADIENTS;
    const struct lnstab_tensor *t = &m->tensors[i];
    const void *array = gradients ? t->held.grad : t->held.data;
    for (int32_t j = 0; j < i; ++j) {
        if (array == (gradients ? m->tensors[j].held.grad : m->tensors[j].held.data)) {
            return NULL;
        }
    }
    return t->is_state == (set == LNSTAB__STATES) ? array : NULL;
}

/* Sums of at most 2000 squares, of any order: 1e-12. */
static void check_set(const lnstab_model *m, enum lnstab__tensor_set set) {
    double sum = 0;
    for (int32_t i = 0; i < m->tensor_count; ++i) {
        const double *x = once(m, i, set);
        sum += x ? dot(lnstab__tensor_count(&m->tensors[i]), x, x) : 0;
    }
    const struct lnstab__report r = lnstab__health_report(m, set);
    ck_assert_double_gt(sum, 0);
    assert_near("sum of squares", (size_t)set, r.sum_of_squares, sum, 1e-12 * sum);
    assert_near("norm", (size_t)set, r.norm, sqrt(sum), 1e-12 * sqrt(sum));
    ck_assert_int_eq(r.nonfinite, 0);
    ck_assert_int_eq(r.subnormal, 0);
    ck_assert_ptr_null(r.first_bad);
}

/* Every pattern of names that share an array: cases.md, C6. */
START_TEST(test_arrays_count_once) {
    struct pool pool = {.count = 0};
    const double *x = pool_normals(&pool, 1, BENCH_N, 1);
    for (int bits = 0; bits < 24; ++bits) {
        char words[200];
        snprintf(words, sizeof words,
                 "placement=%s keep_states=%d out_proj=%d embed_norm=%d final_norm=%d",
                 lnstab__placement_at(_i)->name, bits / 8, bits & 1, bits >> 1 & 1, bits >> 2 & 1);
        lnstab_model *m = bench_model(words);
        bench_forward(m, x);
        lnstab__model_backward(m, x);
        check_set(m, LNSTAB__PARAMETERS);
        check_set(m, LNSTAB__GRADIENTS);
        check_set(m, LNSTAB__STATES);
        lnstab_model_destroy(m);
    }
    pool_end(&pool);
}
END_TEST

START_TEST(test_before_the_first_forward) {
    lnstab_model *m = bench_model("placement=post");
    const struct lnstab__report r = lnstab__health_report(m, LNSTAB__STATES);
    ck_assert_double_eq(r.norm, 0);
    ck_assert_double_eq(r.sum_of_squares, 0);
    ck_assert_int_eq(r.nonfinite, 0);
    lnstab_model_destroy(m);
}
END_TEST

/* cases.md, C16: the first tensor of the table that is bad, however many are. */
START_TEST(test_first_bad) {
    lnstab_model *m = bench_model("placement=post");
    double *late = bench_tensor(m, "layer.2.ffn.w_2")->held.data,
           *early = bench_tensor(m, "layer.1.attn.b_v")->held.data;
    late[23] = INFINITY;
    late[3] = NAN;
    struct lnstab__report r = lnstab__health_report(m, LNSTAB__PARAMETERS);
    ck_assert_str_eq(r.first_bad, "layer.2.ffn.w_2");
    ck_assert_int_eq(r.nonfinite, 2);
    ck_assert(isnan(r.norm) && isnan(r.sum_of_squares));
    early[0] = -INFINITY;
    r = lnstab__health_report(m, LNSTAB__PARAMETERS);
    ck_assert_str_eq(r.first_bad, "layer.1.attn.b_v");
    ck_assert_int_eq(r.nonfinite, 3);
    late[3] = 0;
    r = lnstab__health_report(m, LNSTAB__PARAMETERS);
    ck_assert_double_eq(r.norm, INFINITY);
    ck_assert_ptr_null(lnstab__health_report(m, LNSTAB__GRADIENTS).first_bad);
    lnstab_model_destroy(m);
}
END_TEST

static void clear(lnstab_model *m) {
    for (int32_t i = 0; i < m->parameter_count; ++i) {
        memset(m->tensors[i].held.data, 0, lnstab__tensor_count(&m->tensors[i]) * m->kernels->size);
    }
}

/* 3 and 4 times 2^p in different tensors: the norm is 5 times 2^p, where the squares overflow, where they
 * vanish, and where the entries themselves are subnormal. */
START_TEST(test_norm_does_not_overflow) {
    static const int powers[] = {-1074, -1060, -700, -500, 0, 500, 700, 1000, 1020};
    lnstab_model *m = bench_model("placement=post");
    clear(m);
    for (size_t i = 0; i < sizeof powers / sizeof *powers; ++i) {
        ((double *)bench_tensor(m, "layer.1.attn.w_q")->held.data)[5] = ldexp(-3, powers[i]);
        ((double *)m->head.weight.data)[19] = ldexp(4, powers[i]);
        const struct lnstab__report r = lnstab__health_report(m, LNSTAB__PARAMETERS);
        assert_near("norm", i, r.norm, ldexp(5, powers[i]), 4 * DBL_EPSILON * ldexp(5, powers[i]));
        ck_assert_int_eq(r.subnormal, powers[i] < -1025 ? 2 : 0);
    }
    clear(m);
    ck_assert_double_eq(lnstab__health_report(m, LNSTAB__PARAMETERS).norm, 0);
    lnstab_model_destroy(m);
}
END_TEST

/* cases.md, C6: all ones on 800 entries, float32. */
START_TEST(test_norm_of_ones) {
    lnstab_model *m = new_model("layers=1 width=8 vocab=100 head=none input=tokens bias=0 "
                                "out_proj=0 placement=none ffn_width=1 max_tokens=1");
    float *grad = m->embedding.table.grad;
    for (int i = 0; i < 800; ++i) {
        grad[i] = 1;
    }
    assert_near("norm", 0, lnstab__health_report(m, LNSTAB__GRADIENTS).norm, sqrt(800), 1e-14);
    grad[0] = FLT_MIN / 2;
    grad[1] = FLT_TRUE_MIN;
    ck_assert_int_eq(lnstab__health_report(m, LNSTAB__GRADIENTS).subnormal, 2);
    lnstab_model_destroy(m);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("health");
    TCase *cases = tcase_create("health");
    tcase_add_test(cases, test_names_of_sets);
    tcase_add_loop_test(cases, test_arrays_count_once, 0, 9);
    tcase_add_test(cases, test_before_the_first_forward);
    tcase_add_test(cases, test_first_bad);
    tcase_add_test(cases, test_norm_does_not_overflow);
    tcase_add_test(cases, test_norm_of_ones);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
