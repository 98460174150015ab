#ifndef LNSTAB_ANALYSIS_BRANCH_BOUNDS_H
#define LNSTAB_ANALYSIS_BRANCH_BOUNDS_H

#include "analysis/scene.h"

/* What the weights of F bound, by proved norms of theirs: theory.md, Bounds on states. Needs the room of krylov. */

/* For inputs u with ||u|| <= r of every token: largest >= ||F(u)||, about >= ||F(u) - c|| for one c. */
struct lnstab__branch_bounds {
    double largest, about;
};

struct lnstab__branch_bounds lnstab__branch_bounds_of(const struct lnstab__scene *s,
                                                      const struct lnstab__sublayer *at, double r);

/* Between what, or at what, a Lipschitz constant holds: at the point of the last forward; between any two
 * inputs as long as those of the last forward. */
enum lnstab__validity { LNSTAB__AT_THE_POINT, LNSTAB__IN_THE_BALL };

/* >= ||F(u) - F(u')||/||u - u'||, u all tokens of a sequence. */
double lnstab__branch_lipschitz(const struct lnstab__scene *s, const struct lnstab__sublayer *at,
                                enum lnstab__validity where);

/* The most that |act'| gets. */
double lnstab__activation_slope(enum lnstab__activation act);

#endif
