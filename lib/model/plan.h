#ifndef LNSTAB_MODEL_PLAN_H
#define LNSTAB_MODEL_PLAN_H

#include "base/arena.h"
#include "model/model.h"

/* Somebody who is shown every tensor and sublayer of a model while it is laid out. */
struct lnstab__visitor {
    void (*tensor)(void *self, const struct lnstab_tensor *t);
    void (*sublayer)(void *self, int64_t k, const struct lnstab__sublayer *s);
    void *self;
};

/* A model being laid out in its block. The same lines run twice (see base/arena.h): with an arena that
 * only measures, for a model on the stack without tables, and then for good. */
struct lnstab__plan {
    lnstab_model *m; /* batch and tokens are the largest there may be */
    struct lnstab__arena arena;
    struct lnstab__arena brief;            /* for states that the next sublayer may overwrite */
    size_t brief_size;                     /* the most that a sublayer needs of it */
    const struct lnstab__visitor *visitor; /* NULL: none */
    const lnstab_model *lender;            /* whose parameters serve, where alike; NULL: none */
    int32_t next_lent;                     /* where the next one should be in its table */
    int32_t next_parameter, next_state;    /* places in the tensor table */
    int64_t layer;                         /* at hand: 0 before the first, L + 1 behind the last */
    int is_before_w_2;                     /* what is at hand stands before the layer's W_2 */
    char prefix[40];                       /* of the names that are entered */
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

/* The same for a gradient, if it is wanted: NULL where backward does not reach. */
void *lnstab__plan_gradient(struct lnstab__plan *p, int is_wanted, struct lnstab__axes axes);

/* Takes a parameter, or the lender's, with its gradient where there are any, and enters it in the table. */
struct lnstab__state lnstab__plan_parameter(struct lnstab__plan *p, const char *name,
                                            struct lnstab__axes axes, struct lnstab__init init);

/* A start as the random stream of one tensor draws it, times a gain; a gain of 0 is the constant 0. */
struct lnstab__init lnstab__plan_weight_init(struct lnstab__init init, enum lnstab__kind kind,
                                             int64_t layer, double gain);

/* A norm over rows, or over pieces of them, of a length, and its gamma and bias; NONE, with none, where
 * it is not present. */
struct lnstab__norm_op lnstab__plan_norm(struct lnstab__plan *p, const char *name, int present,
                                         double scale, const int64_t *width, int64_t pieces);

/* How long a state is good for: until the backward pass, or only while its sublayer runs. */
enum lnstab__life { LNSTAB__LASTING, LNSTAB__BRIEF };

/* Of the states that are brief from this recompute on. */
enum lnstab__life lnstab__plan_life(const struct lnstab__plan *p, enum lnstab__recompute from);

/* Takes a state, with its costate if they are kept; enters one, without its data if it is brief; does
 * both. */
struct lnstab__state lnstab__plan_take_state(struct lnstab__plan *p, struct lnstab__axes axes,
                                             enum lnstab__life life);
void lnstab__plan_enter_state(struct lnstab__plan *p, const char *name, struct lnstab__axes axes,
                              struct lnstab__state held, enum lnstab__life life);
struct lnstab__state lnstab__plan_state(struct lnstab__plan *p, const char *name,
                                        struct lnstab__axes axes, enum lnstab__life life);

/* model/plan_sublayer.c: sublayer k = 0..2L-1, the attention (k even) or the FFN of layer k/2 + 1,
 * reading its input from in. */
void lnstab__plan_sublayer(struct lnstab__plan *p, int64_t k, struct lnstab__state in,
                           struct lnstab__sublayer *s);

/* model/layout.c: shows the model of a specification without building it. */
void lnstab__model_visit(const struct lnstab__spec *spec, const struct lnstab__visitor *visitor);

#endif
