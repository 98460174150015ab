/* model/passes.c: forward, backward, jvp and vjp of a whole model. */

#include "support/main.h"
#include "unit/model_bench.h"

/* Every placement, with and without a final norm and an embedding norm, with three amounts kept. */
enum { PLACEMENTS = 9, VARIANTS = PLACEMENTS * 2 * 2 };

static lnstab_model *variant(int i, int keep_states, const char *more) {
    char words[200];
    snprintf(words, sizeof words, "placement=%s final_norm=%d embed_norm=%d keep_states=%d %s",
             lnstab__placement_at(i % PLACEMENTS)->name, i / PLACEMENTS % 2, i / PLACEMENTS / 2,
             keep_states, more);
    return bench_model(words);
}

static const char *name_of(int i) {
    static char name[80];
    snprintf(name, sizeof name, "%s final_norm=%d embed_norm=%d",
             lnstab__placement_at(i % PLACEMENTS)->name, i / PLACEMENTS % 2, i / PLACEMENTS / 2);
    return name;
}

struct pass {
    lnstab_model *m;
};

static void pass_call(void *context) {
    lnstab__model_forward(((struct pass *)context)->m);
}

/* The gradient of <u, output> by the input and by a parameter of each kind. */
START_TEST(test_backward_against_differences) {
    static const char *const names[] = {"layer.1.attn.w_v", "layer.1.ffn.w_1", "layer.2.attn.w_q",
                                        "layer.2.ffn.b_2", "layer.2.ffn.w_2"};
    struct pool pool = {.count = 0};
    const int variant_number = _i % VARIANTS;
    struct pass pass = {variant(variant_number, _i < VARIANTS ? 0 : 2, "head=none")};
    lnstab_model *m = pass.m;
    const double *u = pool_normals(&pool, 2, BENCH_N, 1);
    bench_forward(m, pool_normals(&pool, 1, BENCH_N, 1));
    const struct probe probe = {pass_call, &pass, m->output.data, u, BENCH_N};
    lnstab__model_backward(m, u);
    probe_check(&probe, name_of(variant_number), m->embed_in.data,
                pool_copy(&pool, m->embed_in.grad, BENCH_N * sizeof *u), BENCH_N);
    for (int i = 0; i < 5; ++i) {
        const struct lnstab_tensor *t = bench_tensor(m, names[i]);
        const size_t n = lnstab__tensor_count(t);
        probe_check(&probe, names[i], t->held.data, t->held.grad, n < 4 ? n : 4);
    }
    lnstab_model_destroy(m);
    pool_end(&pool);
}
END_TEST

START_TEST(test_adjoint) {
    struct pool pool = {.count = 0};
    lnstab_model *m = variant(_i % VARIANTS, _i < VARIANTS ? 0 : 2, "");
    const int last = 2 * (int)m->spec.layers + 1;
    bench_forward(m, pool_normals(&pool, 1, BENCH_N, 1));
    for (int from = 0; from <= last; ++from) {
        for (int to = from; to <= last; ++to) {
            struct pool draws = {.count = 0};
            const uint32_t stream = (uint32_t)(100 + 10 * from + to);
            const double *u = pool_normals(&draws, stream, BENCH_N, 1),
                         *v = pool_normals(&draws, 1000 + stream, BENCH_N, 1);
            double jv[BENCH_N], uj[BENCH_N];
            char what[120];
            snprintf(what, sizeof what, "%s from %d to %d", name_of(_i % VARIANTS), from, to);
            lnstab__model_jvp(m, from, to, v, jv);
            lnstab__model_vjp(m, from, to, u, uj);
            assert_adjoint(what, BENCH_N, u, jv, BENCH_N, uj, v);
            pool_end(&draws);
        }
    }
    lnstab_model_destroy(m);
    pool_end(&pool);
}
END_TEST

