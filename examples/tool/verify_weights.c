#include "verify_weights.h"

#include "likeness.h"
#include "tensors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STREAM_PERTURBATION = 9, CHUNK = 256 };

static bool is_parameter(const lnstab_tensor *t) {
    return strcmp(lnstab_tensor_role(t), "parameter") == 0;
}

static bool is_matrix(const lnstab_tensor *t) {
    return lnstab_tensor_rank(t) == 2;
}

static bool ends_with(const char *text, const char *end) {
    size_t length = strlen(text), wanted = strlen(end);
    return length >= wanted && strcmp(text + length - wanted, end) == 0;
}

static void scale(const lnstab_tensor *t, double factor) {
    double *w = lnstab_tensor_data(t);
    for (size_t i = 0, count = tensor_count(t); i < count; i++)
        w[i] *= factor;
}

void weights_scale(lnstab_model *m, double factor) {
    for (int32_t i = 0; i < lnstab_model_tensor_count(m); i++) {
        const lnstab_tensor *t = lnstab_model_tensor_at(m, i);
        if (is_parameter(t) && is_matrix(t))
            scale(t, factor);
    }
}

/* Parameter number of a model draws from a stream of its own. */
static void add_noise(const lnstab_tensor *t, double size, uint64_t seed, uint32_t number) {
    double noise[CHUNK], *w = lnstab_tensor_data(t);
    size_t count = tensor_count(t);
    for (size_t at = 0; at < count; at += CHUNK) {
        size_t some = count - at < CHUNK ? count - at : CHUNK;
        lnstab_random_normal(seed, STREAM_PERTURBATION + number, at, some, noise);
        for (size_t i = 0; i < some; i++)
            w[at + i] += size * noise[i];
    }
}

static double size_of_noise(const lnstab_tensor *t) {
    return is_matrix(t) ? tensor_norm(t) / sqrt((double)tensor_count(t))
           : ends_with(lnstab_tensor_name(t), "gamma") ? 1
                                                       : 0.1;
}

void weights_perturb(lnstab_model *m, uint64_t seed) {
    int norms = 0;
    for (int32_t i = 0; i < lnstab_model_tensor_count(m); i++) {
        const lnstab_tensor *t = lnstab_model_tensor_at(m, i);
        if (!is_parameter(t))
            continue;
        add_noise(t, size_of_noise(t), seed, (uint32_t)i);
        if (!ends_with(lnstab_tensor_name(t), "gamma") || norms++ % 2 == 0)
            continue;
        double *gamma = lnstab_tensor_data(t);
        for (size_t j = 0; j < tensor_count(t); j += 5)
            gamma[j] = 0;
    }
}

static void set_diagonal(const lnstab_tensor *t, double value) {
    double *w = lnstab_tensor_data(t);
    size_t columns = (size_t)lnstab_tensor_size(t, 1), count = tensor_count(t);
    memset(w, 0, count * sizeof *w);
    for (size_t i = 0; i < count && i / (columns + 1) < columns; i += columns + 1)
        w[i] = value;
}

void weights_align(lnstab_model *m, uint64_t seed) {
    (void)seed;
    for (int32_t i = 0; i < lnstab_model_tensor_count(m); i++) {
        const lnstab_tensor *t = lnstab_model_tensor_at(m, i);
        const char *name = lnstab_tensor_name(t);
        if (is_parameter(t) && is_matrix(t) && strcmp(name, "head.w") != 0)
            set_diagonal(t, ends_with(name, "w_q") || ends_with(name, "w_k") ? 0 : 1);
    }
}

void inputs_align(double *x, int64_t batch, int64_t tokens, int64_t width) {
    memset(x, 0, (size_t)(batch * tokens * width) * sizeof *x);
    for (int64_t i = 0; i < batch * tokens; i++) {
        double size = sqrt((double)width) * (2 * i < batch * tokens ? 1 : 0.5);
        x[i * width] = tokens > 1 && i % tokens == tokens - 1 ? -size : size;
    }
}
