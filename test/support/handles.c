#include "support/handles.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

lnstab_config *new_config(const char *assignments) {
    lnstab_config *c = NULL;
    ck_assert_int_eq(lnstab_config_create(NULL, NULL, NULL, &c), LNSTAB_OK);
    ck_good(lnstab_config_message(c), lnstab_config_set(c, assignments));
    return c;
}

lnstab_model *new_model(const char *assignments) {
    lnstab_config *c = new_config(assignments);
    lnstab_model *m = NULL;
    ck_good(lnstab_config_message(c), lnstab_model_create(c, &m));
    lnstab_config_destroy(c);
    return m;
}

double entry(const void *array, int32_t dtype, size_t i) {
    return dtype == LNSTAB_FLOAT32 ? (double)((const float *)array)[i] : ((const double *)array)[i];
}

void set_entry(void *array, int32_t dtype, size_t i, double value) {
    if (dtype == LNSTAB_FLOAT32) {
        ((float *)array)[i] = (float)value;
    } else {
        ((double *)array)[i] = value;
    }
}

size_t tensor_count(const lnstab_tensor *t) {
    size_t count = 1;
    for (int32_t axis = 0; axis < lnstab_tensor_rank(t); ++axis) {
        count *= (size_t)lnstab_tensor_size(t, axis);
    }
    return count;
}

double array_norm(const void *array, int32_t dtype, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; ++i) {
        sum += entry(array, dtype, i) * entry(array, dtype, i);
    }
    return sqrt(sum);
}

static const lnstab_tensor *tensor_of(lnstab_model *m, const char *name) {
    const lnstab_tensor *t = lnstab_model_tensor(m, name);
    ck_assert_msg(t != NULL, "%s", lnstab_model_message(m));
    return t;
}

void *data_of(lnstab_model *m, const char *name) {
    return lnstab_tensor_data(tensor_of(m, name));
}

void *grad_of(lnstab_model *m, const char *name) {
    void *grad = lnstab_tensor_grad(tensor_of(m, name));
    ck_assert_msg(grad != NULL, "%s has no gradient", name);
    return grad;
}

void *normals(uint64_t seed, uint32_t stream, size_t n, int32_t dtype) {
    double *x = malloc((n + 1) * sizeof *x);
    ck_assert_int_eq(lnstab_random_normal(seed, stream, 0, n, x), LNSTAB_OK);
    if (dtype == LNSTAB_FLOAT64) {
        return x;
    }
    float *y = malloc((n + 1) * sizeof *y);
    for (size_t i = 0; i < n; ++i) {
        y[i] = (float)x[i];
    }
    free(x);
    return y;
}

static uint32_t fnv_1a(const char *text) {
    uint32_t hash = 2166136261U;
    for (; *text; ++text) {
        hash = (hash ^ (uint8_t)*text) * 16777619U;
    }
    return hash;
}

void perturb(lnstab_model *m, uint64_t seed, double amplitude) {
    for (int32_t i = 0; i < lnstab_model_tensor_count(m); ++i) {
        const lnstab_tensor *t = lnstab_model_tensor_at(m, i);
        if (strcmp(lnstab_tensor_role(t), "parameter") == 0) {
            const size_t n = tensor_count(t);
            double *noise = normals(seed, fnv_1a(lnstab_tensor_name(t)), n, LNSTAB_FLOAT64);
            for (size_t j = 0; j < n; ++j) {
                double value = entry(lnstab_tensor_data(t), lnstab_tensor_dtype(t), j);
                set_entry(lnstab_tensor_data(t), lnstab_tensor_dtype(t), j,
                          value + amplitude * noise[j]);
            }
            free(noise);
        }
    }
}
