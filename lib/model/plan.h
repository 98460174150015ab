#ifndef LNSTAB_MODEL_PLAN_H
#define LNSTAB_MODEL_PLAN_H

#include "base/arena.h"
#include "model/model.h"

/* A model being laid out in its block. The same lines run twice (see base/arena.h): with an arena that
 * only measures, for a model on the stack without tables, and then for good. */
struct lnstab__plan {
    lnstab_model *m; /* batch and tokens are the largest there may be */
    struct lnstab__arena arena;
    int32_t next_parameter, next_state; /* places in the tensor table */
    char prefix[40];                    /* of the names that are entered */
};

struct lnstab__axes {
    int32_t rank;
    const int64_t *length[LNSTAB__MAX_RANK];
};

struct lnstab__axes lnstab__axes_1(const int64_t *a);
struct lnstab__axes lnstab__axes_2(const int64_t *a, const int64_t *b);
struct lnstab__axes lnstab__axes_rows(const struct lnstab__plan *p, const int64_t *columns);
struct lnstab__axes lnstab__axes_square(const struct lnstab__plan *p); /* of attention weights */

/* An array of the model's dtype. */
void *lnstab__plan_array(struct lnstab__plan *p, struct lnstab__axes axes);

/* Takes a parameter, with its gradient where there are any, and enters it in the table. */
struct lnstab__state lnstab__plan_parameter(struct lnstab__plan *p, const char *name,
                                            struct lnstab__axes axes, struct lnstab__init init);

/* The start of a weight matrix: a scheme for its own fan, times a gain. */
struct lnstab__init lnstab__plan_weight_init(int scheme, enum lnstab__kind kind, int64_t layer,
                                             double gain, int64_t fan_in, int64_t fan_out);

/* A norm and its gamma and bias; NONE, with none, where it is not present. */
struct lnstab__norm_op lnstab__plan_norm(struct lnstab__plan *p, const char *name, int present,
                                         double scale);

/* Takes a state, with its costate if they are kept; enters one; does both. */
struct lnstab__state lnstab__plan_take_state(struct lnstab__plan *p, struct lnstab__axes axes);
void lnstab__plan_enter_state(struct lnstab__plan *p, const char *name, struct lnstab__axes axes,
                              struct lnstab__state held);
struct lnstab__state lnstab__plan_state(struct lnstab__plan *p, const char *name,
                                        struct lnstab__axes axes);

/* The state behind a norm: the one before it, if the norm is the identity. */
struct lnstab__state lnstab__plan_state_behind(struct lnstab__plan *p,
                                               const struct lnstab__norm_op *norm,
                                               struct lnstab__state before);

/* model/plan_sublayer.c: sublayer k = 0..2L-1, the attention (k even) or the FFN of layer k/2 + 1,
 * reading its input from in. */
void lnstab__plan_sublayer(struct lnstab__plan *p, int64_t k, struct lnstab__state in,
                           struct lnstab__sublayer *s);

#endif