/* J of a path is the product of the J of its parts, and of no step the identity. */
START_TEST(test_paths_compose) {
    struct pool pool = {.count = 0};
    lnstab_model *m = variant(_i, 0, "");
    const double *v = pool_normals(&pool, 2, BENCH_N, 1);
    double whole[BENCH_N], half[BENCH_N], parts[BENCH_N];
    bench_forward(m, pool_normals(&pool, 1, BENCH_N, 1));
    for (int middle = 0; middle <= 5; ++middle) {
        lnstab__model_jvp(m, 0, 5, v, whole);
        lnstab__model_jvp(m, 0, middle, v, half);
        lnstab__model_jvp(m, middle, 5, half, parts);
        ck_assert_msg(memcmp(whole, parts, sizeof whole) == 0, "jvp of %s by way of %d",
                      name_of(_i), middle);
        lnstab__model_vjp(m, 0, 5, v, whole);
        lnstab__model_vjp(m, middle, 5, v, half);
        lnstab__model_vjp(m, 0, middle, half, parts);
        ck_assert_msg(memcmp(whole, parts, sizeof whole) == 0, "vjp of %s by way of %d",
                      name_of(_i), middle);
        lnstab__model_jvp(m, middle, middle, v, whole);
        ck_assert_mem_eq(whole, v, sizeof whole);
    }
    memcpy(whole, v, sizeof whole); /* in and out may be one array */
    lnstab__model_vjp(m, 0, 5, whole, whole);
    lnstab__model_vjp(m, 0, 5, v, parts);
    ck_assert_mem_eq(whole, parts, sizeof whole);
    memcpy(whole, v, sizeof whole);
    lnstab__model_jvp(m, 0, 5, whole, whole);
    lnstab__model_jvp(m, 0, 5, v, parts);
    ck_assert_mem_eq(whole, parts, sizeof whole);
    lnstab_model_destroy(m);
    pool_end(&pool);
}
END_TEST

/* The gradient that backward leaves at the input is the vjp from the output, and neither it nor any
 * gradient of a parameter depends on what is kept. */
START_TEST(test_kept_states_do_not_matter) {
    struct pool pool = {.count = 0};
    lnstab_model *m[3];
    const double *u = pool_normals(&pool, 2, BENCH_N, 1), *x = pool_normals(&pool, 1, BENCH_N, 1);
    double uj[BENCH_N];
    for (int keep = 2; keep >= 0; --keep) {
        m[keep] = variant(_i, keep, "");
        bench_forward(m[keep], x);
        lnstab__model_backward(m[keep], u);
        lnstab__model_vjp(m[keep], 0, 5, u, uj);
        ck_assert_msg(memcmp(uj, m[2]->embed_out.grad, sizeof uj) == 0, "vjp of %s, keep_states=%d",
                      name_of(_i), keep);
        ck_assert_msg(memcmp(uj, m[keep]->embed_out.grad, sizeof uj) == 0,
                      "backward of %s, keep_states=%d", name_of(_i), keep);
        for (int32_t i = 0; i < m[2]->parameter_count; ++i) {
            const struct lnstab_tensor *a = &m[keep]->tensors[i], *b = &m[2]->tensors[i];
            ck_assert_msg(memcmp(a->held.grad, b->held.grad, lnstab__tensor_count(a) * sizeof *u) ==
                              0,
                          "%s of %s, keep_states=%d", a->name, name_of(_i), keep);
        }
    }
    for (int keep = 0; keep < 3; ++keep) {
        lnstab_model_destroy(m[keep]);
    }
    pool_end(&pool);
}
END_TEST

/* A layer's number, 0 before the first, a large one behind the last. */
static int64_t layer_of(const char *name) {
    static const char *const before[] = {"embed.", "norm_embed."};
    for (int i = 0; i < 2; ++i) {
        if (strncmp(name, before[i], strlen(before[i])) == 0) {
            return 0;
        }
    }
    return strncmp(name, "layer.", 6) == 0 ? name[6] - '0' : 99;
}

/* "in" of an attention is the state that the layer before it leaves. */
static int is_input(const char *name) {
    const size_t length = strlen(name);
    return length > 8 && strcmp(name + length - 8, ".attn.in") == 0;
}

typedef int reach(const struct lnstab_tensor *t, int64_t from);

/* From the input of a layer on. */
static int from_a_layer(const struct lnstab_tensor *t, int64_t from) {
    return layer_of(t->name) - is_input(t->name) >= from && strcmp(t->name, "logits") != 0 &&
           strcmp(t->name, "token_loss") != 0;
}

/* W_2 alone, and the states behind the first one. */
static int from_w_2(const struct lnstab_tensor *t, int64_t from) {
    static const char *const behind[] = {".branch", ".f_out", ".sum", ".out"};
    const int64_t first = from > 0 ? from : 1;
    const char *part = layer_of(t->name) == first ? t->name + strlen("layer.1.ffn") : "";
    if (!t->is_state) {
        return strstr(t->name, "ffn.w_2") && layer_of(t->name) >= first;
    }
    for (size_t i = 0; strstr(t->name, ".ffn.") && i < sizeof behind / sizeof *behind; ++i) {
        if (strcmp(part, behind[i]) == 0) {
            return 1;
        }
    }
    return from_a_layer(t, first + 1) || (is_input(t->name) && layer_of(t->name) == first + 1);
}

