#include "measure.h"

#include "not_finite.h"
#include "rows.h"

#include <math.h>

static bool run(lnstab_model *m, const struct inputs *in, const struct reached *from,
                double *loss) {
    int32_t forward = from ? reached_forward(from, m, in->tokens) : inputs_forward(m, in);
    return forward == LNSTAB_OK && lnstab_model_loss(m, in->target, loss, NULL) == LNSTAB_OK &&
           lnstab_model_backward(m, NULL) == LNSTAB_OK;
}

/* What the last layer holds after backward. */
struct last_layer {
    const lnstab_tensor *input, *hidden, *branch, *sum, *output, *w_2;
};

static bool find_tensors(lnstab_model *m, int64_t layers, struct last_layer *t) {
    t->input = lnstab_model_tensor(m, "embed.out");
    t->hidden = rows_tensor(m, layers, "ffn.hidden");
    t->branch = rows_tensor(m, layers, "ffn.branch");
    t->sum = rows_tensor(m, layers, "ffn.sum");
    t->output = lnstab_model_tensor(m, "output");
    t->w_2 = rows_tensor(m, layers, "ffn.w_2");
    return t->input && t->hidden && t->branch && t->sum && t->output && t->w_2;
}

/* dL_i/dW_2 = v_i^T h_i is of rank one, so its norm is ||h_i|| ||v_i||. The library's costates are of
 * the mean over n tokens: v_i and g_i are n times those. */
static void per_token(const struct last_layer *t, struct measurement *out, double *states,
                      double *shares) {
    struct rows h = rows_data(t->hidden);
    struct rows v = rows_grad(t->branch);
    struct rows z = rows_data(t->sum);
    struct rows g = rows_grad(t->output);
    double n = (double)h.count;
    for (size_t i = 0; i < h.count; i++) {
        double g_square = rows_square(g, i) * n * n;
        shares[i] = n * sqrt(rows_square(h, i) * rows_square(v, i));
        states[i] = rows_square(z, i) / (double)z.width;
        out->ratio += shares[i] / sqrt(g_square) / n;
        out->gradient_square += g_square / n;
        out->gradient_max = largest_of(out->gradient_max, sqrt(g_square));
        out->state += states[i] / n;
    }
    for (size_t i = 0; i < h.count; i++)
        shares[i] /= out->gradient_max;
    out->cosine_hidden = rows_cosine(h);
    out->cosine_costate = rows_cosine(v);
}

bool measure(lnstab_model *m, const struct inputs *in, const struct reached *from, int64_t layers,
             struct measurement *out, double *states, double *shares) {
    struct last_layer t;
    *out = (struct measurement){0};
    if (!run(m, in, from, &out->loss) || !find_tensors(m, layers, &t))
        return false;
    per_token(&t, out, states, shares);
    out->raw = sqrt(rows_total(rows_grad(t.w_2)));
    out->cosine_input = from ? from->cosine_input : rows_cosine(rows_data(t.input));
    return true;
}
