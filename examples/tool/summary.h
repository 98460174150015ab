/* A sweep's cells: means over seeds, beside bound and prediction. */
#ifndef TOOL_SUMMARY_H
#define TOOL_SUMMARY_H

#include "boundedness.h"
#include "predict.h"
#include "statistics.h"

/* Quantities that have a value in each run. Those with "of" are measured/predicted; they are NaN where
 * there is no prediction. */
enum quantity {
    RAW,              /* ||dLoss/dW_2,L||_F                                            */
    RATIO,            /* ||dL_i/dW_2,L||_F/||g_i||, mean over tokens                   */
    STATE,            /* Z/d                                                           */
    RAW_OF_PRINTED,   /* raw/(printed bound), C_g of the run                           */
    RAW_OF_RIGOROUS,  /* raw/(rigorous bound for all tokens)                           */
    TOKEN_OF_PRINTED, /* max_i ||dL_i/dW_2,L||_F/(printed bound): how loose it is     */
    RATIO_OF_PREDICTED,
    RAW_OF_PREDICTED,
    STATE_OF_PREDICTED,
    PRINTED_BOUND, /* coefficient times C_g */
    RIGOROUS_BOUND,
    INPUT_COSINE,
    HIDDEN_COSINE,
    COSTATE_COSINE,
    LOSS,
    QUANTITIES
};

struct cell_summary {
    struct estimate of[QUANTITIES];
    struct prediction prediction;
    struct boundedness bounded;
};

struct summary {
    const struct sweep *sweep;
    struct cell_summary *cells; /* by grid_index */
};

/* False after one line on stderr; summary_free is needed in either case. */
bool summary_make(struct summary *out, const struct sweep *s);
void summary_free(struct summary *out);

const struct cell_summary *summary_at(const struct summary *s, struct cell at);

/* The value of q in one run of a cell. */
double summary_value(const struct summary *s, struct cell at, int seed, enum quantity q);

/* Tokens whose ||dL_i/dW_2,L||_F is above the rigorous bound for one token, as a fraction. */
struct fraction summary_above_bound(const struct summary *s, struct cell at, double miss);

/* The predicted raw norm of a run: sqrt( (1/n) r^2 mean||g_i||^2 [1 + (n-1) rho_h rho_v] ), r and rho_h
 * from mean field, ||g_i|| and rho_v of the run. */
double predicted_raw(const struct prediction *p, const struct measurement *m, int64_t tokens);

#endif
