/* Gradients against central differences for combinations of every option.
 *
 * The product of the options at one layer has 1,990,656 members, some 20 minutes of work. Every run checks
 * a covering array of strength 3, built here, which has every combination of three choices of different
 * options in 189 rows, and 20,000 further members drawn at random; with OPTIONS_TEST=k/n in the
 * environment, the k-th of n parts of the product. At 24 layers it is a covering array of strength 2, of 42 rows, and 198
 * random members, tensor by tensor. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/handles.h"
#include "support/main.h"
#include "support/options.h"

/* ---- differences ---- */

/* Where the loss is looked at: a model, and what stands before its ReLUs. */
struct scene {
    struct option_model o;
    const lnstab_tensor *kinks[64];
    int kink_count;
    int32_t tensors;
};

static int is_parameter(const lnstab_tensor *t) {
    return lnstab_tensor_role(t)[0] == 'p';
}

/* "pre" where there is one, "hidden" of an ungated ReLU, which tells as well. */
static void find_kinks(struct scene *s) {
    for (int32_t i = 0; i < s->tensors; ++i) {
        const lnstab_tensor *t = lnstab_model_tensor_at(s->o.m, i);
        const char *end = strrchr(lnstab_tensor_name(t), '.');
        if (end && strcmp(end, ".hidden") == 0) {
            const lnstab_tensor *before = lnstab_model_tensor_at(s->o.m, i - 1);
            const int gated = strstr(s->o.words, "gated=1") != NULL;
            require(s->kink_count < 64, "%s", s->o.words);
            s->kinks[s->kink_count++] = gated ? lnstab_model_tensor_at(s->o.m, i - 2) : t;
            require(!gated || strstr(lnstab_tensor_name(before), ".up"), "%s", s->o.words);
        }
    }
}

static struct scene scene_with(const int8_t *row, int layers, const char *more) {
    struct scene s = {.o = option_model_new(row, layers, more)};
    s.tensors = lnstab_model_tensor_count(s.o.m);
    if (row[OPTION_ACTIVATION] == 0) {
        find_kinks(&s);
    }
    return s;
}

static struct scene scene_new(const int8_t *row, int layers) {
    return scene_with(row, layers, "");
}

static void scene_free(struct scene *s) {
    option_model_free(&s->o);
}

/* Which hidden units are on: a difference is a derivative only between points where this agrees. */
static uint64_t activation_pattern(const struct scene *s) {
    uint64_t hash = 1469598103934665603U;
    for (int i = 0; i < s->kink_count; ++i) {
        const double *h = lnstab_tensor_data(s->kinks[i]);
        const size_t n = tensor_count(s->kinks[i]);
        for (size_t j = 0; j < n; ++j) {
            hash = (hash ^ (h[j] > 0)) * 1099511628211U;
        }
    }
    return hash;
}

/* Arrays that are moved together along a direction of length 1, and what the derivative along it is. */
enum { MOST_PARTS = 1600 };

struct part {
    double *w;
    size_t n;
};

struct probe {
    const char *name;
    const struct part *parts;
    int count;
    const double *v; /* all parts, one behind the other */
    double exact, bound;
};

/* w = base + step v. base holds all parts, one behind the other. */
static void move(const struct probe *p, const double *base, double step) {
    size_t at = 0;
    for (int i = 0; i < p->count; ++i) {
        for (size_t j = 0; j < p->parts[i].n; ++j, ++at) {
            p->parts[i].w[j] = base[at] + (step == 0 ? 0 : step * p->v[at]);
        }
    }
}

static double *gather(const struct part *parts, int count, size_t *n) {
    *n = 0;
    for (int i = 0; i < count; ++i) {
        *n += parts[i].n;
    }
    double *all = malloc((*n + 1) * sizeof *all), *to = all;
    for (int i = 0; i < count; ++i) {
        memcpy(to, parts[i].w, parts[i].n * sizeof *to);
        to += parts[i].n;
    }
    return all;
}

