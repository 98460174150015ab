#ifndef LNSTAB_ANALYSIS_KNOWN_NORMS_H
#define LNSTAB_ANALYSIS_KNOWN_NORMS_H

#include "analysis/weight_norm.h"

/* The upper bounds of analysis/weight_norm.h, each proved once between two forwards: claims ask for those of
 * all sublayers at every place. Needs the room of krylov. */
double lnstab__known_weight_norm(const lnstab_model *m, struct lnstab__weight a);
double lnstab__known_product_norm(const lnstab_model *m, struct lnstab__weight a,
                                  struct lnstab__weight b);

#endif
