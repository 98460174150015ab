/* The claims of mean field against models: means over seeds of every sublayer's states and costates and of
 * every matrix's gradient, for gradients at the output of a known coherence and for one token's alone. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/handles.h"
#include "support/main.h"

enum { WIDTH = 128, LAYERS = 6, TOKENS = 32, SEEDS = 24, PLACES = 2 * LAYERS };

#define COHERENCE 0.25
#define ALL " tokens=32 coherence=0.25"
#define OWN " tokens=32"

/* A model and beta/alpha of its attention and of its FFN. */
struct scene {
    const char *words;
    double beta_over_alpha[2];
    lnstab_model *m;
};

typedef const struct scene *scene_t;

/* What a seed gives in one place; the claim is about mean(part)/mean(whole). */
struct sample {
    double part, whole;
};

/* ||x_i||^2 and <x_i, x_j>, means over the tokens and over pairs of them. */
static void products_of(const double *x, double *square, double *product) {
    double all = 0;
    *square = 0;
    for (int e = 0; e < WIDTH; ++e) {
        double column = 0;
        for (int i = 0; i < TOKENS; ++i) {
            column += x[i * WIDTH + e];
            *square += x[i * WIDTH + e] * x[i * WIDTH + e] / TOKENS;
        }
        all += column * column / TOKENS;
    }
    *product = (all - *square) / (TOKENS - 1);
}

static const lnstab_tensor *tensor_of(scene_t s, int k, const char *part) {
    char name[40];
    snprintf(name, sizeof name, "layer.%d.%s.%s", (k + 1) / 2, k % 2 ? "attn" : "ffn", part);
    const lnstab_tensor *t = lnstab_model_tensor(s->m, name);
    ck_assert_msg(t != NULL, "%s", lnstab_model_message(s->m));
    return t;
}

static double squares_of(const lnstab_tensor *t, const double *x) {
    const double norm = array_norm(x, LNSTAB_FLOAT64, tensor_count(t));
    return norm * norm;
}

static struct sample square(scene_t s, int k, const char *part) {
    double own, other;
    products_of(lnstab_tensor_data(tensor_of(s, k, part)), &own, &other);
    return (struct sample){own, WIDTH};
}

static struct sample cosine(scene_t s, int k, const char *part) {
    double own, other;
    products_of(lnstab_tensor_data(tensor_of(s, k, part)), &own, &other);
    return (struct sample){other, own};
}

static struct sample update_ratio(scene_t s, int k, const char *part) {
    const struct sample step = square(s, k, part), stay = square(s, k, "in");
    return (struct sample){pow(s->beta_over_alpha[k % 2 == 0], 2) * step.part, stay.part};
}

static struct sample costate(scene_t s, int k, const char *part) {
    double own, other;
    products_of(lnstab_tensor_grad(tensor_of(s, k, part)), &own, &other);
    return (struct sample){own, 1};
}

static struct sample costate_cosine(scene_t s, int k, const char *part) {
    double own, other;
    products_of(lnstab_tensor_grad(tensor_of(s, k, part)), &own, &other);
    return (struct sample){other, own};
}

static struct sample costate_of_all(scene_t s, int k, const char *part) {
    return (struct sample){TOKENS * costate(s, k, part).part, 1};
}

static struct sample hidden(scene_t s, int k, const char *part) {
    const lnstab_tensor *t = tensor_of(s, k, part);
    return (struct sample){squares_of(t, lnstab_tensor_data(t)), (double)tensor_count(t)};
}

static struct sample matrix(scene_t s, int k, const char *part) {
    const lnstab_tensor *t = tensor_of(s, k, part);
    return (struct sample){squares_of(t, lnstab_tensor_grad(t)), 1};
}

/* The gradient of the mean of the losses. */
static struct sample mean_matrix(scene_t s, int k, const char *part) {
    return (struct sample){matrix(s, k, part).part, TOKENS * TOKENS};
}

/* power: of the claim, to give mean(part)/mean(whole). least, most: c of the factor 1 + c/d that the finite
 * width puts to the claim, or of the term c/d that it adds to a cosine (doc/theory.md, section 12). step 1: sublayers from first on; 2: layers, at
 * their sublayer first. */
