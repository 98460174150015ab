#include "model/row_keys.h"
#include "model/spec.h"

struct lnstab__placement_row lnstab__spec_row(const struct lnstab__spec *s, int64_t k) {
    struct lnstab__placement_row row = s->rows[k / 2 + 1 <= s->switch_layer ? 0 : 1];
    for (int i = 0; i < s->scoped_count; ++i) {
        if (lnstab__scope_has(s->scoped[i].scope, s->layers, k)) {
            lnstab__row_set(&row, s->scoped[i].id, &s->scoped[i].value);
        }
    }
    return row;
}

static int64_t sooner(int64_t next, int64_t change, int64_t l) {
    return change > l && change < next ? change : next;
}

int64_t lnstab__spec_next_change(const struct lnstab__spec *s, int64_t l) {
    int64_t next = sooner(s->layers + 1, s->switch_layer + 1, l);
    for (int i = 0; i < s->scoped_count; ++i) {
        const struct lnstab__scope scope = s->scoped[i].scope;
        next = sooner(next, lnstab__scope_end(scope.first, s->layers), l);
        next = sooner(next, lnstab__scope_end(scope.last, s->layers) + 1, l);
    }
    return next;
}

double lnstab__spec_value(const struct lnstab__spec *s, struct lnstab__rule rule, int64_t l) {
    return lnstab__rule_value(rule, s->layers, l);
}

/* Are the norms of layer l where the placement has them? */
static int as_placed(const struct lnstab__spec *s, int64_t l) {
    const struct lnstab__placement_row *placed = &s->placement->rows[l <= s->switch_layer ? 0 : 1];
    const struct lnstab__placement_row attn = lnstab__spec_row(s, 2 * l - 2);
    const struct lnstab__placement_row ffn = lnstab__spec_row(s, 2 * l - 1);
    return lnstab__row_norms_equal(&attn, placed) && lnstab__row_norms_equal(&ffn, placed);
}

const char *lnstab__spec_paper_states(const struct lnstab__spec *s, int64_t l) {
    return as_placed(s, l) ? s->placement->rows[l <= s->switch_layer ? 0 : 1].states : "";
}

const char *lnstab__spec_formula(const struct lnstab__spec *s) {
    int same = s->final_norm == s->placement->final_norm;
    for (int64_t l = 1; same && l <= s->layers; l = lnstab__spec_next_change(s, l)) {
        same = as_placed(s, l);
    }
    return same ? s->placement->formula : lnstab__placement_general_formula();
}
