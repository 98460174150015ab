#include "nn/panel.h"

static size_t at_most(size_t n, size_t limit) {
    return n < limit ? n : limit;
}

size_t lnstab__panels_of_head(size_t tokens, size_t panel_rows) {
    return (tokens + panel_rows - 1) / panel_rows;
}

size_t lnstab__panel_size(size_t tokens, size_t panel_rows) {
    return at_most(tokens, panel_rows) * tokens;
}

static size_t q_width(const struct lnstab__attention *f) {
    return f->heads * f->head_dim;
}

static size_t kv_width(const struct lnstab__attention *f) {
    return f->kv_heads * f->head_dim;
}

struct lnstab__panel lnstab__panel_at(const struct lnstab__attention *f,
                                      const struct lnstab__run *run, size_t i) {
    const size_t each = lnstab__panels_of_head(run->tokens, f->panel_rows),
                 group = f->heads / f->kv_heads, head = i / each;
    const size_t batch = head / f->heads, h = head % f->heads;
    const size_t first = (each - 1 - i % each) * f->panel_rows;
    const size_t rows = at_most(run->tokens - first, f->panel_rows);
    return (struct lnstab__panel){.batch = batch,
                                  .head = head,
                                  .q = ((batch * run->tokens + first) * f->heads + h) * f->head_dim,
                                  .kv =
                                      (batch * run->tokens * f->kv_heads + h / group) * f->head_dim,
                                  .first = first,
                                  .rows = rows,
                                  .seen = f->causal ? first + rows : run->tokens,
                                  .starts_group = h % group == 0 && i % each == 0};
}

struct lnstab__matrix lnstab__panel_in_room(const struct lnstab__attention *f,
                                            const struct lnstab__run *run,
                                            const struct lnstab__panel *p, void *room,
                                            size_t slot) {
    const size_t each = lnstab__panel_size(run->tokens, f->panel_rows);
    return (struct lnstab__matrix){lnstab__at(run->kernels, room, slot * each), p->seen};
}

struct lnstab__matrix lnstab__panel_in_square(const struct lnstab__run *run,
                                              const struct lnstab__panel *p, void *square) {
    const size_t row = p->head * run->tokens + p->first;
    return (struct lnstab__matrix){lnstab__at(run->kernels, square, row * run->tokens),
                                   run->tokens};
}

void lnstab__panel_outer(const struct lnstab__attention *f, const struct lnstab__run *run,
                         const struct lnstab__panel *p, size_t columns, double scale, const void *a,
                         const void *b, double keep, struct lnstab__matrix s) {
    const struct lnstab__kernels *k = run->kernels;
    k->gemm(0, 1, p->rows, columns, f->head_dim, scale, lnstab__at_const(k, a, p->q), q_width(f),
            lnstab__at_const(k, b, p->kv), kv_width(f), keep, s.data, s.ld);
}

void lnstab__panel_mix(const struct lnstab__attention *f, const struct lnstab__run *run,
                       const struct lnstab__panel *p, struct lnstab__matrix w, const void *b,
                       double keep, void *c) {
    const struct lnstab__kernels *k = run->kernels;
    k->gemm(0, 0, p->rows, f->head_dim, p->seen, 1.0, w.data, w.ld, lnstab__at_const(k, b, p->kv),
            kv_width(f), keep, lnstab__at(k, c, p->q), q_width(f));
}

void lnstab__panel_gather(const struct lnstab__attention *f, const struct lnstab__run *run,
                          const struct lnstab__panel *p, struct lnstab__matrix w, const void *b,
                          void *c) {
    const struct lnstab__kernels *k = run->kernels;
    k->gemm(1, 0, p->seen, f->head_dim, p->rows, 1.0, w.data, w.ld, lnstab__at_const(k, b, p->q),
            q_width(f), p->starts_group ? 0.0 : 1.0, lnstab__at(k, c, p->kv), kv_width(f));
}
