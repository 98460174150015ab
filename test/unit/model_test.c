/* model/model.c: names of tensors, places on the stream, initial weights. */

#include "support/main.h"
#include "unit/model_bench.h"

static void assert_same(lnstab_model *m, const char *name, const char *as) {
    ck_assert_str_eq(bench_tensor(m, name)->name, as);
    ck_assert_str_eq(m->message.text, "");
}

static void assert_absent(lnstab_model *m, const char *name) {
    ck_assert_msg(lnstab__model_find(m, name) == NULL, "there is %s", name);
    ck_assert_msg(strstr(m->message.text, "no tensor") != NULL, "%s", m->message.text);
    ck_assert_ptr_null(lnstab__model_lookup(m, name));
}

/* theory.md, section 2. post: x1 attention, x2 = x + x1, x3 = LN(x2), x4 = FFN(x3), x5 = x3 + x4. */
static const char *const post[] = {"attn.branch", "attn.sum", "attn.out", "ffn.branch", "ffn.sum"};
/* pre: x1 = LN(x), x2 attention(x1), x3 = x + x2, x4 = LN(x3), x5 = FFN(x4). */
static const char *const pre[] = {"attn.f_in", "attn.branch", "attn.out", "ffn.f_in", "ffn.branch"};

static void check_paper_names(lnstab_model *m, int layer, const char *const names[5]) {
    for (int i = 0; i < 5; ++i) {
        char paper[40], wanted[40];
        snprintf(paper, sizeof paper, "layer.%d.x%d", layer, i + 1);
        snprintf(wanted, sizeof wanted, "layer.%d.%s", layer, names[i]);
        assert_same(m, paper, wanted);
    }
}

START_TEST(test_paper_names) {
    static const char *const words[] = {"placement=post keep_states=1",
                                        "placement=pre keep_states=1",
                                        "placement=mix layers=4 mix_fraction=0.5 keep_states=1"};
    for (int i = 0; i < 3; ++i) {
        lnstab_model *m = bench_model(words[i]);
        for (int l = 1; l <= (int)m->spec.layers; ++l) {
            check_paper_names(m, l, i == 0 || (i == 2 && l <= 2) ? post : pre);
        }
        lnstab_model_destroy(m);
    }
}
END_TEST

START_TEST(test_paper_names_that_are_none) {
    static const char *const names[] = {"layer.1.x0",
                                        "layer.1.x6",
                                        "layer.1.x",
                                        "layer.1.x11",
                                        "layer.0.x1",
                                        "layer.3.x1",
                                        "layer.-1.x1",
                                        "layer.x1",
                                        "layer..x1",
                                        "x1",
                                        "layer.1.X1",
                                        "layer.1.5.x1",
                                        "layer.99999999999999999999.x1"};
    lnstab_model *m = bench_model("placement=post");
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        assert_absent(m, names[i]);
    }
    lnstab_model_destroy(m);
    static const char *const without[] = {"none",     "peri",       "output-norm",
                                          "deepnorm", "ln-scaling", "custom"};
    for (size_t i = 0; i < sizeof without / sizeof *without; ++i) {
        char words[60];
        snprintf(words, sizeof words, "placement=%s", without[i]);
        m = bench_model(words);
        assert_absent(m, "layer.1.x1");
        assert_absent(m, "layer.2.x5");
        lnstab_model_destroy(m);
    }
}
END_TEST

/* A layer has one name: "01" and "+1" are no layers, as they are none in "layer.01.attn.in". */
START_TEST(test_paper_names_are_spelt_in_one_way) {
    lnstab_model *m = bench_model("placement=post");
    assert_absent(m, "layer.01.attn.in");
    assert_absent(m, "layer.01.x1");
    assert_absent(m, "layer.+1.x1");
    lnstab_model_destroy(m);
}
END_TEST

START_TEST(test_find) {
    static const char *const unknown[] = {
        "",
        "layer",
        "layer.",
        "layer.1.attn.in.",
        "layer.3.attn.in",
        "embed.token",
        "layer.1.attn.norm_in.gamma",
        "a name that is longer than any name a tensor may have, and then some"};
    lnstab_model *m = bench_model("placement=post");
    for (int32_t i = 0; i < m->tensor_count; ++i) {
        ck_assert_ptr_eq(lnstab__model_lookup(m, m->tensors[i].name), &m->tensors[i]);
    }
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; ++i) {
        assert_absent(m, unknown[i]);
    }
    ck_assert_msg(strstr(m->message.text, "2 layers, placement=post") != NULL, "%s",
                  m->message.text);
    lnstab_model_destroy(m);
}
END_TEST

/* The name is there, the array is not. */
START_TEST(test_state_that_is_not_kept) {
    lnstab_model *m = bench_model("placement=peri");
    ck_assert_ptr_null(lnstab__model_find(m, "layer.1.ffn.f_out"));
    ck_assert_str_eq(m->message.text,
                     "layer.1.ffn.f_out is not kept: set keep_states=1 recompute=none");
    ck_assert_ptr_null(lnstab__model_lookup(m, "layer.1.ffn.f_out")->held.data);
    lnstab_model_destroy(m);
    m = bench_model("placement=peri keep_states=1");
    assert_same(m, "layer.1.ffn.f_out", "layer.1.ffn.f_out");
    lnstab_model_destroy(m);
}
END_TEST

