/* What a model has in each sublayer or layer: states, costates, gradients; measured, and predicted.
 *
 * A profile is an array of doubles: the values of each quantity behind one another, in the order of the
 * sublayers (attention, FFN, attention, ...) or of the layers. NaN stands for what is not predicted. */
#ifndef TOOL_PROFILE_H
#define TOOL_PROFILE_H

#include "inputs.h"
#include "usage.h"

enum profile_quantity {
    PROFILE_STATE,
    PROFILE_COSINE,
    PROFILE_SUM,
    PROFILE_BRANCH,
    PROFILE_UPDATE,
    PROFILE_LARGEST,
    PROFILE_NORM,
    PROFILE_NORM_JACOBIAN,
    PROFILE_COSTATE,
    PROFILE_JACOBIAN,
    PROFILE_W_V,
    PROFILE_W_O,
    PROFILE_W_1,
    PROFILE_W_2,
    PROFILE_TOKEN_W_V,
    PROFILE_TOKEN_W_O,
    PROFILE_TOKEN_W_1,
    PROFILE_TOKEN_W_2,
    PROFILE_LOSS_GRADIENT,
    PROFILE_START,
    PROFILE_QUANTITIES
};

enum profile_axis { PROFILE_SUBLAYERS, PROFILE_LAYERS, PROFILE_ONCE };

struct profile_row {
    const char *name, *heading; /* of CSV, and of what is read                        */
    enum profile_axis axis;
    const char *claim;     /* of the library, NULL if none predicts it           */
    bool takes_coherence;  /* of the costates at the output                      */
    bool is_root;          /* of a mean square: means over seeds are of squares  */
    const char *parameter; /* whose gradient it is, NULL for states and costates */
};

extern const struct profile_row profile_rows[PROFILE_QUANTITIES];

/* In place of the norm of a gradient, where the model has no such matrix. */
#define PROFILE_ABSENT (-1.0)

/* How many values a quantity has, where they begin, and how many all have. */
int64_t profile_count(enum profile_quantity q, int64_t layers);
int64_t profile_place(enum profile_quantity q, int64_t layers);
int64_t profile_size(int64_t layers);

/* Of a model with keep_states=2 gradients=1 that was made from c, at its initial weights. Gradients are
 * in units of the root mean square of ||g_i||, g_i of token i's loss at the output, costates in units of
 * those there. seed is of the direction that the Jacobians are probed with. False: m has the message, or
 * there was no memory. */
bool profile_measure(lnstab_config *c, lnstab_model *m, const struct inputs *in, int64_t layers,
                     uint64_t seed, double *values);

/* What the claims say for n tokens, NaN where they do not cover c. missing tells why the states are not
 * covered, missing_gradients why the gradients of a loss are not; "" if they are. */
void profile_predict(lnstab_config *c, int64_t layers, int64_t tokens, double *values,
                     char missing[MESSAGE_SIZE], char missing_gradients[MESSAGE_SIZE]);

#endif
