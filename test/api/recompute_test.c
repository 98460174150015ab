/* What recompute must not change, and what it saves; that options of memory or of the model allocate
 * nothing of their own. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/allocator.h"
#include "support/handles.h"
#include "support/main.h"
#include "support/options.h"

static const char *const choices[] = {"recompute=none", "recompute=attention",
                                      "recompute=nonlinear", "recompute=blocks"};

enum { CHOICES = sizeof choices / sizeof *choices };

/* ---- the same numbers ---- */

/* What a model gives for its batch. */
struct result {
    double loss;
    double *grads, *input, *jv, *uj, *logits, *each;
    size_t parameters, count;
};

static double *copy_of(const void *x, size_t n) {
    return memcpy(malloc((n + 1) * sizeof(double)), x, n * sizeof(double));
}

static size_t parameter_entries(lnstab_model *m) {
    size_t n = 0;
    for (int32_t i = 0; i < lnstab_model_tensor_count(m); ++i) {
        const lnstab_tensor *t = lnstab_model_tensor_at(m, i);
        n += lnstab_tensor_role(t)[0] == 'p' ? tensor_count(t) : 0;
    }
    return n;
}

static double *all_gradients(lnstab_model *m, size_t n) {
    double *all = malloc((n + 1) * sizeof *all), *to = all;
    for (int32_t i = 0; i < lnstab_model_tensor_count(m); ++i) {
        const lnstab_tensor *t = lnstab_model_tensor_at(m, i);
        if (lnstab_tensor_role(t)[0] == 'p') {
            memcpy(to, lnstab_tensor_grad(t), tensor_count(t) * sizeof *to);
            to += tensor_count(t);
        }
    }
    return all;
}

static void products(struct result *r, const struct option_model *o) {
    double *v = normals(31, 1, o->count, LNSTAB_FLOAT64);
    r->jv = copy_of(v, o->count);
    r->uj = copy_of(v, o->count);
    require(lnstab_model_jvp(o->m, "layer.1.attn.out", "output", v, r->jv) == LNSTAB_OK &&
                lnstab_model_vjp(o->m, "embed.out", "layer.2.ffn.out", v, r->uj) == LNSTAB_OK,
            "%s: %s", o->words, lnstab_model_message(o->m));
    free(v);
}

/* Backward twice around the products: each pass leaves what the next one needs. */
static struct result result_of(const struct option_model *o) {
    struct result r = {.parameters = parameter_entries(o->m), .count = o->count};
    r.loss = option_loss(o);
    require(lnstab_model_backward(o->m, NULL) == LNSTAB_OK, "%s", lnstab_model_message(o->m));
    products(&r, o);
    require(lnstab_model_backward(o->m, NULL) == LNSTAB_OK, "%s", lnstab_model_message(o->m));
    r.grads = all_gradients(o->m, r.parameters);
    r.input = copy_of(grad_of(o->m, "embed.in"), o->count);
    r.logits = copy_of(data_of(o->m, "logits"), OPTION_ROWS * 11);
    r.each = copy_of(data_of(o->m, "token_loss"), OPTION_ROWS);
    return r;
}

static void result_free(struct result *r) {
    double *const arrays[] = {r->grads, r->input, r->jv, r->uj, r->logits, r->each};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; ++i) {
        free(arrays[i]);
    }
}

static int same(const double *a, const double *b, size_t n) {
    return memcmp(a, b, n * sizeof *a) == 0;
}

static void compare(const char *words, const struct result *a, const struct result *b) {
    require(memcmp(&a->loss, &b->loss, sizeof a->loss) == 0, "%s: loss", words);
    require(same(a->logits, b->logits, OPTION_ROWS * 11), "%s: logits", words);
    require(same(a->each, b->each, OPTION_ROWS), "%s: token_loss", words);
    require(same(a->grads, b->grads, a->parameters), "%s: gradients", words);
    require(same(a->input, b->input, a->count), "%s: embed.in", words);
    require(same(a->jv, b->jv, a->count), "%s: jvp", words);
    require(same(a->uj, b->uj, a->count), "%s: vjp", words);
}