/* What a backward of less leaves is what the whole one leaves there, and no more. */
static void compare_reached(int number, const char *words, int from, reach *is_reached) {
    struct pool pool = {.count = 0};
    const double *u = pool_normals(&pool, 2, BENCH_N, 1), *x = pool_normals(&pool, 1, BENCH_N, 1);
    lnstab_model *whole = variant(number, 2, ""), *part = variant(number, 2, words);
    bench_forward(whole, x);
    bench_forward(part, x);
    lnstab__model_backward(whole, u);
    lnstab__model_backward(part, u);
    ck_assert_int_eq(whole->tensor_count, part->tensor_count);
    for (int32_t i = 0; i < whole->tensor_count; ++i) {
        const struct lnstab_tensor *a = &whole->tensors[i], *b = &part->tensors[i];
        ck_assert_msg(!b->held.grad == !is_reached(a, from), "%s of %s, %s", a->name,
                      name_of(number), words);
        ck_assert_msg(!b->held.grad || memcmp(a->held.grad, b->held.grad,
                                              lnstab__tensor_count(a) * sizeof *u) == 0,
                      "%s of %s, %s", a->name, name_of(number), words);
    }
    lnstab_model_destroy(whole);
    lnstab_model_destroy(part);
    pool_end(&pool);
}

START_TEST(test_backward_ends_at_a_layer) {
    for (int from = 0; from <= 2; ++from) {
        char words[60];
        snprintf(words, sizeof words, "gradients_from=%d", from);
        compare_reached(_i, words, from, from_a_layer);
        snprintf(words, sizeof words, "gradients_from=%d gradients_of=w_2", from);
        compare_reached(_i, words, from, from_w_2);
    }
}
END_TEST

/* Neither jvp nor vjp touches a gradient, a state or a weight. */
START_TEST(test_products_touch_nothing) {
    struct pool pool = {.count = 0};
    lnstab_model *m = variant(_i, 2, "");
    const double *v = pool_normals(&pool, 2, BENCH_N, 1);
    double out[BENCH_N];
    bench_forward(m, pool_normals(&pool, 1, BENCH_N, 1));
    lnstab__model_backward(m, v);
    const size_t held = (size_t)((unsigned char *)m->work.stream[0] - (unsigned char *)m);
    const unsigned char *before = pool_copy(&pool, m, held);
    lnstab__model_jvp(m, 0, 5, v, out);
    lnstab__model_vjp(m, 0, 5, v, out);
    ck_assert_int_eq(memcmp(before, m, held), 0);
    lnstab_model_destroy(m);
    pool_end(&pool);
}
END_TEST

/* A second backward doubles the gradients of parameters and overwrites those of states. */
START_TEST(test_gradients_accumulate) {
    struct pool pool = {.count = 0};
    lnstab_model *m = variant(_i, 2, "");
    const int32_t targets[BENCH_T] = {4, 0, 2};
    double loss;
    bench_forward(m, pool_normals(&pool, 1, BENCH_N, 1));
    ck_good(lnstab_model_message(m), lnstab_model_loss(m, targets, &loss, NULL));
    lnstab__model_backward(m, NULL);
    const double *once[200];
    ck_assert_int_lt(m->tensor_count, 128);
    for (int32_t i = 0; i < m->tensor_count; ++i) {
        const struct lnstab_tensor *t = &m->tensors[i];
        once[i] = t->held.grad
                      ? pool_copy(&pool, t->held.grad, lnstab__tensor_count(t) * sizeof loss)
                      : NULL;
    }
    lnstab__model_backward(m, NULL);
    for (int32_t i = 0; i < m->tensor_count; ++i) {
        const struct lnstab_tensor *t = &m->tensors[i];
        const double factor = t->is_state ? 1 : 2;
        for (size_t j = 0; once[i] && j < lnstab__tensor_count(t); ++j) {
            assert_near(t->name, j, ((double *)t->held.grad)[j], factor * once[i][j],
                        1e-14 * fmax(10, fabs(once[i][j])));
        }
    }
    lnstab_model_destroy(m);
    pool_end(&pool);
}
END_TEST

struct loss_pass {
    lnstab_model *m;
    double loss;
};

static void loss_call(void *context) {
    struct loss_pass *p = context;
    lnstab__model_forward(p->m);
    p->loss = lnstab__model_loss(p->m);
}

