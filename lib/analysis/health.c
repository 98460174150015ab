#include "analysis/health.h"

#include <math.h>
#include <string.h>

int lnstab__tensor_set_find(const char *name) {
    static const char *const names[] = {"parameters", "gradients", "states"};
    for (int i = 0; i < 3; ++i) {
        if (strcmp(name, names[i]) == 0) {
            return i;
        }
    }
    return -1;
}

/* The array that tensor i has in a set, NULL if none. Two names of one state count once: the table has
 * them one behind the other. */
static const void *member(const lnstab_model *m, int32_t i, enum lnstab__tensor_set set) {
    const struct lnstab_tensor *t = &m->tensors[i];
    if (t->is_state != (set == LNSTAB__STATES)) {
        return NULL;
    }
    return set == LNSTAB__GRADIENTS ? t->held.grad : t->held.data;
}

static int is_repeated(const lnstab_model *m, int32_t i, enum lnstab__tensor_set set) {
    return i > 0 && m->tensors[i - 1].is_state == m->tensors[i].is_state &&
           member(m, i - 1, set) == member(m, i, set);
}

/* The norm again in units that keep the squares in range: only where the plain sum has left it. */
static double rescaled_norm(const lnstab_model *m, enum lnstab__tensor_set set, double largest) {
    int exponent;
    frexp(largest, &exponent);
    const double unit = ldexp(1.0, exponent < -1020 ? -1020 : exponent > 1020 ? 1020 : exponent);
    double sum = 0;
    for (int32_t i = 0; i < m->tensor_count; ++i) {
        const void *array = member(m, i, set);
        if (array && !is_repeated(m, i, set)) {
            sum +=
                m->kernels->scaled_square(lnstab__tensor_count(&m->tensors[i]), 1.0 / unit, array);
        }
    }
    return unit * sqrt(sum);
}

struct lnstab__report lnstab__health_report(const lnstab_model *m, enum lnstab__tensor_set set) {
    struct lnstab__health health = {0};
    struct lnstab__report report = {0};
    for (int32_t i = 0; i < m->tensor_count; ++i) {
        const void *array = member(m, i, set);
        if (array && !is_repeated(m, i, set)) {
            const int64_t before = health.nonfinite;
            m->kernels->health(lnstab__tensor_count(&m->tensors[i]), array, &health);
            if (health.nonfinite > before && !report.first_bad) {
                report.first_bad = m->tensors[i].name;
            }
        }
    }
    const int in_range = health.sum_of_squares > 1e-280 && health.sum_of_squares < 1e300;
    report.norm = in_range || health.nonfinite || health.largest == 0
                      ? sqrt(health.sum_of_squares)
                      : rescaled_norm(m, set, health.largest);
    report.sum_of_squares = health.sum_of_squares;
    report.nonfinite = health.nonfinite;
    report.subnormal = health.subnormal;
    return report;
}
