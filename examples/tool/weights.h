/* Weights are drawn once for a width, an FFN width and a seed, and given to every placement and depth.
 *
 * lnstab_model_init gives the same weights to every placement and depth for the same seed. Drawing
 * them is most of a run's time, so the deepest model draws, and the others read or copy its weights
 * if all of theirs start as the same ones of that model. */
#ifndef TOOL_WEIGHTS_H
#define TOOL_WEIGHTS_H

#include "likeness.h"
#include "setting.h"

struct weights {
    lnstab_config *config;
    lnstab_model *model; /* the deepest one */
    uint64_t seed;
    struct likeness likeness;
};

/* Draws for the ratio and width of at. False with a message. weights_free is needed in either case. */
bool weights_draw(struct weights *w, const struct setting *s, struct cell at, uint64_t seed,
                  struct recycler *r, char message[MESSAGE_SIZE]);
void weights_free(struct weights *w);

/* A model of c, which has that likeness, with the weights of lnstab_model_init(m, seed): those of the donor in
 * their place, or drawn where c starts any of them in another way, shape or dtype. The caller destroys *out, NULL
 * without a model, before weights_free; meanwhile no weight may change. */
bool weights_lend(const struct weights *w, lnstab_config *c, const struct likeness *likeness,
                  lnstab_model **out, char message[MESSAGE_SIZE]);

/* Makes a new model's weights the same, but its own: a copy. */
bool weights_give(const struct weights *w, lnstab_config *c, lnstab_model *m,
                  char message[MESSAGE_SIZE]);

#endif