/* The loss through the head, by the head's weights and by the table of tokens (one comes twice). */
START_TEST(test_gradient_of_the_loss) {
    static const double one = 1;
    static const int32_t tokens[BENCH_T] = {3, 1, 3}, targets[BENCH_T] = {4, -100, 0};
    char words[100];
    snprintf(words, sizeof words, "placement=%s input=tokens embed_norm=1 causal=1",
             lnstab__placement_at(_i)->name);
    struct loss_pass pass = {bench_model(words), 0};
    lnstab_model *m = pass.m;
    double loss;
    ck_good(lnstab_model_message(m), lnstab_model_forward(m, BENCH_B, BENCH_T, tokens, NULL));
    ck_good(lnstab_model_message(m), lnstab_model_loss(m, targets, &loss, NULL));
    lnstab__model_backward(m, NULL);
    const struct probe probe = {loss_call, &pass, &pass.loss, &one, 1};
    probe_check(&probe, "head.w", m->head.weight.data, m->head.weight.grad, 20);
    probe_check(&probe, "embed.token", m->embedding.table.data, m->embedding.table.grad, 20);
    probe_check(&probe, "norm_embed.gamma", m->norm_embed.gamma.data, m->norm_embed.gamma.grad,
                BENCH_D);
    lnstab_model_destroy(m);
}
END_TEST

/* d output and d W of a head at every row of so many: one block, a whole one, and one that is left over.
 * (softmax - onehot)/rows in double, sums of 556 products. */
START_TEST(test_head_by_blocks_of_rows) {
    enum { D = 4, V = 5, MOST = 2 * LNSTAB__LOGIT_ROWS + 44 };
    static const int64_t row_counts[] = {1, LNSTAB__LOGIT_ROWS, LNSTAB__LOGIT_ROWS + 1, MOST};
    const size_t rows = (size_t)row_counts[_i];
    struct pool pool = {.count = 0};
    double dw[V][D] = {{0}}, loss;
    int32_t targets[MOST];
    lnstab_model *m = bench_model("max_tokens=600 keep_states=2 head=separate");
    for (size_t i = 0; i < rows; ++i) {
        targets[i] = (int32_t)(i * i % V);
    }
    ck_good(lnstab_model_message(m),
            lnstab_model_forward_embedded(m, 1, row_counts[_i], pool_normals(&pool, 1, rows * D, 1),
                                          NULL));
    ck_good(lnstab_model_message(m), lnstab_model_loss(m, targets, &loss, NULL));
    ck_good(lnstab_model_message(m), lnstab_model_backward(m, NULL));
    const double *z = m->logits.data, *x = m->output.data, *w = m->head.weight.data;
    for (size_t i = 0; i < rows; ++i) {
        double sum = 0, dx[D] = {0};
        for (size_t k = 0; k < V; ++k) {
            sum += exp(z[i * V + k]);
        }
        for (size_t k = 0; k < V; ++k) {
            const double dz = (exp(z[i * V + k]) / sum - (targets[i] == (int32_t)k)) / (double)rows;
            for (size_t j = 0; j < D; ++j) {
                dx[j] += dz * w[k * D + j];
                dw[k][j] += dz * x[i * D + j];
            }
        }
        for (size_t j = 0; j < D; ++j) {
            assert_near("d output", i, ((double *)m->output.grad)[i * D + j], dx[j], 1e-13);
        }
    }
    for (size_t k = 0; k < V * D; ++k) {
        assert_near("dW", k, ((double *)m->head.weight.grad)[k], dw[k / D][k % D], 1e-13);
    }
    lnstab_model_destroy(m);
    pool_end(&pool);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("passes");
    TCase *cases = tcase_create("passes");
    tcase_set_timeout(cases, 60);
    tcase_add_loop_test(cases, test_backward_against_differences, 0, 2 * VARIANTS);
    tcase_add_loop_test(cases, test_adjoint, 0, 2 * VARIANTS);
    tcase_add_loop_test(cases, test_paths_compose, 0, VARIANTS);
    tcase_add_loop_test(cases, test_kept_states_do_not_matter, 0, VARIANTS);
    tcase_add_loop_test(cases, test_backward_ends_at_a_layer, 0, VARIANTS);
    tcase_add_loop_test(cases, test_products_touch_nothing, 0, VARIANTS);
    tcase_add_loop_test(cases, test_gradients_accumulate, 0, VARIANTS);
    tcase_add_loop_test(cases, test_gradient_of_the_loss, 0, PLACEMENTS);
    tcase_add_loop_test(cases, test_head_by_blocks_of_rows, 0, 4);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