/* Fourth-order central difference; 0 if a kink of ReLU lies between the points. */
static int difference(const struct scene *s, const struct probe *p, const double *base, double h,
                      double *out) {
    static const double steps[] = {-2, -1, 1, 2}, weights[] = {1, -8, 8, -1};
    double sum = 0;
    uint64_t pattern = 0;
    int smooth = 1;
    for (int i = 0; i < 4 && smooth; ++i) {
        move(p, base, steps[i] * h);
        sum += weights[i] * option_loss(&s->o);
        const uint64_t here = activation_pattern(s);
        smooth = i == 0 || here == pattern;
        pattern = here;
    }
    move(p, base, 0);
    *out = sum / (12 * h);
    return smooth;
}

/* 1 if checked, 0 if kinks are in the way at every step. The steps trade curvature, behind a norm of a
 * small branch or of 24 gated layers, against rounding, which leaves about 1e-15/h of a function of order
 * 1; a wrong gradient agrees at none of them. */
static int check_probe(const struct scene *s, const struct probe *p) {
    static const double steps[] = {1e-4, 2e-5, 4e-6, 8e-7};
    size_t n;
    double *base = gather(p->parts, p->count, &n), value = 0;
    int smooth = 0, agrees = 0;
    for (size_t i = 0; i < sizeof steps / sizeof *steps && !agrees; ++i) {
        double here;
        if (difference(s, p, base, steps[i], &here)) {
            smooth = 1;
            value = here;
            agrees = fabs(here - p->exact) <= p->bound + 4e-15 / steps[i];
        }
    }
    free(base);
    require(agrees || !smooth, "%s: %s: difference %.15g, derivative %.15g, bound %.3g", s->o.words,
            p->name, value, p->exact, p->bound);
    return agrees;
}

static double product(const double *a, const double *b, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; ++i) {
        sum += a[i] * b[i];
    }
    return sum;
}

static double *unit_direction(uint64_t seed, uint32_t stream, size_t n) {
    double *v = normals(seed, stream, n, LNSTAB_FLOAT64);
    const double length = sqrt(product(v, v, n));
    for (size_t i = 0; i < n; ++i) {
        v[i] /= length;
    }
    return v;
}

/* Along one random direction, drawn anew where it crosses a kink. g: the gradient of all parts, one
 * behind the other. */
static void check_direction(const struct scene *s, struct probe p, const double *g, size_t n,
                            uint32_t stream) {
    int checked = 0;
    for (uint64_t draw = 0; draw < 200 && !checked; ++draw) {
        double *v = unit_direction(6 + draw, stream, n);
        p.v = v;
        p.exact = product(v, g, n);
        checked = check_probe(s, &p);
        free(v);
    }
    require(checked, "%s: %s: two hundred directions cross a kink", s->o.words, p.name);
}

/* ---- what is checked of one model ---- */

/* Every parameter, and the gradients beside them. */
static int parameters_of(const struct scene *s, struct part *parts, struct part *grads) {
    int count = 0;
    for (int32_t i = 0; i < s->tensors; ++i) {
        const lnstab_tensor *t = lnstab_model_tensor_at(s->o.m, i);
        if (is_parameter(t)) {
            require(count < MOST_PARTS, "%s", s->o.words);
            parts[count] = (struct part){lnstab_tensor_data(t), tensor_count(t)};
            grads[count++] = (struct part){lnstab_tensor_grad(t), tensor_count(t)};
        }
    }
    return count;
}

static void backward(const struct scene *s) {
    option_loss(&s->o);
    require(lnstab_model_zero_grads(s->o.m) == LNSTAB_OK &&
                lnstab_model_backward(s->o.m, NULL) == LNSTAB_OK,
            "%s: %s", s->o.words, lnstab_model_message(s->o.m));
}

