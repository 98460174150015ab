#include "weights.h"

#include <stdio.h>
#include <string.h>

static int deepest(const struct grid *g) {
    int best = 0;
    for (int l = 1; l < g->depths; l++)
        if (g->depth[l] > g->depth[best])
            best = l;
    return best;
}

bool weights_draw(struct weights *w, const struct setting *s, struct cell at, uint64_t seed,
                  struct recycler *r, char message[MESSAGE_SIZE]) {
    at.placement = 0;
    at.depth = deepest(s->grid);
    *w = (struct weights){.seed = seed};
    if (!setting_config(s, at, DRAWN, r, &w->config, message)) {
        w->config = NULL;
        return false;
    }
    w->likeness = likeness_of(w->config);
    if (lnstab_model_create(w->config, &w->model) == LNSTAB_OK &&
        lnstab_model_init(w->model, seed) == LNSTAB_OK)
        return true;
    snprintf(message, MESSAGE_SIZE, "%s", lnstab_config_message(w->config));
    return false;
}

void weights_free(struct weights *w) {
    lnstab_model_destroy(w->model);
    lnstab_config_destroy(w->config);
    likeness_free(&w->likeness);
}

/* In bytes. */
static size_t size_of(const lnstab_tensor *t) {
    size_t count = lnstab_tensor_dtype(t) == LNSTAB_FLOAT64 ? sizeof(double) : sizeof(float);
    for (int32_t axis = 0; axis < lnstab_tensor_rank(t); axis++)
        count *= (size_t)lnstab_tensor_size(t, axis);
    return count;
}

/* False if some weight is not there in the same size. A new model has its norms as they start. */
static bool copy_all(lnstab_model *from, lnstab_model *to) {
    for (int32_t i = 0; i < lnstab_model_tensor_count(to); i++) {
        const lnstab_tensor *own = lnstab_model_tensor_at(to, i);
        const char *name = lnstab_tensor_name(own);
        if (strcmp(lnstab_tensor_role(own), "parameter") != 0)
            break;
        if (starts_as_norm(name))
            continue;
        const lnstab_tensor *drawn = lnstab_model_tensor(from, name);
        if (!drawn || size_of(drawn) != size_of(own))
            return false;
        memcpy(lnstab_tensor_data(own), lnstab_tensor_data(drawn), size_of(own));
    }
    return true;
}

bool weights_lend(const struct weights *w, lnstab_config *c, const struct likeness *likeness,
                  lnstab_model **out, char message[MESSAGE_SIZE]) {
    bool lent = lines_within(likeness->weights, w->likeness.weights);
    int32_t status =
        lent ? lnstab_model_create_sharing(c, w->model, out) : lnstab_model_create(c, out);
    if (status != LNSTAB_OK) {
        *out = NULL;
        snprintf(message, MESSAGE_SIZE, "%s", lnstab_config_message(c));
        return false;
    }
    return lent || lnstab_model_init(*out, w->seed) == LNSTAB_OK;
}

bool weights_give(const struct weights *w, lnstab_config *c, lnstab_model *m,
                  char message[MESSAGE_SIZE]) {
    struct likeness own = likeness_of(c);
    bool alike = lines_within(own.weights, w->likeness.weights);
    likeness_free(&own);
    if ((alike && copy_all(w->model, m)) || lnstab_model_init(m, w->seed) == LNSTAB_OK)
        return true;
    snprintf(message, MESSAGE_SIZE, "%s", lnstab_model_message(m));
    return false;
}
