/* What the check of a design finds, in plain words, each with its reason. */
#ifndef TOOL_CHECK_VERDICTS_H
#define TOOL_CHECK_VERDICTS_H

#include "document.h"
#include "probes.h"
#include "properties.h"
#include "study_agreement.h"

/* Above or below these a finding is a warning. They are conventions: what they stand for is told with the
 * finding. */
#define COLLAPSED_COSINE 0.95 /* two tokens are one vector but for 5 % of its square            */
#define UNEVEN_GRADIENTS 10.0 /* the gradient of W_2 between layer 1 and layer L                */
#define LOUD_UPDATE 2.0       /* a branch that outweighs the stream                             */
#define SILENT_UPDATE 0.02    /* a sublayer that could be left out                              */
#define STEEP_GROWTH 1.25     /* power of the depth: pre and peri have 1                        */
#define STEEP_EXPONENT 1.0    /* pre and peri reach 1/2                                          */
#define FADED_STATE 0.01      /* ||x||^2/d, 1 at the input                                       */
#define FLAT_EXPONENT 0.1     /* of the last gradient in the depth: post has 0, pre about -1/2  */

/* Everything that a check knows of a design. */
struct checked {
    const struct study *whole;   /* in the sizes of the design, predicted only     */
    const struct study *small;   /* in the sizes that were measured                */
    const struct study *written; /* as it is written, there; NULL if it is its own twin */
    int seeds;                   /* 0: nothing was measured                        */
    double eps;
    struct scaling scaling;
    struct probes probes;
};

struct check_result {
    int warnings;
    bool violated; /* a proved bound does not hold */
};

/* Puts a verdict a topic into d. */
struct check_result check_judge(struct document *d, const struct checked *c);

#endif
