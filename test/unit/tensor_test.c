/* model/tensor.h: tensors point to the lengths of their axes, which a model has laid out. */

#include "model/tensor.h"

#include <stdint.h>

#include "support/main.h"
#include "unit/model_bench.h"

START_TEST(test_count) {
    struct lnstab__extents e = {
        .batch = 2, .tokens = 3, .width = 5, .ffn_width = 7, .heads = 11, .vocab = 13};
    const struct lnstab_tensor weights = {.rank = 4,
                                          .axis = {&e.batch, &e.heads, &e.tokens, &e.tokens}};
    const struct lnstab_tensor gamma = {.rank = 1, .axis = {&e.width}};
    ck_assert_uint_eq(lnstab__tensor_count(&weights), 2 * 11 * 3 * 3);
    ck_assert_uint_eq(lnstab__tensor_count(&gamma), 5);
    e.tokens = 1; /* it follows the batch of the last forward */
    ck_assert_uint_eq(lnstab__tensor_count(&weights), 22);
    e.batch = 0; /* before the first */
    ck_assert_uint_eq(lnstab__tensor_count(&weights), 0);
}
END_TEST

START_TEST(test_count_does_not_wrap) {
    int64_t huge = INT64_MAX / 2;
    const struct lnstab_tensor t = {.rank = 3, .axis = {&huge, &huge, &huge}};
    ck_assert_uint_eq(lnstab__tensor_count(&t), SIZE_MAX);
}
END_TEST

struct shape {
    const char *name;
    int rank;
    int64_t size[4];
};

/* After a forward of one sequence of two tokens. */
static void assert_shapes(const char *words, const struct shape *wanted, size_t count) {
    static const int32_t tokens[] = {1, 2};
    lnstab_model *m = bench_model(words);
    ck_good(lnstab_model_message(m), lnstab_model_forward(m, 1, 2, tokens, NULL));
    for (size_t i = 0; i < count; ++i) {
        const struct lnstab_tensor *t = bench_tensor(m, wanted[i].name);
        ck_assert_int_eq(t->rank, wanted[i].rank);
        for (int axis = 0; axis < t->rank; ++axis) {
            ck_assert_msg(*t->axis[axis] == wanted[i].size[axis], "%s axis %d", t->name, axis);
        }
    }
    lnstab_model_destroy(m);
}

/* Keys and values of one head for two, gates, norms of queries and keys, positions. */
START_TEST(test_shapes_of_options) {
    static const struct shape wanted[] = {{"embed.position", 2, {3, 4}},
                                          {"layer.1.attn.w_q", 2, {4, 4}},
                                          {"layer.1.attn.w_k", 2, {2, 4}},
                                          {"layer.2.attn.b_v", 1, {2}},
                                          {"layer.1.attn.norm_q.gamma", 1, {4}},
                                          {"layer.1.attn.norm_k.bias", 1, {2}},
                                          {"layer.2.ffn.w_3", 2, {6, 4}},
                                          {"layer.2.ffn.b_3", 1, {6}},
                                          {"layer.1.attn.q_hat", 3, {1, 2, 4}},
                                          {"layer.1.attn.k_hat", 3, {1, 2, 2}},
                                          {"layer.1.attn.v", 3, {1, 2, 2}},
                                          {"layer.1.attn.heads", 3, {1, 2, 4}},
                                          {"layer.1.ffn.pre", 3, {1, 2, 6}},
                                          {"layer.1.ffn.up", 3, {1, 2, 6}},
                                          {"token_loss", 2, {1, 2}}};
    assert_shapes("kv_heads=1 gated=1 activation=silu qk_norm=full "
                  "positions=learned input=tokens keep_states=1",
                  wanted, sizeof wanted / sizeof *wanted);
}
END_TEST

START_TEST(test_shapes) {
    static const struct shape wanted[] = {{"embed.token", 2, {5, 4}},
                                          {"layer.2.attn.w_o", 2, {4, 4}},
                                          {"layer.2.attn.b_q", 1, {4}},
                                          {"layer.1.ffn.w_1", 2, {6, 4}},
                                          {"layer.1.ffn.w_2", 2, {4, 6}},
                                          {"layer.1.ffn.b_1", 1, {6}},
                                          {"head.w", 2, {5, 4}},
                                          {"norm_final.gamma", 1, {4}},
                                          {"norm_embed.bias", 1, {4}},
                                          {"embed.out", 3, {1, 2, 4}},
                                          {"logits", 3, {1, 2, 5}},
                                          {"layer.1.attn.weights", 4, {1, 2, 2, 2}},
                                          {"layer.2.ffn.hidden", 3, {1, 2, 6}}};
    assert_shapes("placement=peri keep_states=2 embed_norm=1 input=tokens", wanted,
                  sizeof wanted / sizeof *wanted);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("tensor");
    TCase *cases = tcase_create("tensor");
    tcase_add_test(cases, test_count);
    tcase_add_test(cases, test_count_does_not_wrap);
    tcase_add_test(cases, test_shapes);
    tcase_add_test(cases, test_shapes_of_options);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
