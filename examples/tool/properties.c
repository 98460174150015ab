#include "properties.h"

#include "design.h"
#include "not_finite.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double at(const struct study *s, const double *profile, enum profile_quantity q, int64_t i) {
    return profile[profile_place(q, s->layers) + i];
}

static double last_state(const struct study *s, const double *profile) {
    return at(s, profile, PROFILE_STATE, 2 * s->layers - 1);
}

static double last_cosine(const struct study *s, const double *profile) {
    return at(s, profile, PROFILE_COSINE, 2 * s->layers - 1);
}

static double whole_jacobian(const struct study *s, const double *profile) {
    return at(s, profile, PROFILE_JACOBIAN, 0);
}

static double first_over_last(const struct study *s, const double *profile,
                              enum profile_quantity q) {
    return at(s, profile, q, 0) / at(s, profile, q, s->layers - 1);
}

static double gradient_ratio(const struct study *s, const double *profile) {
    return first_over_last(s, profile, PROFILE_W_2);
}

static double token_gradient_ratio(const struct study *s, const double *profile) {
    return first_over_last(s, profile, PROFILE_TOKEN_W_2);
}

static double last_gradient(const struct study *s, const double *profile) {
    return at(s, profile, PROFILE_TOKEN_W_2, s->layers - 1) / sqrt((double)s->width);
}

/* The least or largest value of a quantity. */
static double extreme(const struct study *s, const double *profile, enum profile_quantity q,
                      double pick(double, double)) {
    double value = at(s, profile, q, 0);
    for (int64_t i = 1; i < profile_count(q, s->layers); i++)
        value = pick(value, at(s, profile, q, i));
    return value;
}

static double smallest_update(const struct study *s, const double *profile) {
    return extreme(s, profile, PROFILE_UPDATE, least_of);
}

static double largest_update(const struct study *s, const double *profile) {
    return extreme(s, profile, PROFILE_UPDATE, largest_of);
}

static double largest_entry(const struct study *s, const double *profile) {
    return extreme(s, profile, PROFILE_LARGEST, largest_of);
}

/* Root mean square of the entries of a matrix's gradient, the smallest one of all matrices. */
static double smallest_gradient(const struct study *s, const double *profile) {
    double d = (double)s->width, unit = at(s, profile, PROFILE_LOSS_GRADIENT, 0) / d;
    double attention = extreme(s, profile, PROFILE_W_V, least_of);
    double ffn = least_of(extreme(s, profile, PROFILE_W_1, least_of),
                          extreme(s, profile, PROFILE_W_2, least_of)) *
                 sqrt(d / (double)s->ffn_width);
    return unit * least_of(attention, ffn);
}

const struct property properties[PROPERTIES] = {
    [LAST_STATE] = {"last_state", "||x||^2/d, last state", last_state, false},
    [LAST_COSINE] = {"last_cosine", "token cosine, last state", last_cosine, false},
    [WHOLE_JACOBIAN] = {"jacobian", "||J||_F of the stack /sqrt(n d)", whole_jacobian, false},
    [GRADIENT_RATIO] = {"gradient_ratio", "grad W_2, layer 1 / layer L", gradient_ratio, false},
    [TOKEN_GRADIENT_RATIO] = {"token_gradient_ratio", "the same, one token's loss",
                              token_gradient_ratio, false},
    [LAST_GRADIENT] = {"last_gradient", "||dL_i/dW_2,L||/||g_i||/sqrt d", last_gradient, false},
    [SMALLEST_UPDATE] = {"smallest_update", "update ratio, smallest", smallest_update, false},
    [LARGEST_UPDATE] = {"largest_update", "update ratio, largest", largest_update, false},
    [LARGEST_ENTRY] = {"largest_entry", "largest entry of a state", largest_entry, true},
    [SMALLEST_GRADIENT] = {"smallest_gradient", "rms entry of the smallest gradient",
                           smallest_gradient, true},
};

double property_predicted(const struct study *s, enum property_name p) {
    return properties[p].of(s, s->predicted);
}

struct estimate property_measured(const struct study *s, int seeds, enum property_name p) {
    double *values = s->values ? malloc((size_t)seeds * sizeof *values) : NULL;
    if (!values)
        return (struct estimate){NAN, NAN, 0};
    for (int seed = 0; seed < seeds; seed++)
        values[seed] = properties[p].of(s, s->values + seed * profile_size(s->layers));
    struct estimate e = estimate_of(values, seeds);
    free(values);
    return e;
}

/* Log of the claim at three sizes, each twice the one before, against log of the size. */
static double slope(lnstab_config *c, const struct study *s, int64_t layers, int64_t width) {
    double x[3], y[3];
    char tokens[32];
    snprintf(tokens, sizeof tokens, "tokens=%" PRId64, s->tokens);
    for (int i = 0; i < 3; i++) {
        int64_t factor = 1 << i;
        double value;
        if (lnstab_config_set_i64(c, "layers", layers ? layers * factor : s->layers) != LNSTAB_OK ||
            lnstab_config_set_i64(c, "width", width ? width * factor : s->width) != LNSTAB_OK ||
            lnstab_config_set_i64(c, "ffn_width", width ? s->ffn_width * factor : s->ffn_width) !=
                LNSTAB_OK ||
            lnstab_claim_predict(c, "rankone.w_2", tokens, &value) != LNSTAB_OK)
            return NAN;
        x[i] = i * log(2);
        y[i] = log(value);
    }
    return slope_of(x, y, 3);
}

bool scaling_of(const struct study *s, struct scaling *out, char message[MESSAGE_SIZE]) {
    lnstab_config *c;
    if (!design_config(s->assignments, NULL, &c, message))
        return false;
    *out = (struct scaling){.covered = !*s->missing, .exponent_depth = NAN, .exponent_width = NAN};
    if (out->covered) {
        out->exponent_depth = slope(c, s, s->layers, 0);
        out->exponent_width = slope(c, s, 0, s->width);
        lnstab_config_set_i64(c, "width", s->width);
        lnstab_config_set_i64(c, "ffn_width", s->ffn_width);
        out->growth = growth_of(c, s->layers, s->tokens);
    }
    lnstab_config_destroy(c);
    return true;
}