/* All parameters along one direction. Returns the length of the gradient. */
static double check_parameters(const struct scene *s) {
    static struct part parts[MOST_PARTS], grads[MOST_PARTS];
    const int count = parameters_of(s, parts, grads);
    size_t n;
    double *g = gather(grads, count, &n);
    const double length = sqrt(product(g, g, n));
    const struct probe p = {"all parameters", parts, count, NULL, 0, 1e-8 * length};
    require(length > 0 && isfinite(length), "%s: gradient %g", s->o.words, length);
    check_direction(s, p, g, n, 1);
    free(g);
    return length;
}

static void check_input(const struct scene *s) {
    if (s->o.x) {
        const struct part part = {s->o.x, s->o.count};
        double *g = malloc(s->o.count * sizeof *g);
        memcpy(g, grad_of(s->o.m, "embed.in"), s->o.count * sizeof *g);
        const double length = sqrt(product(g, g, s->o.count));
        check_direction(s, (struct probe){"embed.in", &part, 1, NULL, 0, 1e-8 * length}, g,
                        s->o.count, 2);
        free(g);
    }
}

/* <u, J v> = <u J, v> over the whole stream: rounding is some 1e-15 of the sizes for each of the steps. */
static void check_transposes(const struct scene *s) {
    const size_t n = s->o.count;
    double *v = normals(31, 1, n, LNSTAB_FLOAT64), *u = normals(31, 2, n, LNSTAB_FLOAT64);
    double *jv = malloc(n * sizeof *jv), *uj = malloc(n * sizeof *uj);
    option_loss(&s->o);
    require(lnstab_model_jvp(s->o.m, "embed.out", "output", v, jv) == LNSTAB_OK &&
                lnstab_model_vjp(s->o.m, "embed.out", "output", u, uj) == LNSTAB_OK,
            "%s: %s", s->o.words, lnstab_model_message(s->o.m));
    const double scale =
        sqrt(product(u, u, n) * product(jv, jv, n)) + sqrt(product(uj, uj, n) * product(v, v, n));
    require(scale > 0 && fabs(product(u, jv, n) - product(uj, v, n)) <= 1e-13 * scale,
            "%s: <u, J v> is %.17g, <u J, v> %.17g", s->o.words, product(u, jv, n),
            product(uj, v, n));
    free(u);
    free(v);
    free(jv);
    free(uj);
}

static void check_row(const int8_t *row) {
    struct scene s = scene_new(row, 1);
    backward(&s);
    check_input(&s);
    backward(&s);
    check_parameters(&s);
    check_transposes(&s);
    scene_free(&s);
}

/* ---- one layer ---- */

/* A sanitizer makes this some fifteen times slower, and needs no more than every pair and triple. */
#if defined(__SANITIZE_ADDRESS__)
enum { RANDOM = 1000, DEEP = 42 };
#else
enum { RANDOM = 20000, DEEP = 240 };
#endif

enum { MOST_ROWS = 1000, BATCHES = 20 };
static int8_t rows[MOST_ROWS][COVERING_FACTORS];

START_TEST(test_triples_at_one_layer) {
    const struct covering c = options_covering(3);
    const int count = covering_rows(&c, rows, MOST_ROWS);
    ck_assert_int_eq((int)covering_missing(&c, rows, count), 0);
    for (int i = 0; i < count; ++i) {
        check_row(rows[i]);
    }
}
END_TEST

START_TEST(test_random_members_at_one_layer) {
    const struct covering c = options_covering(3);
    for (int i = 0; i < RANDOM / BATCHES; ++i) {
        int8_t row[COVERING_FACTORS];
        covering_random(&c, (uint64_t)(_i * (RANDOM / BATCHES) + i), row);
        check_row(row);
    }
}
END_TEST

static void member(const struct covering *c, long number, int8_t row[COVERING_FACTORS]) {
    for (int i = 0; i < c->factors; ++i) {
        row[i] = (int8_t)(number % c->levels[i]);
        number /= c->levels[i];
    }
}

static long product_size(const struct covering *c) {
    long size = 1;
    for (int i = 0; i < c->factors; ++i) {
        size *= c->levels[i];
    }
    return size;
}

