/* The inputs of one sequence: x ~ N(0, I_d) and uniform labels, uniform tokens, or consecutive bytes of a
 * text. */
#ifndef TOOL_INPUTS_H
#define TOOL_INPUTS_H

#include "lnstab.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct text {
    unsigned char *bytes;
    size_t size;
};

/* Reads a whole file of at least least bytes; false after one line on stderr. */
bool text_read(struct text *t, const char *path, size_t least);

struct inputs {
    int64_t tokens; /* n */
    double *x;      /* [n, d], NULL for a text          */
    float *rounded; /* x in float32                     */
    int32_t *token; /* [n], NULL for Gaussian inputs    */
    int32_t *target;
};

/* Streams 1 and 3 of seed, as for tokens. False without memory; inputs_free is needed in either case. */
bool inputs_gaussian(struct inputs *in, int64_t tokens, int64_t width, int64_t vocab,
                     uint64_t seed);

/* Token ids and targets, all uniform. */
bool inputs_uniform(struct inputs *in, int64_t tokens, int64_t vocab, uint64_t seed);

/* Bytes o..o+n-1 and, as targets, o+1..o+n; the offset o is uniform, from stream 5 of seed. */
bool inputs_text(struct inputs *in, int64_t tokens, const struct text *text, uint64_t seed);

/* The first or the second, as a model of c takes them. */
bool inputs_of(lnstab_config *c, int64_t tokens, uint64_t seed, struct inputs *in);

/* lnstab_model_forward or _forward_embedded of them, in the model's dtype. */
int32_t inputs_forward(lnstab_model *m, const struct inputs *in);

void inputs_free(struct inputs *in);

#endif
