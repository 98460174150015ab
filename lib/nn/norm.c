#include "nn/norm.h"

#include "nn/split.h"

static struct lnstab__norm_map map_of(const struct lnstab__norm_op *n) {
    return (struct lnstab__norm_map){.kind = n->kind,
                                     .width = n->width,
                                     .eps = n->eps,
                                     .scale = n->scale,
                                     .gamma = n->gamma.data,
                                     .bias = n->bias.data};
}

int lnstab__norm_is_identity(const struct lnstab__norm_op *n) {
    return n->kind == LNSTAB__NORM_NONE && n->scale == 1.0;
}

/* One pass over rows: t is dy or v, NULL in the forward. */
struct pass {
    const struct lnstab__run *run;
    struct lnstab__norm_map map;
    const void *x, *t;
    void *out;
    size_t rows;
    int wants_sums; /* over the rows, for gamma's gradient and bias's */
};

static struct pass pass_of(const struct lnstab__norm_op *n, const struct lnstab__run *run,
                           const void *x, const void *t, void *out) {
    return (struct pass){
        .run = run, .map = map_of(n), .x = x, .t = t, .out = out, .rows = run->rows * n->pieces};
}

static const void *row_of(const struct pass *p, const void *array, size_t row) {
    return lnstab__at_const(p->run->kernels, array, row * p->map.width);
}

static void forward_rows(const void *argument, struct lnstab__span span) {
    const struct pass *p = argument;
    const ptrdiff_t ld = (ptrdiff_t)p->map.width;
    p->run->kernels->norm_forward(&p->map, span.last - span.first, row_of(p, p->x, span.first), ld,
                                  lnstab__at(p->run->kernels, p->out, span.first * p->map.width),
                                  ld);
}

const void *lnstab__norm_op_forward(const struct lnstab__norm_op *n, const struct lnstab__run *run,
                                    const void *x, void *out) {
    if (lnstab__norm_is_identity(n)) {
        return x;
    }
    const struct pass p = pass_of(n, run, x, NULL, out);
    lnstab__split(run, p.rows, n->width, forward_rows, &p);
    return out;
}

static void backward_rows(const void *argument, struct lnstab__span span) {
    const struct pass *p = argument;
    const ptrdiff_t ld = (ptrdiff_t)p->map.width;
    p->run->kernels->norm_backward(&p->map, span.last - span.first, row_of(p, p->x, span.first), ld,
                                   row_of(p, p->t, span.first), ld,
                                   lnstab__at(p->run->kernels, p->out, span.first * p->map.width),
                                   ld, p->wants_sums ? lnstab__part_room(p->run, span.part) : NULL);
}

const void *lnstab__norm_op_backward(const struct lnstab__norm_op *n, const struct lnstab__run *run,
                                     const void *x, const void *dy, void *out) {
    if (lnstab__norm_is_identity(n)) {
        return dy;
    }
    void *dgamma = run->record ? n->gamma.grad : NULL, *dbias = run->record ? n->bias.grad : NULL;
    struct pass p = pass_of(n, run, x, dy, out);
    p.wants_sums = dgamma || dbias;
    const size_t parts = lnstab__split(run, p.rows, n->width, backward_rows, &p);
    if (dgamma) {
        lnstab__add_rooms(run, parts, 0, n->width, dgamma);
    }
    if (dbias) {
        lnstab__add_rooms(run, parts, n->width, n->width, dbias);
    }
    return out;
}

static void jvp_rows(const void *argument, struct lnstab__span span) {
    const struct pass *p = argument;
    const ptrdiff_t ld = (ptrdiff_t)p->map.width;
    p->run->kernels->norm_jvp(&p->map, span.last - span.first, row_of(p, p->x, span.first), ld,
                              row_of(p, p->t, span.first), ld,
                              lnstab__at(p->run->kernels, p->out, span.first * p->map.width), ld);
}

const void *lnstab__norm_op_jvp(const struct lnstab__norm_op *n, const struct lnstab__run *run,
                                const void *x, const void *v, void *out) {
    if (lnstab__norm_is_identity(n)) {
        return v;
    }
    const struct pass p = pass_of(n, run, x, v, out);
    lnstab__split(run, p.rows, n->width, jvp_rows, &p);
    return out;
}