static void check_row(const int8_t *row) {
    struct option_model kept = option_model_new(row, 2, "");
    struct result wanted = result_of(&kept);
    for (int i = 1; i < CHOICES; ++i) {
        struct option_model o = option_model_new(row, 2, choices[i]);
        struct result got = result_of(&o);
        compare(o.words, &got, &wanted);
        result_free(&got);
        option_model_free(&o);
    }
    result_free(&wanted);
    option_model_free(&kept);
}

/* The same products of the same numbers in the same order: not a bit differs. Every combination of three
 * options, and further members of the product. */
START_TEST(test_nothing_changes) {
    enum { MOST = 1000, RANDOM = 400 };
    static int8_t rows[MOST][COVERING_FACTORS];
    const struct covering c = options_covering(3);
    const int count = covering_rows(&c, rows, MOST);
    ck_assert_int_lt(count + RANDOM, MOST);
    for (int i = 0; i < count + RANDOM; ++i) {
        if (i >= count) {
            covering_random(&c, (uint64_t)(2000000 + i), rows[i]);
        }
        check_row(rows[i]);
    }
}
END_TEST

/* A deep model, in float32 too. */
START_TEST(test_nothing_changes_at_24_layers) {
    static const int32_t tokens[] = {3, 1, 4, 1, 5, 9}, targets[] = {1, 4, 1, 5, 9, 2};
    const size_t size = _i % 2 ? sizeof(double) : sizeof(float);
    unsigned char *first = NULL;
    char words[300];
    for (int i = 0; i < CHOICES; ++i) {
        double loss;
        snprintf(words, sizeof words,
                 "layers=24 width=12 heads=2 vocab=11 max_batch=2 max_tokens=5 placement=%s "
                 "activation=gelu gated=1 soft_cap=3 dtype=%s %s",
                 _i / 2 ? "peri" : "post", _i % 2 ? "float64" : "float32", choices[i]);
        lnstab_model *m = new_model(words);
        ck_good(lnstab_model_message(m), lnstab_model_init(m, 4));
        ck_good(lnstab_model_message(m), lnstab_model_forward(m, 2, 3, tokens, NULL));
        ck_good(lnstab_model_message(m), lnstab_model_loss(m, targets, &loss, NULL));
        ck_good(lnstab_model_message(m), lnstab_model_backward(m, NULL));
        const void *grad = grad_of(m, "layer.1.attn.w_q");
        if (i == 0) {
            first = memcpy(malloc(144 * size), grad, 144 * size);
        }
        ck_assert_mem_eq(first, grad, 144 * size);
        lnstab_model_destroy(m);
    }
    free(first);
}
END_TEST

/* ---- less memory ---- */

static size_t size_of(const char *words) {
    size_t bytes;
    lnstab_config *c = new_config(words);
    ck_good(lnstab_config_message(c), lnstab_model_size(c, &bytes));
    lnstab_config_destroy(c);
    return bytes;
}

/* To a cache line for each array, attention saves the weights, B heads T^2 each; blocks, of all layers but one,
 * what is inside a sublayer too, at least q, k, v and hidden. */
START_TEST(test_sizes) {
    enum { L = 10, B = 3, T = 50, D = 24, HEADS = 4, FFN = 96 };
    static const char *const placements[] = {
        "none", "post", "pre", "peri", "output-norm", "deepnorm", "ln-scaling", "mix", "custom"};
    size_t bytes[CHOICES];
    for (size_t p = 0; p < sizeof placements / sizeof *placements; ++p) {
        for (int i = 0; i < CHOICES; ++i) {
            char words[300];
            snprintf(words, sizeof words,
                     "layers=%d max_batch=%d max_tokens=%d width=%d heads=%d ffn_width=%d "
                     "placement=%s %s",
                     L, B, T, D, HEADS, FFN, placements[p], choices[i]);
            bytes[i] = size_of(words);
        }
        const size_t weights = (size_t)B * HEADS * T * T * sizeof(float);
        const size_t inside = weights + (size_t)B * T * (3 * D + FFN) * sizeof(float);
        ck_assert_uint_ge(bytes[0] - bytes[1], L * (weights - 64));
        ck_assert_uint_le(bytes[0] - bytes[1], L * (weights + 64));
        /* hidden of an FFN lies over what an attention drops: one block of the larger of the two */
        ck_assert_uint_ge(bytes[0] - bytes[3], (L - 1) * (inside - 4 * 64));
        ck_assert_uint_lt(bytes[3], bytes[2]);
        /* heads of all layers but one; hidden of a ReLU is kept, and f_in where nothing makes it */
        ck_assert_uint_ge(bytes[1] - bytes[2], (L - 1) * (size_t)B * T * D * sizeof(float) - 64);
    }
}
END_TEST

