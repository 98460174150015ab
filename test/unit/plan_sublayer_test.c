/* model/plan_sublayer.c: how each parameter starts. */

#include "support/main.h"
#include "unit/model_bench.h"

/* A gain of 0, of either sign, is a constant +0 and not 0 times draws of either sign. */
START_TEST(test_gain_0_is_exactly_0) {
    static const char *const words[] = {"gain_qk=0", "gain_qk=-0", "gain_qk=0*L^2"};
    for (int i = 0; i < 3; ++i) {
        lnstab_model *m = bench_model(words[i]);
        lnstab__model_init(m, 3);
        const struct lnstab_tensor *w_q = bench_tensor(m, "layer.2.attn.w_q");
        ck_assert(bytes_are(w_q->held.data, 16 * sizeof(double), 0));
        ck_assert(
            bytes_are(bench_tensor(m, "layer.1.attn.w_k")->held.data, 16 * sizeof(double), 0));
        ck_assert(
            !bytes_are(bench_tensor(m, "layer.1.attn.w_v")->held.data, 16 * sizeof(double), 0));
        ck_assert_int_eq((int)w_q->init.distribution, (int)LNSTAB__CONSTANT);
        lnstab_model_destroy(m);
    }
}
END_TEST

struct start {
    const char *name;
    double std;
    uint32_t kind, layer;
};

static void assert_starts(const char *words, const struct start *wanted, size_t count) {
    lnstab_model *m = bench_model(words);
    for (size_t i = 0; i < count; ++i) {
        const struct lnstab_tensor *t = bench_tensor(m, wanted[i].name);
        assert_near(t->name, 0, t->init.value, wanted[i].std, 4 * DBL_EPSILON * wanted[i].std);
        ck_assert_uint_eq(t->init.kind, wanted[i].kind);
        ck_assert_uint_eq(t->init.layer, wanted[i].layer);
    }
    lnstab_model_destroy(m);
}

/* Each matrix starts by its own fan: cases.md, C8. sqrt(2/(4+4)), sqrt(2/(4+6)); the head 1/fan_in. */
START_TEST(test_each_matrix_has_its_own_fan) {
    static const struct start wanted[] = {
        {"layer.1.attn.w_q", 0.5, LNSTAB__KIND_W_Q, 1},
        {"layer.2.attn.w_k", 0.5, LNSTAB__KIND_W_K, 2},
        {"layer.2.attn.w_v", 0.25, LNSTAB__KIND_W_V, 2},
        {"layer.1.attn.w_o", 0.5, LNSTAB__KIND_W_O, 1},
        {"layer.1.ffn.w_1", 3 * 0.44721359549995793, LNSTAB__KIND_W_1, 1},
        {"layer.2.ffn.w_1", 6 * 0.44721359549995793, LNSTAB__KIND_W_1, 2},
        {"layer.2.ffn.w_2", 0.44721359549995793, LNSTAB__KIND_W_2, 2},
        {"head.w", 0.5, LNSTAB__KIND_HEAD_W, 0}};
    assert_starts("gain_w1=3*l^1 gain_v=0.5", wanted, sizeof wanted / sizeof *wanted);
}
END_TEST

/* Keys and values of half the width: sqrt(2/(4+2)). W_3 starts as W_1 does, with its gain, from a stream
 * of its own; tables as embed_init says, times gain_embed. */
START_TEST(test_the_fans_of_options) {
    static const struct start wanted[] = {
        {"layer.1.attn.w_q", 0.5, LNSTAB__KIND_W_Q, 1},
        {"layer.1.attn.w_k", 0.57735026918962576, LNSTAB__KIND_W_K, 1},
        {"layer.2.attn.w_v", 0.57735026918962576, LNSTAB__KIND_W_V, 2},
        {"layer.1.ffn.w_3", 3 * 0.44721359549995793, LNSTAB__KIND_W_3, 1},
        {"embed.token", 1.5, LNSTAB__KIND_EMBED_TOKEN, 0},
        {"embed.position", 1.5, LNSTAB__KIND_EMBED_POSITION, 0}};
    assert_starts(
        "kv_heads=1 gated=1 gain_w1=3*l^1 positions=learned gain_embed=3*L^-1 input=tokens", wanted,
        sizeof wanted / sizeof *wanted);
}
END_TEST

/* 0.02, and 0.02/sqrt(2L) with 2L = 4 branches at the ends of branches, times their gains. */
START_TEST(test_gpt2_shrinks_the_ends_of_branches) {
    static const struct start wanted[] = {{"layer.1.attn.w_q", 0.02, LNSTAB__KIND_W_Q, 1},
                                          {"layer.1.attn.w_v", 0.02, LNSTAB__KIND_W_V, 1},
                                          {"layer.2.attn.w_o", 0.01, LNSTAB__KIND_W_O, 2},
                                          {"layer.2.ffn.w_1", 0.02, LNSTAB__KIND_W_1, 2},
                                          {"layer.2.ffn.w_3", 0.02, LNSTAB__KIND_W_3, 2},
                                          {"layer.1.ffn.w_2", 0.03, LNSTAB__KIND_W_2, 1},
                                          {"embed.token", 0.02, LNSTAB__KIND_EMBED_TOKEN, 0},
                                          {"head.w", 0.02, LNSTAB__KIND_HEAD_W, 0}};
    assert_starts("init=gpt2 embed_init=gpt2 head_init=gpt2 gated=1 gain_w2=3 input=tokens", wanted,
                  sizeof wanted / sizeof *wanted);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("plan_sublayer");
    TCase *cases = tcase_create("plan_sublayer");
    tcase_add_test(cases, test_gain_0_is_exactly_0);
    tcase_add_test(cases, test_each_matrix_has_its_own_fan);
    tcase_add_test(cases, test_the_fans_of_options);
    tcase_add_test(cases, test_gpt2_shrinks_the_ends_of_branches);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
