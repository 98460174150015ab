/* A configuration's profile: predicted, and measured over seeds. */
#ifndef TOOL_STUDY_H
#define TOOL_STUDY_H

#include "profile.h"
#include "statistics.h"

#include <stdio.h>

struct study {
    const char *label;
    char *assignments; /* of a model with keep_states=2 gradients=1 */
    int64_t layers, width, ffn_width, tokens;
    double *bound;                        /* [2 L, 2], of study_bound: of a start, and besides */
    double *predicted, *values;           /* [size] and [seeds, size], profile.h */
    struct estimate *measured;            /* [size]                              */
    char missing[MESSAGE_SIZE];           /* why the states are not predicted    */
    char missing_gradients[MESSAGE_SIZE]; /* the same of the loss's gradients    */
};

/* How studies are measured. */
struct measuring {
    int seeds, threads;
    uint64_t first_seed;
    void *user; /* of advanced, the share of the work done */
    void (*advanced)(void *user, double done);
};

/* Predicts what assignments build. False after one line on stderr; study_free is needed in either case. */
bool study_start(struct study *s, const char *label, const char *assignments, int64_t tokens);
void study_free(struct study *s);

/* Measures all of them: each seed gives the same weights and inputs to every study. STATUS_GOOD,
 * STATUS_INTERRUPTED, or STATUS_USAGE after one line on stderr. */
int study_measure(struct study *studies, int count, const struct measuring *how);

/* What ||x||/sqrt d behind sublayer k cannot exceed, whatever the weights of the branches, if it is start at
 * the input; infinity where only the weights bound it. */
double study_bound(const struct study *s, int64_t k, double start);

/* The largest ||x||/bound of any sublayer, token and seed; 0 where there is no bound. float32 rounds what is
 * equal to its bound, as every output of N_res is. */
double study_share_of_bound(const struct study *s, int seeds);
#define STUDY_BOUND_ROUNDING (1 + 1e-5)

/* Every quantity of all studies, predicted and measured, as JSON. */
void study_json(FILE *out, const struct study *studies, int count, int seeds);

/* What stands behind the claim's name in such a text. */
const char *study_reason(const char *missing);

/* Value i of a quantity. */
double study_predicted(const struct study *s, enum profile_quantity q, int64_t i);
struct estimate study_measured(const struct study *s, enum profile_quantity q, int64_t i);

#endif
