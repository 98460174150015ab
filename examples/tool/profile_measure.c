#include "profile.h"

#include "design.h"
#include "not_finite.h"
#include "rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STREAM_DIRECTION = 7 };

/* A model after forward, and where its values go. */
struct run {
    lnstab_config *c;
    lnstab_model *m;
    const struct inputs *in;
    int64_t layers;
    double *values;
};

static void put(struct run *r, enum profile_quantity q, int64_t i, double value) {
    r->values[profile_place(q, r->layers) + i] = value;
}

static const char *part(int64_t k) {
    return k % 2 ? "ffn" : "attn";
}

/* The tensor "layer.l.attn.name" of sublayer k, or ffn. */
static const lnstab_tensor *of_sublayer(struct run *r, int64_t k, const char *name) {
    char full[48];
    snprintf(full, sizeof full, "%s.%s", part(k), name);
    return rows_tensor(r->m, k / 2 + 1, full);
}

static double mean_square(struct rows r) {
    return rows_total(r) / (double)r.count / (double)r.width;
}

/* max ||x_i||/sqrt d. */
static double largest_norm(struct rows r) {
    double most = 0;
    for (size_t i = 0; i < r.count; i++)
        most = largest_of(most, rows_square(r, i));
    return sqrt(most / (double)r.width);
}

/* The largest |entry| of anything that the sublayer computes. */
static double largest_entry(struct run *r, int64_t k) {
    static const char *const names[] = {"in", "f_in", "branch", "f_out", "sum",    "out", "q",
                                        "k",  "v",    "heads",  "pre",   "hidden", "up"};
    double most = 0;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const lnstab_tensor *t = of_sublayer(r, k, names[i]);
        if (t)
            most = largest_of(most, rows_largest(rows_data(t)));
    }
    return most;
}

/* ||J||_2 of the sublayer's norm with the largest one, over the tokens; 0 without a norm. */
static bool norm_jacobian(struct run *r, int64_t k, lnstab_norm *n, double *spectral, double *out) {
    static const char *const pairs[][2] = {
        {"norm_in.gamma", "in"}, {"norm_out.gamma", "branch"}, {"norm_res.gamma", "sum"}};
    *out = 0;
    for (int i = 0; i < 3; i++) {
        if (!of_sublayer(r, k, pairs[i][0]))
            continue;
        struct rows x = rows_data(of_sublayer(r, k, pairs[i][1]));
        if (lnstab_norm_jacobian(n, x.count, x.values, (ptrdiff_t)x.width, NULL, spectral, NULL,
                                 NULL) != LNSTAB_OK)
            return false;
        for (size_t row = 0; row < x.count; row++)
            *out = largest_of(*out, spectral[row]);
    }
    return true;
}

static bool measure_states(struct run *r) {
    double *spectral = malloc((size_t)r->in->tokens * sizeof *spectral);
    lnstab_norm *n = NULL;
    bool good = spectral && lnstab_norm_create(r->c, &n) == LNSTAB_OK;
    if (good)
        put(r, PROFILE_START, 0, largest_norm(rows_data(lnstab_model_tensor(r->m, "embed.out"))));
    for (int64_t k = 0; good && k < 2 * r->layers; k++) {
        struct rows out = rows_data(of_sublayer(r, k, "out"));
        struct rows step = rows_data(of_sublayer(r, k, "f_out"));
        struct rows in = rows_data(of_sublayer(r, k, "in"));
        double jacobian;
        good = norm_jacobian(r, k, n, spectral, &jacobian);
        put(r, PROFILE_STATE, k, mean_square(out));
        put(r, PROFILE_COSINE, k, rows_cosine(out));
        put(r, PROFILE_SUM, k, mean_square(rows_data(of_sublayer(r, k, "sum"))));
        put(r, PROFILE_NORM, k, largest_norm(out));
        put(r, PROFILE_BRANCH, k, mean_square(rows_data(of_sublayer(r, k, "branch"))));
        put(r, PROFILE_UPDATE, k,
            fabs(design_value(r->c, r->layers, k, "beta") /
                 design_value(r->c, r->layers, k, "alpha")) *
                sqrt(mean_square(step) / mean_square(in)));
        put(r, PROFILE_LARGEST, k, largest_entry(r, k));
        put(r, PROFILE_NORM_JACOBIAN, k, jacobian);
    }
    lnstab_norm_destroy(n);
    free(spectral);
    return good;
}

