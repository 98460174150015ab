#ifndef LNSTAB_NN_INIT_H
#define LNSTAB_NN_INIT_H

#include <stddef.h>
#include <stdint.h>

#include "math/kernels.h"
#include "math/philox.h"

/* How the entries of a tensor start. CONSTANT: all equal to value. The others have mean 0 and standard
 * deviation value: NORMAL; UNIFORM, on (-value sqrt 3, value sqrt 3); TRUNCATED, a normal cut at two of
 * its own standard deviations, each of them value/0.8796. */
enum lnstab__distribution { LNSTAB__CONSTANT, LNSTAB__NORMAL, LNSTAB__UNIFORM, LNSTAB__TRUNCATED };

struct lnstab__init {
    enum lnstab__distribution distribution;
    double value;
    uint32_t kind, layer; /* of the random stream; see enum lnstab__kind */
};

/* The third word of a stream's counter. 0 is the host's own; the numbers are part of what a seed means
 * and never change. */
enum lnstab__kind {
    LNSTAB__KIND_HOST,
    LNSTAB__KIND_EMBED_TOKEN,
    LNSTAB__KIND_HEAD_W,
    LNSTAB__KIND_W_Q,
    LNSTAB__KIND_W_K,
    LNSTAB__KIND_W_V,
    LNSTAB__KIND_W_O,
    LNSTAB__KIND_W_1,
    LNSTAB__KIND_W_2,
    LNSTAB__KIND_W_3,
    LNSTAB__KIND_EMBED_POSITION,
    LNSTAB__KIND_PROBE
};

/* Rows of a table that the configuration's choices index. residual: the matrix ends a branch, W_O or W_2,
 * in a stack of that many branches; 0 for any other matrix. */
int lnstab__scheme_count(void);
const char *lnstab__scheme_name(int scheme);
struct lnstab__init lnstab__scheme_init(int scheme, size_t fan_in, size_t fan_out, size_t residual);

struct lnstab__init lnstab__init_constant(double value);

/* Overwrites n entries of x. */
void lnstab__init_fill(const struct lnstab__init *init, const struct lnstab__kernels *kernels,
                       uint64_t seed, size_t n, void *x);

#endif
