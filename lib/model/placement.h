#ifndef LNSTAB_MODEL_PLACEMENT_H
#define LNSTAB_MODEL_PLACEMENT_H

#include <stddef.h>
#include <stdint.h>

/* factor L^depth_power l^layer_power, for layer l = 1..L */
struct lnstab__rule {
    double factor, depth_power, layer_power;
};

double lnstab__rule_value(struct lnstab__rule r, int64_t L, int64_t l);

/* The matrices whose initial weights a placement may scale. */
enum lnstab__gain {
    LNSTAB__GAIN_QK,
    LNSTAB__GAIN_V,
    LNSTAB__GAIN_O,
    LNSTAB__GAIN_W1,
    LNSTAB__GAIN_W2,
    LNSTAB__GAINS
};

/* The norms and coefficients of x' = N_res( alpha x + beta N_out( F( kappa N_in(x) ) ) ) in one layer. */
struct lnstab__placement_row {
    int norm_in, norm_out, norm_res;
    struct lnstab__rule kappa, alpha, beta, gain[LNSTAB__GAINS];
    /* Xiong 2020's x1..x5 as states of this library, blank between them; "" where it has no such names */
    const char *states;
};

/* A placement: the layers l <= floor(mix_fraction L) follow rows[0], the others rows[1]; where all
 * layers are alike the two are equal. */
struct lnstab__placement {
    const char *name, *aliases, *formula, *source;
    int final_norm;
    struct lnstab__placement_row rows[2];
};

int lnstab__placement_count(void);
const struct lnstab__placement *lnstab__placement_at(int i);

/* The residual equation itself. */
const char *lnstab__placement_general_formula(void);

/* By name or alias; -1 if there is none. */
int lnstab__placement_find(const char *name, size_t length);

/* Why a name that public code uses for two different placements is refused, or NULL. */
const char *lnstab__placement_ambiguity(const char *name, size_t length);

#endif
