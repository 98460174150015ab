/* Single numbers that tell of a whole design, each a function of a profile: of what is predicted, or of what
 * one seed measured. */
#ifndef TOOL_PROPERTIES_H
#define TOOL_PROPERTIES_H

#include "growth.h"
#include "study.h"

#define FLOAT16_LARGEST 65504.0
#define FLOAT16_NORMAL 0x1p-14 /* the smallest with all its digits */
#define BFLOAT16_LARGEST 0x1.fep127
#define BFLOAT16_NORMAL 0x1p-126

struct property {
    const char *name, *heading;
    double (*of)(const struct study *s, const double *profile);
    bool of_width; /* depends on the width, in mean field too */
};

enum property_name {
    LAST_STATE,
    LAST_COSINE,
    WHOLE_JACOBIAN,
    GRADIENT_RATIO,
    TOKEN_GRADIENT_RATIO,
    LAST_GRADIENT,
    SMALLEST_UPDATE,
    LARGEST_UPDATE,
    LARGEST_ENTRY,
    SMALLEST_GRADIENT,
    PROPERTIES
};

extern const struct property properties[PROPERTIES];

double property_predicted(const struct study *s, enum property_name p);
/* Over the seeds; seeds is 0 where nothing was measured. */
struct estimate property_measured(const struct study *s, int seeds, enum property_name p);

/* What needs other depths and widths: the growth of the states, and the slopes of log of the last layer's
 * ||dL_i/dW_2||/||g_i|| at L, 2L and 4L, and at d, 2d and 4d. NaN where it is not covered. */
struct scaling {
    bool covered;
    struct growth growth;
    double exponent_depth, exponent_width;
};

/* False with a message. */
bool scaling_of(const struct study *s, struct scaling *out, char message[MESSAGE_SIZE]);

#endif
