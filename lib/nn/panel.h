#ifndef LNSTAB_NN_PANEL_H
#define LNSTAB_NN_PANEL_H

#include "nn/attention.h"

/* A panel: rows first..first + rows - 1 of the scores of one (batch, head), and the columns that any of them
 * sees, 0..seen - 1. Where the attention weights are not kept, a panel is all there is of them at a time. q, kv: the
 * first element of the head's part of q or O, and of k or V. */
struct lnstab__panel {
    size_t batch, head, q, kv, first, rows, seen;
    int starts_group; /* the first that adds to the keys and values that heads share */
};

size_t lnstab__panels_of_head(size_t tokens, size_t panel_rows);

/* The numbers of the largest panel. */
size_t lnstab__panel_size(size_t tokens, size_t panel_rows);

/* The i-th, head by head; the last rows of a head come first, since they see every column. */
struct lnstab__panel lnstab__panel_at(const struct lnstab__attention *f,
                                      const struct lnstab__run *run, size_t i);

/* rows x seen numbers of a panel, ld apart. */
struct lnstab__matrix {
    void *data;
    size_t ld;
};

/* In a slot of an array of the workspace; in an array that is kept, batch x heads x tokens x tokens. */
struct lnstab__matrix lnstab__panel_in_room(const struct lnstab__attention *f,
                                            const struct lnstab__run *run,
                                            const struct lnstab__panel *p, void *room, size_t slot);
struct lnstab__matrix lnstab__panel_in_square(const struct lnstab__run *run,
                                              const struct lnstab__panel *p, void *square);

/* S = scale A B^T + keep S, over so many columns, from a part of q or O and a part of k or V */
void lnstab__panel_outer(const struct lnstab__attention *f, const struct lnstab__run *run,
                         const struct lnstab__panel *p, size_t columns, double scale, const void *a,
                         const void *b, double keep, struct lnstab__matrix s);

/* C = P B + keep C: a part of q or O from the weights and a part of k or V */
void lnstab__panel_mix(const struct lnstab__attention *f, const struct lnstab__run *run,
                       const struct lnstab__panel *p, struct lnstab__matrix w, const void *b,
                       double keep, void *c);

/* C = P^T B, summed over the panels of a group: a part of k or V from the weights and a part of q or O */
void lnstab__panel_gather(const struct lnstab__attention *f, const struct lnstab__run *run,
                          const struct lnstab__panel *p, struct lnstab__matrix w, const void *b,
                          void *c);

#endif
