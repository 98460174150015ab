#include "verify_variants.h"

#include "tensors.h"
#include "verify_weights.h"

#include <inttypes.h>
#include <string.h>

/* A decoder as they are trained, not what mean field speaks of. */
#define DECODER "dtype=float64 causal=1 activation=gelu bias=1 out_proj=1 gain_qk=1 max_batch=2"

const struct variant variants[] = {
    {"theory", "dtype=float32", 1, 1, true, true, 1, NULL, NULL},
    {"theory, W_O", "dtype=float32 out_proj=1", 4, 1, true, true, 1, NULL, NULL},
    {"initial", DECODER " eps=0", 4, 2, false, true, 1, NULL, NULL},
    {"x0.1", DECODER " eps=1e-5", 4, 2, false, false, 0.1, NULL, NULL},
    {"x10", DECODER " eps=1e-5", 4, 2, false, false, 10, NULL, NULL},
    {"perturbed", DECODER " eps=0", 4, 2, false, true, 1, weights_perturb, NULL},
    {"perturbed, RMS", DECODER " eps=1e-5 norm=rms out_proj=0 activation=silu bias=0", 4, 2, false,
     false, 1, weights_perturb, NULL},
    {"adversarial", DECODER " eps=1e-5 activation=relu", 4, 2, false, true, 1, weights_align,
     inputs_align},
};

const int variants_count = sizeof variants / sizeof variants[0];

bool variant_asks(const struct variant *v, const struct claim *c) {
    return v->statistical == (c->kind != CLAIM_EXACT);
}

/* Of the keys that not every version of the library has. */
static bool has_key(const char *name) {
    for (int32_t row = 0; row < lnstab_table_count("keys"); row++)
        if (strcmp(lnstab_table_text("keys", row, "name"), name) == 0)
            return true;
    return false;
}

const char *variant_spell(const struct variant *v, int64_t width, struct pool *pool) {
    const char *krylov = !v->statistical && has_key("krylov") ? " krylov=16" : "";
    return pool_print(pool, "%s heads=%" PRId64 "%s", v->assignments,
                      width % v->heads ? (int64_t)1 : v->heads, krylov);
}

void variant_change(const struct variant *v, lnstab_model *m, uint64_t seed) {
    if (v->factor < 1 || v->factor > 1)
        weights_scale(m, v->factor);
    if (v->change)
        v->change(m, seed);
}
