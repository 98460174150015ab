#include "weights.h"

#include <stdio.h>
#include <string.h>

/* The values of every key that the distribution of a weight depends on, other than the sizes. */
static void write_signature(lnstab_config *c, char signature[SIGNATURE_SIZE]) {
    static const char *const keys[] = {"init",   "head_init", "gain_qk", "gain_v",
                                       "gain_o", "gain_w1",   "gain_w2"};
    size_t used = 0;
    signature[0] = '\0';
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        char value[64] = "?";
        lnstab_config_get_str(c, keys[i], value, sizeof value, NULL);
        int length = snprintf(signature + used, SIGNATURE_SIZE - used, "%s ", value);
        used += (size_t)length;
    }
}

/* A gain that is a rule of the depth (c*L^p) differs between models whose signatures are equal. */
static bool same_for_every_depth(const char *signature) {
    return !strchr(signature, '^');
}

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
    write_signature(w->config, w->signature);
    if (lnstab_model_create(w->config, &w->model) == LNSTAB_OK &&
        lnstab_model_init(w->model, seed) == LNSTAB_OK)
        return true;
    snprintf(message, MESSAGE_SIZE, "%s", lnstab_config_message(w->config));
    return false;
}

void weights_free(struct weights *w) {
    lnstab_model_destroy(w->model);
    lnstab_config_destroy(w->config);
}

/* In bytes. Donor and model have the same dtype and the same shapes. */
static size_t size_of(const lnstab_tensor *t) {
    size_t count = lnstab_tensor_dtype(t) == LNSTAB_FLOAT64 ? sizeof(double) : sizeof(float);
    for (int32_t axis = 0; axis < lnstab_tensor_rank(t); axis++)
        count *= (size_t)lnstab_tensor_size(t, axis);
    return count;
}

/* A parameter that the donor lacks is a norm's, and a new model has it at 1 or 0 already. */
static void copy_all(lnstab_model *from, lnstab_model *to) {
    for (int32_t i = 0; i < lnstab_model_tensor_count(to); i++) {
        const lnstab_tensor *own = lnstab_model_tensor_at(to, i);
        if (strcmp(lnstab_tensor_role(own), "parameter") != 0)
            break;
        const lnstab_tensor *drawn = lnstab_model_tensor(from, lnstab_tensor_name(own));
        if (drawn)
            memcpy(lnstab_tensor_data(own), lnstab_tensor_data(drawn), size_of(own));
    }
}

bool weights_give(const struct weights *w, lnstab_config *c, lnstab_model *m,
                  char message[MESSAGE_SIZE]) {
    char signature[SIGNATURE_SIZE];
    write_signature(c, signature);
    if (strcmp(signature, w->signature) == 0 && same_for_every_depth(signature)) {
        copy_all(w->model, m);
        return true;
    }
    if (lnstab_model_init(m, w->seed) == LNSTAB_OK)
        return true;
    snprintf(message, MESSAGE_SIZE, "%s", lnstab_model_message(m));
    return false;
}