static const struct quantity {
    const char *claim, *arguments, *part;
    struct sample (*measure)(scene_t s, int k, const char *part);
    int power, is_cosine, first, step;
    double least, most;
} quantities[] = {
    {"state", "sublayer=%d" OWN, "out", square, 1, 0, 1, 1, -3, 3},
    {"state_cosine", "sublayer=%d" OWN, "out", cosine, 1, 1, 1, 1, -4, 4},
    {"input", "sublayer=%d" OWN, "f_in", square, 1, 0, 1, 1, -3, 3},
    {"branch", "sublayer=%d" OWN, "branch", square, 1, 0, 1, 1, -3, 3},
    {"sum", "sublayer=%d" OWN, "sum", square, 1, 0, 1, 1, -3, 3},
    {"update_ratio", "sublayer=%d" OWN, "f_out", update_ratio, 2, 0, 1, 1, -3, 3},
    {"hidden", "layer=%d" OWN, "hidden", hidden, 1, 0, 2, 2, -3, 3},
    {"costate", "sublayer=%d" ALL, "in", costate, 2, 0, 1, 1, -2, 3 + LAYERS},
    {"costate_cosine", "sublayer=%d" ALL, "in", costate_cosine, 1, 1, 1, 1, -4, 4},
    {"w_v", "layer=%d" ALL, "w_v", mean_matrix, 2, 0, 1, 2, -2, 3 + LAYERS},
    {"w_o", "layer=%d" ALL, "w_o", mean_matrix, 2, 0, 1, 2, -2, 3 + LAYERS},
    {"w_1", "layer=%d" ALL, "w_1", mean_matrix, 2, 0, 2, 2, -2, 3 + LAYERS},
    {"w_2", "layer=%d" ALL, "w_2", mean_matrix, 2, 0, 2, 2, -2, 3 + LAYERS},
    {"token_costate", "sublayer=%d" OWN, "in", costate_of_all, 2, 0, 1, 1, -2, 3 + LAYERS},
    {"token_w_v", "layer=%d" OWN, "w_v", matrix, 2, 0, 1, 2, -2, 3 + LAYERS},
    {"token_w_o", "layer=%d" OWN, "w_o", matrix, 2, 0, 1, 2, -2, 3 + LAYERS},
    {"token_w_1", "layer=%d" OWN, "w_1", matrix, 2, 0, 2, 2, -2, 3 + LAYERS},
    {"token_w_2", "layer=%d" OWN, "w_2", matrix, 2, 0, 2, 2, -2, 3 + LAYERS},
};

enum { QUANTITIES = sizeof quantities / sizeof *quantities, OF_TOKEN = 13 };

struct samples {
    struct sample at[QUANTITIES][PLACES + 1][SEEDS];
};

/* n rows of unit vectors; COHERENCE of each square is common to all. */
static void random_top(uint64_t seed, double *top) {
    double *z = normals(seed, 2, (TOKENS + 1) * WIDTH, LNSTAB_FLOAT64);
    for (int i = 0; i <= TOKENS; ++i) {
        const double norm = array_norm(z + i * WIDTH, LNSTAB_FLOAT64, WIDTH);
        for (int e = 0; e < WIDTH; ++e) {
            z[i * WIDTH + e] /= norm;
        }
    }
    for (int i = 0; i < TOKENS * WIDTH; ++i) {
        top[i] = sqrt(COHERENCE) * z[TOKENS * WIDTH + i % WIDTH] + sqrt(1 - COHERENCE) * z[i];
    }
    free(z);
}

static void measure(scene_t scene, int from, int to, int seed, struct samples *s) {
    for (int i = from; i < to; ++i) {
        const struct quantity *q = &quantities[i];
        for (int k = q->first; k <= PLACES; k += q->step) {
            s->at[i][k][seed] = q->measure(scene, k, q->part);
        }
    }
}

static void backward(lnstab_model *m, const double *top) {
    ck_good(lnstab_model_message(m), lnstab_model_zero_grads(m));
    ck_good(lnstab_model_message(m), lnstab_model_backward(m, top));
}

