#include "probes.h"

#include "design.h"
#include "inputs.h"
#include "rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A model, its inputs, and the last state as it was. */
struct trial {
    lnstab_config *c;
    lnstab_model *m;
    struct inputs in;
    int64_t layers, out_proj;
    float *before;
    size_t count;
};

/* A stream of nothing but factors comes out as it went in if their product is 1. */
static void predict(lnstab_config *c, int64_t layers, struct probes *out) {
    double eps = 0, product = 1;
    bool passes = true;
    lnstab_config_get_f64(c, "eps", &eps);
    *out = (struct probes){.scale_predicted = {true, true}};
    for (int64_t k = 0; k < 2 * layers; k++) {
        bool norm_out = design_flag(c, k, "norm_out") != 0;
        product *= design_value(c, layers, k, "alpha");
        passes = passes && !design_flag(c, k, "norm_res") && (!norm_out || eps > 0);
        if (!norm_out)
            out->scale_predicted[k % 2] = false;
    }
    out->identity_predicted = passes && fabs(product - 1) < 1e-6;
}

/* Multiplies what a branch ends with in every layer: W_2, or W_O, or W_V where there is no W_O. */
static void scale_last(struct trial *t, int part, float factor) {
    static const char *const names[3][2] = {
        {"attn.w_v", "attn.b_v"}, {"attn.w_o", "attn.b_o"}, {"ffn.w_2", "ffn.b_2"}};
    const char *const *pair = names[part == 1 ? 2 : t->out_proj ? 1 : 0];
    for (int64_t l = 1; l <= t->layers; l++)
        for (int i = 0; i < 2; i++) {
            const lnstab_tensor *w = rows_tensor(t->m, l, pair[i]);
            float *values = w ? lnstab_tensor_data(w) : NULL;
            size_t count = 1;
            for (int32_t axis = 0; w && axis < lnstab_tensor_rank(w); axis++)
                count *= (size_t)lnstab_tensor_size(w, axis);
            for (size_t j = 0; values && j < count; j++)
                values[j] *= factor;
        }
}

static const float *last_state(struct trial *t) {
    return inputs_forward(t->m, &t->in) == LNSTAB_OK
               ? lnstab_tensor_data(rows_tensor(t->m, t->layers, "ffn.out"))
               : NULL;
}

/* ||x - before||/||before||. */
static double change(const struct trial *t, const float *x) {
    double moved = 0, all = 0;
    for (size_t i = 0; i < t->count; i++) {
        moved += ((double)x[i] - (double)t->before[i]) * ((double)x[i] - (double)t->before[i]);
        all += (double)t->before[i] * (double)t->before[i];
    }
    return sqrt(moved / all);
}

static bool try_all(struct trial *t, struct probes *out) {
    const float *x = last_state(t);
    if (!x)
        return false;
    memcpy(t->before, x, t->count * sizeof *x);
    for (int part = 0; part < 2; part++) {
        scale_last(t, part, 4);
        if (!(x = last_state(t)))
            return false;
        out->scale_change[part] = change(t, x);
        scale_last(t, part, 0.25f);
    }
    scale_last(t, 0, 0);
    scale_last(t, 1, 0);
    if (!(x = last_state(t)))
        return false;
    memcpy(t->before, lnstab_tensor_data(lnstab_model_tensor(t->m, "embed.out")),
           t->count * sizeof *x);
    out->identity = change(t, x) < 1e-6;
    return true;
}

static bool prepare(struct trial *t, int64_t tokens, uint64_t seed) {
    int64_t width = 1, vocab = 1;
    lnstab_config_get_i64(t->c, "width", &width);
    lnstab_config_get_i64(t->c, "vocab", &vocab);
    lnstab_config_get_i64(t->c, "out_proj", &t->out_proj);
    t->count = (size_t)tokens * (size_t)width;
    t->before = malloc(t->count * sizeof *t->before);
    return t->before && inputs_gaussian(&t->in, tokens, width, vocab, seed) &&
           lnstab_model_create(t->c, &t->m) == LNSTAB_OK &&
           lnstab_model_init(t->m, seed) == LNSTAB_OK;
}

bool probes_run(const char *assignments, int64_t tokens, uint64_t seed, bool trying,
                struct probes *out, char message[MESSAGE_SIZE]) {
    struct trial t = {0};
    char *all = design_join(assignments, "dtype=float32 input=embedded keep_states=1");
    if (!all || !design_config(all, NULL, &t.c, message)) {
        free(all);
        return false;
    }
    lnstab_config_get_i64(t.c, "layers", &t.layers);
    predict(t.c, t.layers, out);
    bool good = !trying || (prepare(&t, tokens, seed) && try_all(&t, out));
    if (!good)
        snprintf(message, MESSAGE_SIZE, "%s",
                 t.m                           ? lnstab_model_message(t.m)
                 : *lnstab_config_message(t.c) ? lnstab_config_message(t.c)
                                               : "no memory for the probes");
    lnstab_model_destroy(t.m);
    lnstab_config_destroy(t.c);
    inputs_free(&t.in);
    free(t.before);
    free(all);
    return good;
}
