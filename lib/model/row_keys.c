#include "model/row_keys.h"

#include <stddef.h>

static int *norm_member(struct lnstab__placement_row *row, int id) {
    return id == LNSTAB__KEY_NORM_IN    ? &row->norm_in
           : id == LNSTAB__KEY_NORM_OUT ? &row->norm_out
           : id == LNSTAB__KEY_NORM_RES ? &row->norm_res
                                        : NULL;
}

static struct lnstab__rule *rule_member(struct lnstab__placement_row *row, int id) {
    return id == LNSTAB__KEY_KAPPA   ? &row->kappa
           : id == LNSTAB__KEY_ALPHA ? &row->alpha
           : id == LNSTAB__KEY_BETA  ? &row->beta
           : id >= LNSTAB__KEY_GAIN_QK && id <= LNSTAB__KEY_GAIN_W2
               ? &row->gain[id - LNSTAB__KEY_GAIN_QK]
               : NULL;
}

int lnstab__is_row_key(int id) {
    struct lnstab__placement_row row = {0};
    return norm_member(&row, id) != NULL || rule_member(&row, id) != NULL;
}

int lnstab__row_key_parts(int id) {
    return id < LNSTAB__KEY_GAIN_QK || id > LNSTAB__KEY_GAIN_W2 ? LNSTAB__ATTN | LNSTAB__FFN
           : id < LNSTAB__KEY_GAIN_W1                           ? LNSTAB__ATTN
                                                                : LNSTAB__FFN;
}

void lnstab__row_set(struct lnstab__placement_row *row, int id, const struct lnstab__value *value) {
    int *norm = norm_member(row, id);
    if (norm) {
        *norm = (int)value->integer;
    } else {
        *rule_member(row, id) = value->rule;
    }
}

struct lnstab__value lnstab__row_get(const struct lnstab__placement_row *row, int id) {
    struct lnstab__placement_row copy = *row;
    const int *norm = norm_member(&copy, id);
    return norm ? (struct lnstab__value){.integer = *norm}
                : (struct lnstab__value){.rule = *rule_member(&copy, id)};
}

int lnstab__row_values_equal(struct lnstab__value a, struct lnstab__value b) {
    return a.integer == b.integer && a.rule.factor == b.rule.factor &&
           a.rule.depth_power == b.rule.depth_power && a.rule.layer_power == b.rule.layer_power;
}

int lnstab__row_norms_equal(const struct lnstab__placement_row *a,
                            const struct lnstab__placement_row *b) {
    return a->norm_in == b->norm_in && a->norm_out == b->norm_out && a->norm_res == b->norm_res;
}
