#ifndef LNSTAB_MODEL_SUBLAYER_H
#define LNSTAB_MODEL_SUBLAYER_H

#include "nn/attention.h"
#include "nn/ffn.h"
#include "nn/norm.h"

/* One residual update,
 *
 *     x' = N_res( alpha x + beta N_out( F( kappa N_in(x) ) ) ),
 *
 *     in --+-- N_in, kappa -- f_in -- F -- branch -- N_out -- f_out -- beta --+-- sum -- N_res -- out
 *          +------------------------------ alpha ---------------------------- +
 *
 * Every placement is this with some of the norms being the identity. Where one is, the states on its
 * two sides are the same memory; f_out.data is NULL where that state is not kept, and branch.data is sum.data
 * where only sum reads it. */
struct lnstab__sublayer {
    struct lnstab__norm_op norm_in, norm_out, norm_res; /* norm_in.scale is kappa */
    double alpha, beta;
    struct lnstab__state in, f_in, branch, f_out, sum, out;
    const struct lnstab__branch *f;
    union {
        struct lnstab__attention attention;
        struct lnstab__ffn ffn;
    } of;
};

void lnstab__sublayer_forward(const struct lnstab__sublayer *s, const struct lnstab__run *run);

/* Makes f_in and the states inside F anew that no linear map gives, from those that are kept. */
void lnstab__sublayer_remake(const struct lnstab__sublayer *s, const struct lnstab__run *run);

/* d_in = d_out d(out)/d(in), at the point of the last forward. d_in is not d_out. NULL for d_in of an FFN: the
 * gradient of W_2 is all that is wanted. */
void lnstab__sublayer_backward(const struct lnstab__sublayer *s, const struct lnstab__run *run,
                               const void *d_out, void *d_in);

/* t_out = d(out)/d(in) t_in. t_out is not t_in. */
void lnstab__sublayer_jvp(const struct lnstab__sublayer *s, const struct lnstab__run *run,
                          const void *t_in, void *t_out);

#endif