/* Another entry of the vocabulary costs rows of logits, a block of their gradient at most, and a row of the table with
 * its gradient: there is no second array as large as the logits. */
START_TEST(test_logits_are_there_once) {
    enum { T = 1024, D = 8, MORE = 4096, BLOCK = 256 };
    const size_t few = size_of("max_tokens=1024 width=8 heads=1 ffn_width=8 vocab=4096 head=tied "
                               "input=tokens");
    const size_t more = size_of("max_tokens=1024 width=8 heads=1 ffn_width=8 vocab=8192 head=tied "
                                "input=tokens");
    ck_assert_uint_ge(more - few, MORE * (T + 2 * D) * sizeof(float));
    ck_assert_uint_le(more - few, MORE * (T + BLOCK + 2 * D) * sizeof(float));
}
END_TEST

/* ---- what is not there says so ---- */

static void expect_dropped(lnstab_model *m, const char *name) {
    ck_assert_msg(lnstab_model_tensor(m, name) == NULL, "%s is there", name);
    ck_assert_msg(strstr(lnstab_model_message(m), name) != NULL, "%s", lnstab_model_message(m));
    ck_assert_msg(strstr(lnstab_model_message(m), "recompute=none") != NULL, "%s",
                  lnstab_model_message(m));
}

static int is_one_of(const char *end, const char *const *ends, size_t count) {
    for (size_t i = 0; i < count; ++i) {
        if (strcmp(end, ends[i]) == 0) {
            return 1;
        }
    }
    return 0;
}

/* Each choice drops what the one before it does. */
static int is_dropped(const char *name, int choice) {
    static const char *const dropped[] = {
        ".weights",                                          /* 1 */
        ".f_in",    ".q_hat", ".k_hat", ".heads", ".hidden", /* 2 */
        ".branch",  ".q",     ".k",     ".v",     ".f_out",  ".sum", ".pre"};
    static const size_t count[CHOICES] = {0, 1, 6, sizeof dropped / sizeof *dropped};
    return strncmp(name, "layer.", 6) == 0 && is_one_of(strrchr(name, '.'), dropped, count[choice]);
}

/* With all three norms nothing inside is a state of the stream under another name. f_out is not kept
 * here at all. */
START_TEST(test_states_that_are_not_kept) {
    static const int32_t tokens[] = {0, 1, 2};
    char words[300];
    snprintf(
        words, sizeof words,
        "layers=2 width=6 vocab=4 max_tokens=3 placement=custom norm_in=1 norm_out=1 norm_res=1 "
        "activation=silu qk_norm=head %s",
        choices[_i]);
    lnstab_model *m = new_model(words);
    int dropped = 0;
    ck_good(lnstab_model_message(m), lnstab_model_forward(m, 1, 3, tokens, NULL));
    for (int32_t i = 0; i < lnstab_model_tensor_count(m); ++i) {
        const lnstab_tensor *t = lnstab_model_tensor_at(m, i);
        const char *name = lnstab_tensor_name(t);
        if (lnstab_tensor_role(t)[0] == 's' && strstr(name, ".f_out") == NULL) {
            ck_assert_msg((lnstab_tensor_data(t) == NULL) == is_dropped(name, _i), "%s", name);
        }
        if (!lnstab_tensor_data(t)) {
            ck_assert_ptr_null(lnstab_tensor_grad(t));
            expect_dropped(m, name);
            dropped++;
        }
    }
    static const int wanted[CHOICES] = {4, 2 + 4, 2 * 7 + 4, 2 * (11 + 6)};
    ck_assert_int_eq(dropped, wanted[_i]);
    ck_assert_ptr_nonnull(lnstab_model_tensor(m, "layer.1.attn.out"));
    ck_assert_ptr_nonnull(lnstab_model_tensor(m, "layer.2.ffn.in"));
    lnstab_model_destroy(m);
}
END_TEST