START_TEST(test_positions) {
    static const struct {
        const char *name;
        int position;
    } rows[] = {{"embed.out", 0},         {"layer.1.attn.in", 0},
                {"layer.1.attn.out", 1},  {"layer.1.ffn.in", 1},
                {"layer.1.ffn.out", 2},   {"layer.2.attn.in", 2},
                {"layer.2.ffn.out", 4},   {"output", 5},
                {"layer.3.attn.in", -1},  {"layer.1.attn.sum", -1},
                {"layer.1.attn.", -1},    {"layer.1.attn.inn", -1},
                {"embed.in", -1},         {"", -1},
                {"layer.01.attn.in", -1}, {"logits", -1}};
    lnstab_model *m = bench_model("placement=post");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        ck_assert_msg(lnstab__model_position(m, rows[i].name) == rows[i].position, "%s",
                      rows[i].name);
    }
    lnstab_model_destroy(m);
}
END_TEST

/* weights 0, biases 0, gammas 1 */
START_TEST(test_reset) {
    lnstab_model *m = new_model("layers=2 width=4 ffn_width=6 dtype=float64 placement=peri");
    for (int32_t i = 0; i < m->parameter_count; ++i) {
        const struct lnstab_tensor *t = &m->tensors[i];
        const double wanted = strstr(t->name, "gamma") ? 1 : 0;
        for (size_t j = 0; j < lnstab__tensor_count(t); ++j) {
            assert_near(t->name, j, ((double *)t->held.data)[j], wanted, 0);
        }
    }
    lnstab_model_destroy(m);
}
END_TEST

/* The same seed gives the same weights to every placement, depth and dtype; tensors and layers differ. */
START_TEST(test_weights_depend_on_seed_and_name_only) {
    static const char *const words[] = {"placement=pre", "placement=peri layers=5 bias=0",
                                        "placement=none dtype=float32 keep_states=2"};
    lnstab_model *first = bench_model("placement=post");
    lnstab__model_init(first, 42);
    for (int i = 0; i < 3; ++i) {
        char all[300];
        snprintf(all, sizeof all,
                 "layers=2 width=4 ffn_width=6 heads=2 vocab=5 max_tokens=3 dtype=float64 "
                 "input=embedded %s",
                 words[i]);
        lnstab_model *m = new_model(all);
        lnstab__model_init(m, 42);
        for (int32_t j = 0; j < first->parameter_count; ++j) {
            const struct lnstab_tensor *a = &first->tensors[j],
                                       *b = strstr(a->name, "w") ? lnstab__model_find(m, a->name)
                                                                 : NULL;
            for (size_t at = 0; b && at < lnstab__tensor_count(a); ++at) {
                const double value = entry(a->held.data, LNSTAB_FLOAT64, at);
                assert_near(a->name, at, entry(b->held.data, b->dtype, at),
                            b->dtype == LNSTAB_FLOAT32 ? (double)(float)value : value, 0);
            }
            ck_assert(b != NULL || !strstr(a->name, ".w_"));
        }
        lnstab_model_destroy(m);
    }
    lnstab_model_destroy(first);
}
END_TEST

START_TEST(test_no_two_matrices_start_alike) {
    lnstab_model *m = bench_model("placement=post input=tokens");
    lnstab__model_init(m, 1);
    int matrices = 0;
    for (int32_t i = 0; i < m->parameter_count; ++i) {
        for (int32_t j = 0; j < i; ++j) {
            const struct lnstab_tensor *a = &m->tensors[i], *b = &m->tensors[j];
            if (a->rank == 2 && b->rank == 2) {
                const double x = ((double *)a->held.data)[0] / a->init.value,
                             y = ((double *)b->held.data)[0] / b->init.value;
                ck_assert_msg(fabs(x - y) > 1e-9, "%s and %s", a->name, b->name);
                ++matrices;
            }
        }
    }
    ck_assert_int_eq(matrices, 14 * 13 / 2);
    const double before = ((double *)m->head.weight.data)[0];
    lnstab__model_init(m, 2);
    ck_assert_double_ne(before, ((double *)m->head.weight.data)[0]);
    lnstab_model_destroy(m);
}
END_TEST

START_TEST(test_init_ends_the_last_forward) {
    lnstab_model *m = bench_model("placement=post");
    double x[BENCH_N] = {1, 2, 3};
    bench_forward(m, x);
    ck_assert(m->batch.has_forward);
    lnstab__model_init(m, 2);
    ck_assert(!m->batch.has_forward && !m->batch.has_loss);
    lnstab_model_destroy(m);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("model");
    TCase *cases = tcase_create("model");
    tcase_add_test(cases, test_paper_names);
    tcase_add_test(cases, test_paper_names_that_are_none);
    tcase_add_test(cases, test_paper_names_are_spelt_in_one_way);
    tcase_add_test(cases, test_find);
    tcase_add_test(cases, test_state_that_is_not_kept);
    tcase_add_test(cases, test_positions);
    tcase_add_test(cases, test_reset);
    tcase_add_test(cases, test_weights_depend_on_seed_and_name_only);
    tcase_add_test(cases, test_no_two_matrices_start_alike);
    tcase_add_test(cases, test_init_ends_the_last_forward);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