enum { SLICES_OF_PRODUCT = 200 };

START_TEST(test_whole_product_at_one_layer) {
    const struct covering c = options_covering(3);
    for (long number = _i; number < product_size(&c); number += SLICES_OF_PRODUCT) {
        int8_t row[COVERING_FACTORS] = {0};
        member(&c, number, row);
        check_row(row);
    }
}
END_TEST

/* ---- 24 layers ---- */

enum { LAYERS = 24, SLICES = 10 };

/* Is a tensor outside the layers, or in the first, the last, or the one in between that is drawn? */
static int is_chosen(const char *name, int drawn) {
    int layer = 0;
    return sscanf(name, "layer.%d.", &layer) != 1 || layer == 1 || layer == LAYERS ||
           layer == drawn;
}

static void check_tensors(const struct scene *s, double all, int drawn) {
    for (int32_t i = 0; i < s->tensors; ++i) {
        const lnstab_tensor *t = lnstab_model_tensor_at(s->o.m, i);
        if (is_parameter(t) && is_chosen(lnstab_tensor_name(t), drawn)) {
            const size_t n = tensor_count(t);
            const double *g = lnstab_tensor_grad(t);
            const struct part part = {lnstab_tensor_data(t), n};
            const double bound = 1e-8 * sqrt(product(g, g, n)) + 1e-11 * all;
            check_direction(s, (struct probe){lnstab_tensor_name(t), &part, 1, NULL, 0, bound}, g,
                            n, (uint32_t)i);
        }
    }
}

START_TEST(test_pairs_at_24_layers) {
    const struct covering c = options_covering(2);
    const int count = covering_rows(&c, rows, MOST_ROWS);
    ck_assert_int_eq((int)covering_missing(&c, rows, count), 0);
    for (int i = _i; i < DEEP; i += SLICES) {
        if (i >= count) {
            covering_random(&c, (uint64_t)(1000000 + i), rows[i]);
        }
        struct scene s = scene_new(rows[i], LAYERS);
        backward(&s);
        check_input(&s);
        backward(&s);
        check_tensors(&s, check_parameters(&s), 2 + i % (LAYERS - 2));
        check_transposes(&s);
        scene_free(&s);
    }
}
END_TEST

/* ---- exact values ---- */

static int is_zero(const double *x, size_t n) {
    for (size_t i = 0; i < n; ++i) {
        if (x[i] != 0) {
            return 0;
        }
    }
    return 1;
}

/* A sequence without any key: its weights and heads are 0, not small, and every gradient is finite. */
START_TEST(test_fully_masked_rows) {
    static const uint8_t none[OPTION_ROWS] = {1, 1, 0, 1, 0, 0, 0, 0, 0, 0};
    const struct covering c = options_covering(2);
    const int count = covering_rows(&c, rows, MOST_ROWS);
    for (int i = 0; i < count; ++i) {
        struct scene s = scene_with(rows[i], 1, "keep_states=1");
        int64_t nonfinite;
        s.o.keep = none;
        backward(&s);
        const double *p = data_of(s.o.m, "layer.1.attn.weights"),
                     *o = data_of(s.o.m, "layer.1.attn.heads");
        const size_t squares = tensor_count(lnstab_model_tensor(s.o.m, "layer.1.attn.weights")) / 2;
        require(is_zero(p + squares, squares), "%s", s.o.words);
        require(is_zero(o + s.o.count / 2, s.o.count / 2), "%s", s.o.words);
        require(!is_zero(o, s.o.count / 2), "%s", s.o.words);
        static const char *const sets[] = {"gradients", "states"};
        for (int set = 0; set < 2; ++set) {
            lnstab_model_health(s.o.m, sets[set], NULL, NULL, &nonfinite, NULL, NULL);
            require(nonfinite == 0, "%s", s.o.words);
        }
        check_parameters(&s);
        check_transposes(&s);
        scene_free(&s);
    }
}
END_TEST