/* ||costate at the input of each sublayer|| over unit. */
static void measure_costates(struct run *r, enum profile_quantity q, double unit) {
    for (int64_t k = 0; k < 2 * r->layers; k++)
        put(r, q, k, sqrt(rows_total(rows_grad(of_sublayer(r, k, "in")))) / unit);
}

static void measure_gradients(struct run *r, enum profile_quantity first,
                              enum profile_quantity last, double unit) {
    for (int q = (int)first; q <= (int)last; q++)
        for (int64_t l = 0; l < r->layers; l++) {
            const lnstab_tensor *t = rows_tensor(r->m, l + 1, profile_rows[q].parameter);
            put(r, (enum profile_quantity)q, l,
                t ? sqrt(rows_total(rows_grad(t))) / unit : PROFILE_ABSENT);
        }
}

static bool backward_of(struct run *r, const int32_t *targets) {
    double loss;
    return lnstab_model_zero_grads(r->m) == LNSTAB_OK &&
           lnstab_model_loss(r->m, targets, &loss, NULL) == LNSTAB_OK &&
           lnstab_model_backward(r->m, NULL) == LNSTAB_OK;
}

/* The costates of the mean loss are g_i/n at the output: ||.|| over all tokens is sqrt(mean g^2/n). */
static bool measure_sequence(struct run *r) {
    if (!backward_of(r, r->in->target))
        return false;
    double n = (double)r->in->tokens;
    double top = sqrt(rows_total(rows_grad(lnstab_model_tensor(r->m, "output"))));
    double unit = top * sqrt(n);
    put(r, PROFILE_LOSS_GRADIENT, 0, unit);
    measure_costates(r, PROFILE_COSTATE, top);
    measure_gradients(r, PROFILE_W_V, PROFILE_W_2, unit);
    return true;
}

/* The first token's loss alone: the others have the target that is not counted. */
static bool measure_token(struct run *r) {
    int64_t ignored = 0;
    size_t n = (size_t)r->in->tokens;
    int32_t *targets = malloc(n * sizeof *targets);
    if (!targets || lnstab_config_get_i64(r->c, "ignore_index", &ignored) != LNSTAB_OK) {
        free(targets);
        return false;
    }
    for (size_t i = 0; i < n; i++)
        targets[i] = i == 0 ? r->in->target[0] : (int32_t)ignored;
    bool good = backward_of(r, targets);
    double unit = sqrt(rows_total(rows_grad(lnstab_model_tensor(r->m, "output"))));
    if (good)
        measure_gradients(r, PROFILE_TOKEN_W_V, PROFILE_TOKEN_W_2, unit);
    free(targets);
    return good;
}

/* ||u J||/||u|| for a u of no preferred direction: sqrt(||J||_F^2/(n d)) of what is behind a sublayer's
 * input. */
static bool measure_jacobian(struct run *r, uint64_t seed) {
    const lnstab_tensor *output = lnstab_model_tensor(r->m, "output");
    struct rows shape = rows_data(output);
    size_t count = shape.count * shape.width;
    double *wide = malloc(count * sizeof *wide);
    float *narrow = malloc(count * sizeof *narrow);
    bool good = wide && narrow && lnstab_model_zero_grads(r->m) == LNSTAB_OK &&
                lnstab_random_normal(seed, STREAM_DIRECTION, 0, count, wide) == LNSTAB_OK;
    double square = 0;
    for (size_t i = 0; good && i < count; i++) {
        narrow[i] = (float)wide[i];
        square += wide[i] * wide[i];
    }
    const void *u = shape.dtype == LNSTAB_FLOAT64 ? (const void *)wide : narrow;
    good = good && lnstab_model_backward(r->m, u) == LNSTAB_OK;
    if (good)
        measure_costates(r, PROFILE_JACOBIAN, sqrt(square));
    free(wide);
    free(narrow);
    return good;
}

bool profile_measure(lnstab_config *c, lnstab_model *m, const struct inputs *in, int64_t layers,
                     uint64_t seed, double *values) {
    struct run r = {c, m, in, layers, values};
    return inputs_forward(m, in) == LNSTAB_OK && measure_states(&r) && measure_sequence(&r) &&
           measure_token(&r) && measure_jacobian(&r, seed);
}
