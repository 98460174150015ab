/* analysis/attention_bounds.h: norms of heads, against dense matrices formed from the parameters. */

#include "analysis/attention_bounds.h"

#include "support/dense.h"
#include "support/main.h"
#include "unit/bounds_bench.h"

enum { DIM = 2, HEADS = 2 }; /* of BENCH_D = 4 */

static const char *const designs[] = {"heads=2",
                                      "heads=2 kv_heads=1",
                                      "heads=2 out_proj=0",
                                      "heads=2 kv_heads=1 out_proj=0 soft_cap=3",
                                      "heads=2 soft_cap=3",
                                      "heads=2 positions=rotary",
                                      "heads=2 kv_heads=1 positions=rotary soft_cap=1",
                                      "heads=2 bias=0 soft_cap=1"};

static lnstab_model *model(const char *words) {
    char all[200];
    snprintf(all, sizeof all, "krylov=8 placement=pre bias=1 %s", words);
    if (strstr(words, "bias=0")) {
        lnstab_model *m = new_model("layers=1 width=4 ffn_width=6 heads=2 bias=0 soft_cap=1 "
                                    "max_tokens=3 dtype=float64 input=embedded krylov=8 "
                                    "keep_states=2");
        double x[BENCH_N] = {1, 2, 3, 4, -1, 5};
        lnstab__model_init(m, 4);
        bench_forward(m, x);
        return m;
    }
    return bounds_model(all);
}

/* Row i of head h's part, as a column of the papers' matrix. */
static double part(const struct lnstab__linear *w, int h, int i, int j) {
    return ((const double *)w->weight.data)[(h * DIM + i) * BENCH_D + j];
}

static double bias_part(const struct lnstab__linear *w, int h, int i) {
    return w->bias.data ? ((const double *)w->bias.data)[h * DIM + i] : 0;
}

static double largest_singular(int rows, int columns, const double *a) {
    double sigma[BENCH_D];
    dense_singular_values((size_t)rows, (size_t)columns, a, sigma);
    return sigma[0];
}

static double rows_norm(const struct lnstab__linear *w, int h) {
    double a[DIM * BENCH_D];
    for (int i = 0; i < DIM * BENCH_D; ++i) {
        a[i] = part(w, h, i / BENCH_D, i % BENCH_D);
    }
    return largest_singular(DIM, BENCH_D, a);
}

/* ||W_Q^h W_K^h^T||. */
static double score_norm(const struct lnstab__attention *f, int h, int kv) {
    double a[BENCH_D * BENCH_D] = {0};
    for (int i = 0; i < BENCH_D; ++i) {
        for (int j = 0; j < BENCH_D * DIM; ++j) {
            a[i * BENCH_D + j / DIM] +=
                part(&f->w_q, h, j % DIM, i) * part(&f->w_k, kv, j % DIM, j / DIM);
        }
    }
    return largest_singular(BENCH_D, BENCH_D, a);
}

/* ||W_V^h W_O^h||. */
static double value_norm(const struct lnstab__attention *f, int h, int kv) {
    double a[BENCH_D * BENCH_D] = {0};
    const double *o = f->w_o.weight.data;
    for (int i = 0; i < BENCH_D; ++i) {
        for (int j = 0; j < BENCH_D * DIM; ++j) {
            a[i * BENCH_D + j / DIM] +=
                part(&f->w_v, kv, j % DIM, i) * o[j / DIM * BENCH_D + h * DIM + j % DIM];
        }
    }
    return largest_singular(BENCH_D, BENCH_D, a);
}

/* ||b W||, b of one head, W of one. */
static double through(const struct lnstab__linear *b, int h, const struct lnstab__linear *w,
                      int other) {
    double square = 0;
    for (int j = 0; j < BENCH_D; ++j) {
        double sum = 0;
        for (int i = 0; i < DIM; ++i) {
            sum += bias_part(b, h, i) * part(w, other, i, j);
        }
        square += sum * sum;
    }
    return sqrt(square);
}

static double bias_norm(const struct lnstab__linear *b, int h) {
    return hypot(bias_part(b, h, 0), bias_part(b, h, 1));
}

