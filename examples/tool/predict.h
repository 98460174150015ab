/* What the library's claims say about a cell, NaN where a claim does not cover it. */
#ifndef TOOL_PREDICT_H
#define TOOL_PREDICT_H

#include "setting.h"

struct prediction {
    double printed;        /* Theorem 1's bound/C_g, one token, as the proof prints it          */
    double rigorous;       /* the same for all n tokens at once, centred norm (gap e)           */
    double rigorous_token; /* the same for one token                                            */
    double ratio;          /* rank one: ||dL_i/dW_2,L||_F/||g_i||, times sqrt(1 - k/d)          */
    double cosine_hidden;  /* mean-field rho_h of layer L                                       */
    double state;          /* E Z/d, Z = ||x||^2 where the last norm reads the stream           */
    double lower, upper;   /* Lemma 2's bounds on it                                            */
    char bound_missing[MESSAGE_SIZE], lemma_missing[MESSAGE_SIZE], ratio_missing[MESSAGE_SIZE];
};

/* False after one line on stderr. */
bool predict_cell(const struct setting *s, struct cell at, struct prediction *out);

/* Theorem 1's probability for a state that is (epsilon, delta)-bounded with excess tau. */
bool predict_probability(const struct setting *s, struct cell at, double epsilon, double delta,
                         double tau, double *published, double *repaired_one, double *repaired_all);

#endif
