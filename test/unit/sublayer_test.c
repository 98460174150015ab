/* model/sublayer.h: x' = N_res(alpha x + beta N_out(F(kappa N_in(x)))), whatever norms there are. */

#include "support/main.h"
#include "unit/model_bench.h"
#include "unit/naive_norm.h"

/* Every choice of norms, of both kinds, with every coefficient away from 1. */
enum { IN = 1, OUT = 2, RES = 4, RMS = 8, VARIANTS = 16 };

static lnstab_model *variant(int bits, int keep_states) {
    char words[200];
    snprintf(
        words, sizeof words,
        "placement=custom kappa=1.3 alpha=0.8 beta=-0.7*l^0.5 norm_in=%d norm_out=%d norm_res=%d "
        "norm=%s keep_states=%d",
        (bits & IN) != 0, (bits & OUT) != 0, (bits & RES) != 0, bits & RMS ? "rms" : "layer",
        keep_states);
    return bench_model(words);
}

/* The norm that the equation has in one place, in long double; without one only the scale. */
static void naive_step(const struct lnstab__norm_op *n, const double *x, double *y) {
    const struct naive_norm naive = {
        n->kind == LNSTAB__NORM_RMS, BENCH_D, n->eps, n->scale, n->gamma.data, n->bias.data};
    for (size_t i = 0; i < BENCH_T; ++i) {
        if (n->kind != LNSTAB__NORM_NONE) {
            naive_forward(&naive, x + i * BENCH_D, y + i * BENCH_D);
        }
        for (size_t j = 0; j < BENCH_D && n->kind == LNSTAB__NORM_NONE; ++j) {
            y[i * BENCH_D + j] = n->scale * x[i * BENCH_D + j];
        }
    }
}

/* Entries are of order 10 and a norm's rstd is below 32 (eps = 1e-3): 1e-13 are some 30 roundings. */
static void assert_rows(const char *what, const void *got, const double *wanted) {
    for (size_t i = 0; i < BENCH_N; ++i) {
        assert_near(what, i, ((const double *)got)[i], wanted[i],
                    1e-13 * fmax(10, fabs(wanted[i])));
    }
}

static void check_equation(lnstab_model *m, const struct lnstab__sublayer *s) {
    const struct lnstab__run run = bench_run(m, 0);
    double f_in[BENCH_N], branch[BENCH_N], f_out[BENCH_N], sum[BENCH_N], out[BENCH_N];
    const double *x = s->in.data;
    naive_step(&s->norm_in, x, f_in);
    assert_rows("f_in", s->f_in.data, f_in);
    s->f->forward(&s->of, &run, s->f_in.data, branch); /* F itself has tests of its own */
    assert_rows("branch", s->branch.data, branch);
    naive_step(&s->norm_out, branch, f_out);
    assert_rows("f_out", s->f_out.data, f_out);
    for (size_t i = 0; i < BENCH_N; ++i) {
        sum[i] = s->alpha * x[i] + s->beta * f_out[i];
    }
    assert_rows("sum", s->sum.data, sum);
    naive_step(&s->norm_res, sum, out);
    assert_rows("out", s->out.data, out);
}

START_TEST(test_residual_equation) {
    struct pool pool = {.count = 0};
    lnstab_model *m = variant(_i, 1);
    bench_forward(m, pool_normals(&pool, 1, BENCH_N, 1));
    for (int k = 0; k < 4; ++k) {
        const struct lnstab__sublayer *s = &m->sublayers[k];
        ck_assert_double_eq(s->norm_in.scale, 1.3);
        ck_assert_double_eq(s->alpha, 0.8);
        assert_near("beta", 0, s->beta, -0.7 * sqrt(k / 2 + 1), 1e-15);
        ck_assert_int_eq(s->norm_in.kind != LNSTAB__NORM_NONE, (_i & IN) != 0);
        ck_assert_int_eq(s->norm_out.kind != LNSTAB__NORM_NONE, (_i & OUT) != 0);
        ck_assert_int_eq(s->norm_res.kind != LNSTAB__NORM_NONE, (_i & RES) != 0);
        check_equation(m, s);
    }
    lnstab_model_destroy(m);
    pool_end(&pool);
}
END_TEST

