/* Where the stream of a model ended: a deeper model whose first layers are those of that one goes on from there. */
#ifndef TOOL_REACHED_H
#define TOOL_REACHED_H

#include "likeness.h"

#include <stdint.h>

struct reached {
    int64_t layers; /* 0: nowhere yet */
    struct likeness likeness;
    void *state;         /* [tokens, width], of the last sublayer */
    double cosine_input; /* of the input, which is the same */
};

/* True if a model of that likeness goes through the same states up to there, and has layers behind it. */
bool reached_serves(const struct reached *r, const struct likeness *likeness, int64_t layers);

/* One sequence of so many tokens on from there, up to the logits. */
int32_t reached_forward(const struct reached *r, lnstab_model *m, int64_t tokens);

/* Takes the last state of m, and the likeness, which is then its own; in the place of what it had. Without memory
 * it is nowhere. */
void reached_take(struct reached *r, lnstab_model *m, int64_t layers, struct likeness *likeness,
                  double cosine_input);
void reached_free(struct reached *r);

#endif
