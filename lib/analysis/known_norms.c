#include "analysis/known_norms.h"

/* NULL if it is not known. */
static const struct lnstab__known_norm *find(const struct lnstab__known_norms *known, const void *a,
                                             const void *b) {
    for (size_t i = 0; i < known->count; ++i) {
        if (known->list[i].a == a && known->list[i].b == b) {
            return &known->list[i];
        }
    }
    return NULL;
}

static double keep(struct lnstab__known_norms *known, const void *a, const void *b, double upper) {
    if (known->count < known->capacity) {
        known->list[known->count++] = (struct lnstab__known_norm){a, b, upper};
    }
    return upper;
}

double lnstab__known_weight_norm(const lnstab_model *m, struct lnstab__weight a) {
    struct lnstab__known_norms *known = m->krylov.known;
    const struct lnstab__known_norm *found = find(known, a.data, NULL);
    return found ? found->upper : keep(known, a.data, NULL, lnstab__weight_norm(m, a).upper);
}

double lnstab__known_product_norm(const lnstab_model *m, struct lnstab__weight a,
                                  struct lnstab__weight b) {
    struct lnstab__known_norms *known = m->krylov.known;
    const struct lnstab__known_norm *found = find(known, a.data, b.data);
    return found ? found->upper : keep(known, a.data, b.data, lnstab__product_norm(m, a, b).upper);
}
