#ifndef LNSTAB_NN_BRANCH_H
#define LNSTAB_NN_BRANCH_H

#include "nn/run.h"

/* F of the residual equation: attention and FFN are the two rows of this type. x is F's input in the
 * last forward pass; arrays are rows x width. Outputs do not overlap inputs. dx of an FFN may be NULL: W_2's gradient
 * is all that is wanted. remake: what a later pass reads and no linear map gives, from what they gave. */
struct lnstab__branch {
    void (*forward)(const void *self, const struct lnstab__run *run, const void *x, void *y);
    void (*backward)(const void *self, const struct lnstab__run *run, const void *x, const void *dy,
                     void *dx);
    void (*remake)(const void *self, const struct lnstab__run *run);
    void (*jvp)(const void *self, const struct lnstab__run *run, const void *v, void *jv);
};

#endif
