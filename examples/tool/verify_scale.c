#include "verify_scale.h"

#include "rows.h"
#include "tensors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A power of two: every product is exact, so that nothing is measured but the model. */
#define FACTOR 4.0

/* What the last matrix and bias of a branch are multiplied by shows in. */
struct scaled {
    lnstab_model *m;
    const lnstab_tensor *matrix, *bias, *output;
    run_model *run;
    void *user;
};

typedef bool measure_scaled(const struct scaled *s, double *measured);

static void multiply(const struct scaled *s, double factor) {
    const lnstab_tensor *const both[] = {s->matrix, s->bias};
    for (int i = 0; i < 2; i++) {
        double *w = both[i] ? lnstab_tensor_data(both[i]) : NULL;
        for (size_t j = 0; w && j < tensor_count(both[i]); j++)
            w[j] *= factor;
    }
}

static bool run_scaled(const struct scaled *s) {
    multiply(s, FACTOR);
    bool good = s->run(s->user, s->m);
    multiply(s, 1 / FACTOR);
    return good;
}

/* ||output' - output||/||output||. */
static bool measure_state(const struct scaled *s, double *measured) {
    size_t count = tensor_count(s->output);
    double moved = 0, all = 0, *before = malloc(count * sizeof *before);
    const double *x = lnstab_tensor_data(s->output);
    if (before)
        memcpy(before, x, count * sizeof *x);
    bool good = before && run_scaled(s);
    for (size_t i = 0; good && i < count; i++) {
        moved += (x[i] - before[i]) * (x[i] - before[i]);
        all += before[i] * before[i];
    }
    free(before);
    *measured = sqrt(moved / all);
    return good;
}

/* c ||dLoss/dW'||/||dLoss/dW||. */
static bool measure_gradient(const struct scaled *s, double *measured) {
    double before = tensor_gradient_norm(s->matrix);
    bool good = run_scaled(s);
    *measured = FACTOR * tensor_gradient_norm(s->matrix) / before;
    return good;
}

static const struct {
    const char *claim;
    measure_scaled *measure;
} measures[] = {{"scale.state", measure_state}, {"scale.gradient", measure_gradient}};

static measure_scaled *measure_of(const struct claim *c) {
    for (size_t i = 0; i < sizeof measures / sizeof measures[0]; i++)
        if (strcmp(measures[i].claim, c->name) == 0)
            return measures[i].measure;
    return NULL;
}

bool scale_measures(const struct claim *c) {
    return measure_of(c) != NULL;
}

bool scale_measure(const struct claim *c, lnstab_model *m, int64_t k, run_model *run, void *user,
                   double *measured) {
    static const char *const ends[3][2] = {
        {"ffn.w_2", "ffn.b_2"}, {"attn.w_o", "attn.b_o"}, {"attn.w_v", "attn.b_v"}};
    int64_t layer = (k + 1) / 2;
    struct scaled s = {m, NULL, NULL, lnstab_model_tensor(m, "output"), run, user};
    for (int i = (int)(k % 2); !s.matrix && i < 3; i++) {
        s.matrix = rows_tensor(m, layer, ends[i][0]);
        s.bias = rows_tensor(m, layer, ends[i][1]);
    }
    return run(user, m) && measure_of(c)(&s, measured);
}
