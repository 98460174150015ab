/* One run: forward, loss and backward of one sequence, and what is read from its last layer. */
#ifndef TOOL_MEASURE_H
#define TOOL_MEASURE_H

#include "inputs.h"
#include "reached.h"

#include "lnstab.h"

struct measurement {
    double loss;
    double raw;             /* ||dLoss/dW_2,L||_F, Loss the mean over tokens                    */
    double ratio;           /* mean over i of ||dL_i/dW_2,L||_F/||g_i||                         */
    double gradient_max;    /* C_g = max ||g_i||                                                */
    double gradient_square; /* mean ||g_i||^2                                                   */
    double cosine_input;    /* C_0: mean cosine between the inputs of two tokens                */
    double cosine_hidden;   /* rho_h: the same of the FFN's hidden vectors h_i in layer L       */
    double cosine_costate;  /* rho_v: the same of the costates v_i of the FFN's output          */
    double state;           /* mean Z_i/d, Z_i = ||x||^2 where the last norm reads the stream   */
};

/* It holds nothing but doubles. */
#define MEASUREMENTS (sizeof(struct measurement) / sizeof(double))

/* Per token: states[n] gets Z_i/d, shares[n] gets ||dL_i/dW_2,L||_F/C_g. from: where forward goes on from, NULL for
 * the input. False: see the model. */
bool measure(lnstab_model *m, const struct inputs *in, const struct reached *from, int64_t layers,
             struct measurement *out, double *states, double *shares);

#endif