START_TEST(test_keeping_what_is_dropped_is_an_error) {
    for (int i = 1; i < CHOICES; ++i) {
        for (int keep = 0; keep < 3; ++keep) {
            char words[100];
            size_t bytes;
            snprintf(words, sizeof words, "keep_states=%d %s", keep, choices[i]);
            lnstab_config *c = new_config(words);
            ck_assert_int_eq(lnstab_model_size(c, &bytes),
                             keep ? LNSTAB_ERROR_ARGUMENT : LNSTAB_OK);
            ck_assert(!keep || (strstr(lnstab_config_message(c), "keep_states") &&
                                strstr(lnstab_config_message(c), choices[i])));
            lnstab_config_destroy(c);
        }
    }
}
END_TEST

/* ---- allocations ---- */

static const int32_t tokens[] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3};
static const int32_t targets[] = {1, 4, 1, 5, 9, 2, 6, 5, 3, 5};

static void use(lnstab_model *m, int embedded, const double *x) {
    double loss, jv[OPTION_ROWS * 24];
    ck_assert_int_eq(lnstab_model_init(m, 1), LNSTAB_OK);
    for (int64_t b = 1; b <= OPTION_BATCH; ++b) {
        ck_assert_int_eq(embedded ? lnstab_model_forward_embedded(m, b, OPTION_TOKENS, x, NULL)
                                  : lnstab_model_forward(m, b, OPTION_TOKENS, tokens, NULL),
                         LNSTAB_OK);
        ck_assert_int_eq(lnstab_model_loss(m, targets, &loss, NULL), LNSTAB_OK);
        ck_assert_int_eq(lnstab_model_backward(m, NULL), LNSTAB_OK);
        ck_assert_int_eq(lnstab_model_jvp(m, "embed.out", "output", x, jv), LNSTAB_OK);
        ck_assert_int_eq(lnstab_model_vjp(m, "embed.out", "output", x, jv), LNSTAB_OK);
    }
}

/* A configuration and a model are one allocation each, of the size that was told, and nothing else is:
 * the allocator has no more to give while the model is used. */
static void count_allocations(const int8_t *row, const char *more) {
    struct counting counting = {.left = 2};
    lnstab_config *c = NULL;
    lnstab_model *m = NULL;
    char words[OPTION_WORDS];
    size_t bytes;
    option_words(row, 2, more, words);
    double *x = normals(1, 1, OPTION_ROWS * 24, LNSTAB_FLOAT64);
    ck_assert_int_eq(lnstab_config_create(counting_alloc, counting_release, &counting, &c),
                     LNSTAB_OK);
    ck_good(lnstab_config_message(c), lnstab_config_set(c, words));
    ck_good(lnstab_config_message(c), lnstab_model_size(c, &bytes));
    ck_assert_int_eq(counting.taken, 1);
    ck_good(lnstab_config_message(c), lnstab_model_create(c, &m));
    ck_assert_uint_eq(counting.last_size, bytes);
    use(m, row[OPTION_ENDS] == ENDS_EMBEDDED, x);
    ck_assert_int_eq(counting.taken, 2);
    ck_assert_int_eq(counting.given, 0);
    lnstab_model_destroy(m);
    lnstab_config_destroy(c);
    ck_assert_int_eq(counting.given, 2);
    ck_assert_int_eq(counting.misaligned_asks, 0);
    free(x);
}

START_TEST(test_one_allocation_with_all_options) {
    static int8_t rows[200][COVERING_FACTORS];
    static const char *const kept[] = {"recompute=none",      "recompute=attention",
                                       "recompute=nonlinear", "recompute=blocks",
                                       "keep_states=1",       "keep_states=2"};
    const struct covering c = options_covering(2);
    const int count = covering_rows(&c, rows, 200);
    for (int i = 0; i < count; ++i) {
        count_allocations(rows[i], kept[_i]);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("recompute");
    TCase *cases = tcase_create("recompute");
    tcase_set_timeout(cases, 60);
    tcase_add_test(cases, test_nothing_changes);
    tcase_add_loop_test(cases, test_nothing_changes_at_24_layers, 0, 4);
    tcase_add_test(cases, test_sizes);
    tcase_add_test(cases, test_logits_are_there_once);
    tcase_add_loop_test(cases, test_states_that_are_not_kept, 1, CHOICES);
    tcase_add_test(cases, test_keeping_what_is_dropped_is_an_error);
    tcase_add_loop_test(cases, test_one_allocation_with_all_options, 0, 6);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