/* A real placement's coefficients arrive too. */
START_TEST(test_residual_equation_of_every_placement) {
    struct pool pool = {.count = 0};
    char words[100];
    snprintf(words, sizeof words, "placement=%s keep_states=1", lnstab__placement_at(_i)->name);
    lnstab_model *m = bench_model(words);
    bench_forward(m, pool_normals(&pool, 1, BENCH_N, 1));
    for (int k = 0; k < 4; ++k) {
        check_equation(m, &m->sublayers[k]);
    }
    lnstab_model_destroy(m);
    pool_end(&pool);
}
END_TEST

/* What is kept changes nothing. */
START_TEST(test_kept_states_do_not_matter) {
    struct pool pool = {.count = 0};
    lnstab_model *m[3];
    const double *x = pool_normals(&pool, 1, BENCH_N, 1);
    for (int keep = 0; keep < 3; ++keep) {
        m[keep] = variant(_i, keep);
        bench_forward(m[keep], x);
        for (int k = 0; k < 4; ++k) {
            ck_assert_mem_eq(m[keep]->sublayers[k].out.data, m[0]->sublayers[k].out.data,
                             BENCH_N * sizeof *x);
        }
    }
    for (int keep = 0; keep < 3; ++keep) {
        lnstab_model_destroy(m[keep]);
    }
    pool_end(&pool);
}
END_TEST

struct step {
    const struct lnstab__sublayer *s;
    struct lnstab__run run;
};

static void step_call(void *context) {
    struct step *step = context;
    lnstab__sublayer_forward(step->s, &step->run);
}

/* One sublayer as a function of its input and of its norms' parameters. */
static void check_backward(lnstab_model *m, const struct lnstab__sublayer *s, struct pool *pool,
                           const double *u) {
    struct step step = {s, bench_run(m, 1)};
    const struct probe probe = {step_call, &step, s->out.data, u, BENCH_N};
    double d_in[BENCH_N];
    lnstab_model_zero_grads(m);
    step_call(&step);
    lnstab__sublayer_backward(s, &step.run, u, d_in);
    probe_check(&probe, "in", s->in.data, pool_copy(pool, d_in, sizeof d_in), BENCH_N);
    const struct lnstab__norm_op *const norms[] = {&s->norm_in, &s->norm_out, &s->norm_res};
    for (int i = 0; i < 3; ++i) {
        if (norms[i]->gamma.data) {
            probe_check(&probe, "gamma", norms[i]->gamma.data, norms[i]->gamma.grad, BENCH_D);
        }
        if (norms[i]->bias.data) {
            probe_check(&probe, "bias", norms[i]->bias.data, norms[i]->bias.grad, BENCH_D);
        }
    }
}

START_TEST(test_backward_against_differences) {
    struct pool pool = {.count = 0};
    lnstab_model *m = variant(_i % VARIANTS, _i < VARIANTS ? 0 : 2);
    const double *u = pool_normals(&pool, 2, BENCH_N, 1);
    bench_forward(m, pool_normals(&pool, 1, BENCH_N, 1));
    for (int k = 0; k < 2; ++k) {
        check_backward(m, &m->sublayers[k], &pool, u);
    }
    lnstab_model_destroy(m);
    pool_end(&pool);
}
END_TEST