static void assert_above(const char *what, double bound, double norm) {
    ck_assert_msg(bound >= norm * (1 - 1e-15) && bound <= norm * (1 + 1e-8), "%s: %.17g of %.17g",
                  what, bound, norm);
}

START_TEST(test_heads) {
    lnstab_model *m = model(designs[_i]);
    const struct lnstab__scene s = lnstab__scene_of(m);
    const struct lnstab__attention *f = &m->sublayers[0].of.attention;
    const int rotary = strstr(designs[_i], "rotary") != NULL;
    for (int h = 0; h < HEADS; ++h) {
        const int kv = strstr(designs[_i], "kv_heads=1") ? 0 : h;
        const double q = rows_norm(&f->w_q, h), k = rows_norm(&f->w_k, kv), root = sqrt(DIM);
        const struct lnstab__head_bounds b = lnstab__head_bounds_of(&s, f, (size_t)h);
        assert_above("value", b.value,
                     f->w_o.weight.data ? value_norm(f, h, kv) : rows_norm(&f->w_v, kv));
        ck_assert_double_eq(lnstab__head_values(&s, f, (size_t)h).value, b.value);
        assert_above("score", b.score, (rotary ? q * k : score_norm(f, h, kv)) / root);
        assert_above("key", b.key,
                     (rotary ? bias_norm(&f->w_q, h) * k : through(&f->w_q, h, &f->w_k, kv)) /
                         root);
        assert_above("query", b.query,
                     (rotary            ? bias_norm(&f->w_k, kv) * q
                      : f->soft_cap > 0 ? through(&f->w_k, kv, &f->w_q, h)
                                        : 0) /
                         root);
    }
    lnstab_model_destroy(m);
}
END_TEST

START_TEST(test_spread) {
    lnstab_model *m = model(designs[_i]);
    const struct lnstab__scene s = lnstab__scene_of(m);
    const struct lnstab__attention *f = &m->sublayers[0].of.attention;
    for (size_t h = 0; h < HEADS; ++h) {
        const double *p = (const double *)f->weights.data + h * BENCH_T * BENCH_T;
        double most = 0;
        for (int j = 0; j < BENCH_T; ++j) {
            most = fmax(most, p[j] + p[j + BENCH_T] + p[j + 2 * BENCH_T]);
        }
        assert_near("spread", h, lnstab__head_spread(&s, f, h), sqrt(most), 1e-15);
    }
    lnstab_model_destroy(m);
}
END_TEST

/* More columns than are summed at a time, and the largest sum in the last of two sequences. */
START_TEST(test_spread_of_many_tokens) {
    enum { T = 70 };
    double x[2 * T * 2] = {0};
    lnstab_model *m =
        new_model("layers=1 width=2 heads=1 max_tokens=70 max_batch=2 causal=0 bias=0 "
                  "keep_states=1 dtype=float64 input=embedded placement=none");
    for (int i = 0; i < 2; ++i) {
        ((double *)m->sublayers[0].of.attention.w_q.weight.data)[3 * i] = 100;
        ((double *)m->sublayers[0].of.attention.w_k.weight.data)[3 * i] = 100;
    }
    for (int i = 0; i < 2 * T; ++i) {
        x[2 * i] = 1;
    }
    x[2 * (2 * T - 1)] = 3;
    ck_good(lnstab_model_message(m), lnstab_model_forward_embedded(m, 2, T, x, NULL));
    const struct lnstab__scene s = lnstab__scene_of(m);
    assert_near("all look at the last", 0,
                lnstab__head_spread(&s, &m->sublayers[0].of.attention, 0), sqrt(T), 1e-12);
    lnstab_model_destroy(m);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("attention_bounds");
    TCase *cases = tcase_create("attention_bounds");
    const int count = sizeof designs / sizeof *designs;
    tcase_add_loop_test(cases, test_heads, 0, count);
    tcase_add_loop_test(cases, test_spread, 0, count);
    tcase_add_test(cases, test_spread_of_many_tokens);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
