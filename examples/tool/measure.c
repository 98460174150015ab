#include "measure.h"

#include "not_finite.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* The values of a state, or its gradient (costate), one row a token. */
struct rows {
    const void *values;
    int32_t dtype;
    size_t count, width;
};

static double element(struct rows r, size_t i, size_t j) {
    size_t at = i * r.width + j;
    return r.dtype == LNSTAB_FLOAT64 ? ((const double *)r.values)[at]
                                     : (double)((const float *)r.values)[at];
}

static double row_square(struct rows r, size_t i) {
    double sum = 0;
    for (size_t j = 0; j < r.width; j++)
        sum += element(r, i, j) * element(r, i, j);
    return sum;
}

static double total_square(struct rows r) {
    double sum = 0;
    for (size_t i = 0; i < r.count; i++)
        sum += row_square(r, i);
    return sum;
}

/* (||sum of rows||^2 - sum ||row||^2)/((n - 1) sum ||row||^2): the mean cosine of rows of about equal
 * length, in O(n d). 0 for one token, which has no pair. */
static double mean_cosine(struct rows r) {
    double of_sum = 0, of_rows = total_square(r);
    if (r.count < 2)
        return 0;
    for (size_t j = 0; j < r.width; j++) {
        double sum = 0;
        for (size_t i = 0; i < r.count; i++)
            sum += element(r, i, j);
        of_sum += sum * sum;
    }
    return (of_sum - of_rows) / ((double)(r.count - 1) * of_rows);
}

static struct rows rows_of(const lnstab_tensor *t, const void *values) {
    int32_t last = lnstab_tensor_rank(t) - 1;
    size_t count = 1;
    for (int32_t axis = 0; axis < last; axis++)
        count *= (size_t)lnstab_tensor_size(t, axis);
    return (struct rows){values, lnstab_tensor_dtype(t), count,
                         (size_t)lnstab_tensor_size(t, last)};
}

/* The tensor "layer.<layer>.<name>". */
static const lnstab_tensor *in_layer(lnstab_model *m, int64_t layer, const char *name) {
    char full[64];
    snprintf(full, sizeof full, "layer.%" PRId64 ".%s", layer, name);
    return lnstab_model_tensor(m, full);
}

static int32_t forward(lnstab_model *m, const struct inputs *in) {
    bool single = lnstab_tensor_dtype(lnstab_model_tensor_at(m, 0)) == LNSTAB_FLOAT32;
    const void *x = single ? (const void *)in->rounded : in->x;
    return in->token ? lnstab_model_forward(m, 1, in->tokens, in->token, NULL)
                     : lnstab_model_forward_embedded(m, 1, in->tokens, x, NULL);
}

static bool run(lnstab_model *m, const struct inputs *in, double *loss) {
    return forward(m, in) == LNSTAB_OK &&
           lnstab_model_loss(m, in->target, loss, NULL) == LNSTAB_OK &&
           lnstab_model_backward(m, NULL) == LNSTAB_OK;
}

/* What the last layer holds after backward. */
struct last_layer {
    const lnstab_tensor *input, *hidden, *branch, *sum, *output, *w_2;
};

static bool find_tensors(lnstab_model *m, int64_t layers, struct last_layer *t) {
    t->input = lnstab_model_tensor(m, "embed.out");
    t->hidden = in_layer(m, layers, "ffn.hidden");
    t->branch = in_layer(m, layers, "ffn.branch");
    t->sum = in_layer(m, layers, "ffn.sum");
    t->output = lnstab_model_tensor(m, "output");
    t->w_2 = in_layer(m, layers, "ffn.w_2");
    return t->input && t->hidden && t->branch && t->sum && t->output && t->w_2;
}

/* dL_i/dW_2 = v_i^T h_i is of rank one, so its norm is ||h_i|| ||v_i||. The library's costates are of
 * the mean over n tokens: v_i and g_i are n times those. */
static void per_token(const struct last_layer *t, struct measurement *out, double *states,
                      double *shares) {
    struct rows h = rows_of(t->hidden, lnstab_tensor_data(t->hidden));
    struct rows v = rows_of(t->branch, lnstab_tensor_grad(t->branch));
    struct rows z = rows_of(t->sum, lnstab_tensor_data(t->sum));
    struct rows g = rows_of(t->output, lnstab_tensor_grad(t->output));
    double n = (double)h.count;
    for (size_t i = 0; i < h.count; i++) {
        double g_square = row_square(g, i) * n * n;
        shares[i] = n * sqrt(row_square(h, i) * row_square(v, i));
        states[i] = row_square(z, i) / (double)z.width;
        out->ratio += shares[i] / sqrt(g_square) / n;
        out->gradient_square += g_square / n;
        out->gradient_max = largest_of(out->gradient_max, sqrt(g_square));
        out->state += states[i] / n;
    }
    for (size_t i = 0; i < h.count; i++)
        shares[i] /= out->gradient_max;
    out->cosine_hidden = mean_cosine(h);
    out->cosine_costate = mean_cosine(v);
}

bool measure(lnstab_model *m, const struct inputs *in, int64_t layers, struct measurement *out,
             double *states, double *shares) {
    struct last_layer t;
    *out = (struct measurement){0};
    if (!run(m, in, &out->loss) || !find_tensors(m, layers, &t))
        return false;
    per_token(&t, out, states, shares);
    out->raw = sqrt(total_square(rows_of(t.w_2, lnstab_tensor_grad(t.w_2))));
    out->cosine_input = mean_cosine(rows_of(t.input, lnstab_tensor_data(t.input)));
    return true;
}