/* ReLU'(0) = 0: with W_1 = 0 and b_1 = 0 every unit is at the kink, and nothing comes through. */
START_TEST(test_relu_at_its_kink) {
    const int8_t row[COVERING_FACTORS] = {[OPTION_BIAS] = 1, [OPTION_GATED] = (int8_t)_i};
    struct scene s = scene_new(row, 1);
    static const char *const names[] = {"layer.1.ffn.w_1", "layer.1.ffn.b_1", "layer.1.ffn.w_2",
                                        "layer.1.ffn.w_3"};
    for (int i = 0; i < 2; ++i) {
        const lnstab_tensor *t = lnstab_model_tensor(s.o.m, names[i]);
        memset(lnstab_tensor_data(t), 0, tensor_count(t) * sizeof(double));
    }
    backward(&s);
    for (int i = 0; i < 3 + _i; ++i) {
        const lnstab_tensor *t = lnstab_model_tensor(s.o.m, names[i]);
        ck_assert(is_zero(lnstab_tensor_grad(t), tensor_count(t)));
    }
    ck_assert(!is_zero(grad_of(s.o.m, "layer.1.ffn.b_2"), s.o.width));
    scene_free(&s);
}
END_TEST

/* ---- float32 ---- */

/* The distance of the gradients of two models of different types, relative to their length. */
static double gradient_distance(lnstab_model *a, lnstab_model *b) {
    double distance = 0, length = 0;
    for (int32_t i = 0; i < lnstab_model_tensor_count(a); ++i) {
        const lnstab_tensor *t = lnstab_model_tensor_at(a, i), *u = lnstab_model_tensor_at(b, i);
        for (size_t j = 0; is_parameter(t) && j < tensor_count(t); ++j) {
            const double x = entry(lnstab_tensor_grad(t), lnstab_tensor_dtype(t), j);
            const double y = entry(lnstab_tensor_grad(u), lnstab_tensor_dtype(u), j);
            distance += (x - y) * (x - y);
            length += x * x;
        }
    }
    return sqrt(distance / length);
}

/* A loss of order 1 made by some thousand roundings of 6e-8 at random, magnified by norms whose 1/s is
 * below 32 (eps = 1e-3); a gradient by twice as many norms. A hidden unit of ReLU that a rounding turns on
 * or off moves the gradient by its share. */
START_TEST(test_float32_follows_float64) {
    const struct covering c = options_covering(2);
    const int count = covering_rows(&c, rows, MOST_ROWS);
    for (int i = 0; i < count; ++i) {
        struct scene wide = scene_new(rows[i], 2);
        struct option_model narrow = option_model_new(rows[i], 2, "dtype=float32");
        if (narrow.x) {
            free(narrow.x);
            narrow.x = normals(21, 1, narrow.count, LNSTAB_FLOAT32);
        }
        const double loss = option_loss(&narrow), wanted = option_loss(&wide.o);
        require(fabs(loss - wanted) <= 1e-4 * wanted, "%s: %g, not %g", narrow.words, loss, wanted);
        ck_assert_int_eq(lnstab_model_backward(narrow.m, NULL), LNSTAB_OK);
        backward(&wide);
        const double distance = gradient_distance(wide.o.m, narrow.m);
        require(distance <= (rows[i][OPTION_ACTIVATION] == 0 ? 0.1 : 1e-3),
                "%s: gradient off by %g", narrow.words, distance);
        scene_free(&wide);
        option_model_free(&narrow);
    }
}
END_TEST

/* ---- what no model can have ---- */

static void expect_refusal(const char *words, int32_t status, const char *value,
                           const char *limit) {
    lnstab_config *c = new_config("width=12 heads=4 vocab=11 max_tokens=4");
    lnstab_model *m = NULL;
    size_t bytes = 77;
    const int32_t set = lnstab_config_set(c, words);
    const int32_t made = set == LNSTAB_OK ? lnstab_model_create(c, &m) : set;
    ck_assert_msg(made == status, "%s: %d", words, (int)made);
    ck_assert_msg(strstr(lnstab_config_message(c), value) != NULL, "%s: %s", words,
                  lnstab_config_message(c));
    ck_assert_msg(strstr(lnstab_config_message(c), limit) != NULL, "%s: %s", words,
                  lnstab_config_message(c));
    ck_assert_ptr_null(m);
    if (set == LNSTAB_OK) {
        ck_assert_int_eq(lnstab_model_size(c, &bytes), status);
        ck_assert_uint_eq(bytes, 77);
    }
    lnstab_config_destroy(c);
}

