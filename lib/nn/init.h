#ifndef LNSTAB_NN_INIT_H
#define LNSTAB_NN_INIT_H

#include <stddef.h>
#include <stdint.h>

#include "math/kernels.h"
#include "math/philox.h"

/* How the entries of a tensor start. CONSTANT: all equal to value. NORMAL: standard deviation value.
 * UNIFORM: on (-value sqrt 3, value sqrt 3), so that value is its standard deviation too. */
enum lnstab__distribution { LNSTAB__CONSTANT, LNSTAB__NORMAL, LNSTAB__UNIFORM };

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
    LNSTAB__KIND_W_2
};

/* "xavier_normal": variance 2/(fan_in + fan_out); "xavier_uniform": the same variance, uniform;
 * "lecun_normal": variance 1/fan_in. Rows of a table that the configuration's choices index. */
int lnstab__scheme_count(void);
const char *lnstab__scheme_name(int scheme);
struct lnstab__init lnstab__scheme_init(int scheme, size_t fan_in, size_t fan_out);

struct lnstab__init lnstab__init_constant(double value);

/* Overwrites n entries of x. */
void lnstab__init_fill(const struct lnstab__init *init, const struct lnstab__kernels *kernels,
                       uint64_t seed, size_t n, void *x);

#endif
