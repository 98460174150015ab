#include "reached.h"

#include "rows.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool reached_serves(const struct reached *r, const struct likeness *likeness, int64_t layers) {
    return r->layers > 0 && layers > r->layers &&
           lines_within(r->likeness.states, likeness->states);
}

int32_t reached_forward(const struct reached *r, lnstab_model *m, int64_t tokens) {
    char name[48];
    snprintf(name, sizeof name, "layer.%" PRId64 ".ffn.out", r->layers);
    return lnstab_model_forward_from(m, name, 1, tokens, r->state, NULL);
}

void reached_take(struct reached *r, lnstab_model *m, int64_t layers, struct likeness *likeness,
                  double cosine_input) {
    struct rows last = rows_data(rows_tensor(m, layers, "ffn.out"));
    size_t size =
        last.count * last.width * (last.dtype == LNSTAB_FLOAT64 ? sizeof(double) : sizeof(float));
    reached_free(r);
    r->state = malloc(size);
    if (!r->state)
        return;
    memcpy(r->state, last.values, size);
    r->layers = layers;
    r->likeness = *likeness;
    r->cosine_input = cosine_input;
    *likeness = (struct likeness){NULL, NULL};
}

void reached_free(struct reached *r) {
    likeness_free(&r->likeness);
    free(r->state);
    *r = (struct reached){0};
}
