#ifndef LNSTAB_MODEL_ROW_KEYS_H
#define LNSTAB_MODEL_ROW_KEYS_H

#include "model/config.h"

/* The keys that the placement's rows answer for: where the norms are, the coefficients, the gains. They
 * are the ones that sublayers may differ in. */
int lnstab__is_row_key(int id);

/* The sublayers that a key is of, LNSTAB__ATTN, LNSTAB__FFN or both: a gain scales a matrix of one. */
int lnstab__row_key_parts(int id);

/* Puts the value of such a key into a row. */
void lnstab__row_set(struct lnstab__placement_row *row, int id, const struct lnstab__value *value);

/* The value that a row has for such a key. */
struct lnstab__value lnstab__row_get(const struct lnstab__placement_row *row, int id);

int lnstab__row_values_equal(struct lnstab__value a, struct lnstab__value b);

int lnstab__row_norms_equal(const struct lnstab__placement_row *a,
                            const struct lnstab__placement_row *b);

#endif
