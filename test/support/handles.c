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

lnstab_model *new_sharing_model(const char *assignments, lnstab_model *lender) {
    lnstab_config *c = new_config(assignments);
    lnstab_model *m = NULL;
    ck_good(lnstab_config_message(c), lnstab_model_create_sharing(c, lender, &m));
    lnstab_config_destroy(c);
    return m;
}

void expect_message(lnstab_model *m, int32_t status, int32_t wanted, const char *message) {
    ck_assert_msg(status == wanted && strcmp(lnstab_model_message(m), message) == 0,
                  "status %d, message '%s', wanted '%s'", status, lnstab_model_message(m), message);
}

size_t element_size(int32_t dtype) {
    return dtype == LNSTAB_FLOAT64 ? 8 : dtype == LNSTAB_FLOAT32 ? 4 : 2;
}

double element_roundoff(int32_t dtype) {
    static const int digits[] = {24, 53, 8, 11};
    return ldexp(1.0, -digits[dtype - 1]);
}

/* By the definition of the format, unlike the library. */
static double narrow_value(int32_t dtype, unsigned pattern) {
    const int digits = dtype == LNSTAB_BFLOAT16 ? 7 : 10,
              bias = dtype == LNSTAB_BFLOAT16 ? 127 : 15;
    const int exponent = (int)(pattern & 0x7fff) >> digits;
    const double mantissa = ldexp((double)(pattern & ((1U << digits) - 1)), -digits);
    const double size = exponent > 2 * bias ? (mantissa > 0 ? NAN : INFINITY)
                        : exponent > 0      ? ldexp(1 + mantissa, exponent - bias)
                                            : ldexp(mantissa, 1 - bias);
    return pattern & 0x8000 ? -size : size;
}

/* The largest pattern whose value is not above |value|, or the next if that is nearer, or as near and even. */
static unsigned narrow_pattern(int32_t dtype, double value) {
    const unsigned infinity = dtype == LNSTAB_BFLOAT16 ? 0x7f80 : 0x7c00;
    unsigned low = 0, high = infinity;
    if (isnan(value)) {
        return infinity + 1;
    }
    while (high - low > 1) {
        const unsigned middle = (low + high) / 2;
        *(narrow_value(dtype, middle) <= fabs(value) ? &low : &high) = middle;
    }
    const double gap = narrow_value(dtype, low) - narrow_value(dtype, low - (low > 0));
    const double below = fabs(value) - narrow_value(dtype, low);
    const double above = high < infinity ? narrow_value(dtype, high) - fabs(value)
                                         : gap - below; /* next power of 2 */
    return (above < below || (above == below && low % 2) ? high : low) |
           (signbit(value) ? 0x8000U : 0U);
}

double entry(const void *array, int32_t dtype, size_t i) {
    switch (dtype) {
    case LNSTAB_FLOAT32:
        return (double)((const float *)array)[i];
    case LNSTAB_FLOAT64:
        return ((const double *)array)[i];
    default:
        return narrow_value(dtype, ((const uint16_t *)array)[i]);
    }
}

void set_entry(void *array, int32_t dtype, size_t i, double value) {
    switch (dtype) {
    case LNSTAB_FLOAT32:
        ((float *)array)[i] = (float)value;
        break;
    case LNSTAB_FLOAT64:
        ((double *)array)[i] = value;
        break;
    default:
        ((uint16_t *)array)[i] = (uint16_t)narrow_pattern(dtype, value);
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
    void *y = malloc((n + 1) * element_size(dtype));
    for (size_t i = 0; i < n; ++i) {
        set_entry(y, dtype, i, x[i]);
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