/* The message names the value and the limit. */
START_TEST(test_impossible_combinations) {
    const int32_t argument = LNSTAB_ERROR_ARGUMENT, name = LNSTAB_ERROR_NAME;
    expect_refusal("kv_heads=3", argument, "kv_heads 3", "does not divide heads 4");
    expect_refusal("kv_heads=8", argument, "kv_heads 8", "does not divide heads 4");
    expect_refusal("kv_heads=0", argument, "kv_heads 0", "1..1048576");
    expect_refusal("positions=rotary", argument, "width 12 / heads 4 is 3", "even head width");
    expect_refusal("width=7 heads=1 positions=rotary", argument, "is 7", "even");
    expect_refusal("head=tied input=embedded", argument, "head=tied", "input=tokens");
    expect_refusal("keep_states=1 recompute=attention", argument, "keep_states=1",
                   "recompute=attention");
    expect_refusal("keep_states=2 recompute=blocks", argument, "keep_states=2", "recompute=blocks");
    expect_refusal("label_smoothing=1.5", argument, "label_smoothing 1.5", "0..1");
    expect_refusal("label_smoothing=-0.1", argument, "label_smoothing -0.1", "0..1");
    expect_refusal("soft_cap=-1", argument, "soft_cap -1", "0..1e300");
    expect_refusal("rotary_base=0.5", argument, "rotary_base 0.5", "1..1e300");
    expect_refusal("preset=gpt5", name, "preset 'gpt5'", "gpt2-124m gpt2-355m");
    expect_refusal("activation=swish", name, "activation 'swish'", "relu gelu gelu_tanh silu");
    expect_refusal("qk_norm=1", name, "qk_norm '1'", "none head full");
    expect_refusal("positions=alibi", name, "positions 'alibi'", "none learned sinusoidal rotary");
    expect_refusal("recompute=all", name, "recompute 'all'", "none attention nonlinear blocks");
    expect_refusal("init=xavier", name, "init 'xavier'", "xavier_normal xavier_uniform");
    expect_refusal("head=shared", name, "head 'shared'", "none separate tied");
}
END_TEST

static TCase *new_case(Suite *suite, const char *name) {
    TCase *cases = tcase_create(name);
    tcase_set_timeout(cases, 120);
    suite_add_tcase(suite, cases);
    return cases;
}

int main(void) {
    Suite *suite = suite_create("options");
    const char *asked = getenv("OPTIONS_TEST");
    TCase *cases = new_case(suite, "triples");
    tcase_add_test(cases, test_triples_at_one_layer);
    tcase_add_test(cases, test_fully_masked_rows);
    tcase_add_loop_test(cases, test_relu_at_its_kink, 0, 2);
    tcase_add_test(cases, test_float32_follows_float64);
    tcase_add_test(cases, test_impossible_combinations);
    cases = new_case(suite, "random");
    tcase_add_loop_test(cases, test_random_members_at_one_layer, 0, BATCHES);
    cases = new_case(suite, "deep");
    tcase_add_loop_test(cases, test_pairs_at_24_layers, 0, SLICES);
    int part, parts;
    if (asked && sscanf(asked, "%d/%d", &part, &parts) == 2) {
        cases = new_case(suite, "product");
        tcase_add_loop_test(cases, test_whole_product_at_one_layer,
                            (part - 1) * SLICES_OF_PRODUCT / parts,
                            part * SLICES_OF_PRODUCT / parts);
    }
    return run_suite(suite);
}