static void run_seed(scene_t scene, int seed, struct samples *s) {
    static double top[TOKENS * WIDTH];
    lnstab_model *m = scene->m;
    double *x = normals((uint64_t)seed, 1, TOKENS * WIDTH, LNSTAB_FLOAT64);
    ck_good(lnstab_model_message(m), lnstab_model_init(m, (uint64_t)seed));
    ck_good(lnstab_model_message(m), lnstab_model_forward_embedded(m, 1, TOKENS, x, NULL));
    free(x);
    random_top((uint64_t)seed, top);
    backward(m, top);
    measure(scene, 0, OF_TOKEN, seed, s);
    memset(top + WIDTH, 0, (TOKENS - 1) * WIDTH * sizeof *top);
    backward(m, top);
    measure(scene, OF_TOKEN, QUANTITIES, seed, s);
}

static double mean_of(const struct sample *s, double of_part, double of_whole) {
    double sum = 0;
    for (int i = 0; i < SEEDS; ++i) {
        sum += of_part * s[i].part + of_whole * s[i].whole;
    }
    return sum / SEEDS;
}

/* 3.5 standard errors of the ratio of means. */
static double half_width(const struct sample *s, double ratio) {
    double squares = 0;
    for (int i = 0; i < SEEDS; ++i) {
        squares += pow(s[i].part - ratio * s[i].whole, 2);
    }
    return 3.5 * sqrt(squares / (SEEDS - 1) / SEEDS) / mean_of(s, 0, 1);
}

static void compare(lnstab_config *c, const struct quantity *q, int k, const struct sample *s,
                    const char *words) {
    char arguments[80], name[40];
    double claim = NAN;
    snprintf(name, sizeof name, "meanfield.%s", q->claim);
    snprintf(arguments, sizeof arguments, q->arguments, q->arguments[0] == 'l' ? (k + 1) / 2 : k);
    ck_good(lnstab_config_message(c), lnstab_claim_predict(c, name, arguments, &claim));
    const double wanted = pow(claim, q->power), scale = q->is_cosine ? 1 : wanted;
    const double ratio = mean_of(s, 1, 0) / mean_of(s, 0, 1), half = half_width(s, ratio);
    const double least = wanted + scale * (q->power * q->least / WIDTH - 1e-12);
    const double most = wanted + scale * (q->power * q->most / WIDTH + 1e-12);
    ck_assert_msg(least <= ratio + half && ratio - half <= most,
                  "%s: %s %s: %.5f +- %.5f, not %.5f", words, name, arguments, ratio, half, wanted);
    ck_assert_msg(half <= 0.5 * scale, "%s: %s %s: %.5f +- %.5f", words, name, arguments, ratio,
                  half);
}

#define SETTING                                                                                    \
    "layers=6 width=128 ffn_width=256 heads=4 max_tokens=32 input=embedded gain_qk=0 "             \
    "dtype=float64 keep_states=2 head=none "

/* DeepNorm's alpha is (2L)^(1/4). */
static const struct scene scenes[] = {
    {"placement=post", {1, 1}, NULL},
    {"placement=pre", {1, 1}, NULL},
    {"placement=peri beta=0.5", {0.5, 0.5}, NULL},
    {"placement=deepnorm", {0.5372849659117709, 0.5372849659117709}, NULL},
    {"placement=pre ffn.norm_out=1 ffn.beta=0.5 layer.3.norm_res=1", {1, 0.5}, NULL},
};

START_TEST(test_every_claim) {
    struct scene scene = scenes[_i];
    struct samples *s = calloc(1, sizeof *s);
    char text[400];
    snprintf(text, sizeof text, SETTING "%s", scene.words);
    lnstab_config *c = new_config(text);
    ck_good(lnstab_config_message(c), lnstab_model_create(c, &scene.m));
    for (int seed = 0; seed < SEEDS; ++seed) {
        run_seed(&scene, seed, s);
    }
    for (int i = 0; i < QUANTITIES; ++i) {
        for (int k = quantities[i].first; k <= PLACES; k += quantities[i].step) {
            compare(c, &quantities[i], k, s->at[i][k], scene.words);
        }
    }
    lnstab_model_destroy(scene.m);
    lnstab_config_destroy(c);
    free(s);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("meanfield");
    TCase *cases = tcase_create("meanfield");
    tcase_set_timeout(cases, 300);
    tcase_add_loop_test(cases, test_every_claim, 0, sizeof scenes / sizeof *scenes);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
