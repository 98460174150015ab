#include "nn/norm.h"

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

const void *lnstab__norm_op_forward(const struct lnstab__norm_op *n, const struct lnstab__run *run,
                                    const void *x, void *out) {
    if (lnstab__norm_is_identity(n)) {
        return x;
    }
    const struct lnstab__norm_map map = map_of(n);
    const ptrdiff_t ld = (ptrdiff_t)n->width;
    run->kernels->norm_forward(&map, run->rows * n->pieces, x, ld, out, ld);
    return out;
}

const void *lnstab__norm_op_backward(const struct lnstab__norm_op *n, const struct lnstab__run *run,
                                     const void *x, const void *dy, void *out) {
    if (lnstab__norm_is_identity(n)) {
        return dy;
    }
    const struct lnstab__norm_map map = map_of(n);
    const ptrdiff_t ld = (ptrdiff_t)n->width;
    run->kernels->norm_backward(&map, run->rows * n->pieces, x, ld, dy, ld, out, ld,
                                run->work->columns, run->record ? n->gamma.grad : NULL,
                                run->record ? n->bias.grad : NULL);
    return out;
}

const void *lnstab__norm_op_jvp(const struct lnstab__norm_op *n, const struct lnstab__run *run,
                                const void *x, const void *v, void *out) {
    if (lnstab__norm_is_identity(n)) {
        return v;
    }
    const struct lnstab__norm_map map = map_of(n);
    const ptrdiff_t ld = (ptrdiff_t)n->width;
    run->kernels->norm_jvp(&map, run->rows * n->pieces, x, ld, v, ld, out, ld);
    return out;
}