/* The gradient of each kept state, as the total derivative by it: of `sum` by the chain rule. */
START_TEST(test_costates) {
    struct pool pool = {.count = 0};
    lnstab_model *m = variant(_i, 2);
    const struct lnstab__run run = bench_run(m, 1);
    const double *u = pool_normals(&pool, 2, BENCH_N, 1);
    double d_in[BENCH_N], d_sum[BENCH_N], d_branch[BENCH_N], d_x[BENCH_N];
    bench_forward(m, pool_normals(&pool, 1, BENCH_N, 1));
    const struct lnstab__sublayer *s = &m->sublayers[3];
    memcpy(s->out.grad, u, sizeof d_sum); /* as the pass from above leaves it */
    lnstab__sublayer_backward(s, &run, s->out.grad, d_in);
    memcpy(d_sum, lnstab__norm_op_backward(&s->norm_res, &run, s->sum.data, u, d_branch),
           sizeof d_sum);
    assert_rows("d_sum", s->sum.grad, d_sum);
    for (size_t i = 0; i < BENCH_N; ++i) {
        d_x[i] = s->beta * d_sum[i];
    }
    assert_rows("d_f_out", s->f_out.grad, d_x);
    assert_rows("d_branch", s->branch.grad,
                lnstab__norm_op_backward(&s->norm_out, &run, s->branch.data, d_x, d_branch));
    const double *d_norm =
        lnstab__norm_op_backward(&s->norm_in, &run, s->in.data, s->f_in.grad, d_x);
    for (size_t i = 0; i < BENCH_N; ++i) {
        assert_near("d_in", i, d_in[i], s->alpha * d_sum[i] + d_norm[i],
                    1e-13 * fmax(10, fabs(d_in[i])));
    }
    lnstab_model_destroy(m);
    pool_end(&pool);
}
END_TEST

START_TEST(test_adjoint) {
    struct pool pool = {.count = 0};
    lnstab_model *m = variant(_i, 0);
    bench_forward(m, pool_normals(&pool, 1, BENCH_N, 1));
    const struct lnstab__run run = bench_run(m, 0);
    for (int k = 0; k < 4; ++k) {
        const double *u = pool_normals(&pool, 10 + (uint32_t)k, BENCH_N, 1);
        const double *v = pool_normals(&pool, 20 + (uint32_t)k, BENCH_N, 1);
        double jv[BENCH_N], uj[BENCH_N];
        lnstab__sublayer_jvp(&m->sublayers[k], &run, v, jv);
        lnstab__sublayer_backward(&m->sublayers[k], &run, u, uj);
        assert_adjoint("sublayer", BENCH_N, u, jv, BENCH_N, uj, v);
    }
    lnstab_model_destroy(m);
    pool_end(&pool);
}
END_TEST

/* Without recording nothing that is kept changes. */
START_TEST(test_without_recording) {
    struct pool pool = {.count = 0};
    lnstab_model *m = variant(_i, 2);
    bench_forward(m, pool_normals(&pool, 1, BENCH_N, 1));
    const double *u = pool_normals(&pool, 2, BENCH_N, 1);
    const struct lnstab__run run = bench_run(m, 0);
    double d_in[BENCH_N];
    for (int32_t i = 0; i < m->tensor_count; ++i) {
        if (m->tensors[i].held.grad) {
            memset(m->tensors[i].held.grad, 0x01,
                   lnstab__tensor_count(&m->tensors[i]) * sizeof(double));
        }
    }
    for (int k = 0; k < 4; ++k) {
        lnstab__sublayer_backward(&m->sublayers[k], &run, u, d_in);
    }
    for (int32_t i = 0; i < m->tensor_count; ++i) {
        const struct lnstab_tensor *t = &m->tensors[i];
        ck_assert_msg(!t->held.grad ||
                          bytes_are(t->held.grad, lnstab__tensor_count(t) * sizeof(double), 0x01),
                      "%s", t->name);
    }
    lnstab_model_destroy(m);
    pool_end(&pool);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("sublayer");
    TCase *cases = tcase_create("sublayer");
    tcase_set_timeout(cases, 60);
    tcase_add_loop_test(cases, test_residual_equation, 0, VARIANTS);
    tcase_add_loop_test(cases, test_residual_equation_of_every_placement, 0, 9);
    tcase_add_loop_test(cases, test_kept_states_do_not_matter, 0, VARIANTS);
    tcase_add_loop_test(cases, test_backward_against_differences, 0, 2 * VARIANTS);
    tcase_add_loop_test(cases, test_costates, 0, VARIANTS);
    tcase_add_loop_test(cases, test_adjoint, 0, VARIANTS);
    tcase_add_loop_test(cases, test_without_recording, 0, VARIANTS);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
