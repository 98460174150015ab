#ifndef LNSTAB_ANALYSIS_HEALTH_H
#define LNSTAB_ANALYSIS_HEALTH_H

#include "model/model.h"

/* One pass over a set of tensors. */
struct lnstab__report {
    double norm, sum_of_squares;
    int64_t nonfinite, subnormal;
    const char *first_bad; /* NULL: every entry is finite */
};

enum lnstab__tensor_set { LNSTAB__PARAMETERS, LNSTAB__GRADIENTS, LNSTAB__STATES };

/* The set a name means, -1 if none. */
int lnstab__tensor_set_find(const char *name);

struct lnstab__report lnstab__health_report(const lnstab_model *m, enum lnstab__tensor_set set);

#endif
