#include "analysis/norm_rows.h"
#include "api/handle.h"

int32_t lnstab_norm_create(lnstab_config *c, lnstab_norm **out) {
    REQUIRE(c, out);
    const struct lnstab__norm_spec spec = lnstab__norm_spec_of(c);
    size_t bytes = lnstab__norm_bytes(&spec);
    void *block = lnstab__memory_take(&c->allocator, bytes);
    if (!block) {
        return lnstab__fail(&c->message, LNSTAB_ERROR_MEMORY, "the allocator gave no %zu bytes",
                            bytes);
    }
    lnstab_norm *n = lnstab__norm_lay_out(&spec, block);
    n->allocator = c->allocator;
    *out = n;
    return lnstab__succeed(&c->message);
}

void lnstab_norm_destroy(lnstab_norm *n) {
    if (n) {
        lnstab__memory_give(n->allocator, n);
    }
}

const char *lnstab_norm_message(const lnstab_norm *n) {
    return n ? n->message.text : "no norm";
}

int32_t lnstab_norm_set_affine(lnstab_norm *n, const void *gamma, const void *bias) {
    REQUIRE_HANDLE(n);
    if (bias && n->map.kind == LNSTAB__NORM_RMS) {
        return lnstab__fail(&n->message, LNSTAB_ERROR_ARGUMENT, "norm=rms has no bias");
    }
    lnstab__norm_affine(n, gamma, bias);
    return lnstab__succeed(&n->message);
}

/* An array of rows that the caller steps through by ld elements. Rows that are written must not run
 * into each other. */
static int32_t check_rows(lnstab_norm *n, const char *what, size_t rows, const void *x,
                          ptrdiff_t ld, int is_written) {
    if (rows > 0 && !x) {
        return lnstab__fail(&n->message, LNSTAB_ERROR_ARGUMENT, "%s is NULL", what);
    }
    ptrdiff_t width = (ptrdiff_t)n->map.width;
    if (is_written && rows > 1 && ld > -width && ld < width) {
        return lnstab__fail(&n->message, LNSTAB_ERROR_ARGUMENT,
                            "ld%s %td would make rows of width %td overlap", what, ld, width);
    }
    return LNSTAB_OK;
}

int32_t lnstab_norm_forward(lnstab_norm *n, size_t rows, const void *x, ptrdiff_t ldx, void *y,
                            ptrdiff_t ldy) {
    REQUIRE_HANDLE(n);
    int32_t status = check_rows(n, "x", rows, x, ldx, 0);
    status = status == LNSTAB_OK ? check_rows(n, "y", rows, y, ldy, 1) : status;
    if (status != LNSTAB_OK) {
        return status;
    }
    n->kernels->norm_forward(&n->map, rows, x, ldx, y, ldy);
    return lnstab__succeed(&n->message);
}

static void add_sums(const lnstab_norm *n, const double *sums, void *gradient) {
    if (gradient) {
        n->kernels->affine->add_doubles(n->map.width, sums, gradient);
    }
}

int32_t lnstab_norm_backward(lnstab_norm *n, size_t rows, const void *x, ptrdiff_t ldx,
                             const void *dy, ptrdiff_t lddy, void *dx, ptrdiff_t lddx, void *dgamma,
                             void *dbias) {
    REQUIRE_HANDLE(n);
    if (dbias && n->map.kind == LNSTAB__NORM_RMS) {
        return lnstab__fail(&n->message, LNSTAB_ERROR_ARGUMENT, "norm=rms has no bias");
    }
    int32_t status = check_rows(n, "x", rows, x, ldx, 0);
    status = status == LNSTAB_OK ? check_rows(n, "dy", rows, dy, lddy, 0) : status;
    status = status == LNSTAB_OK && dx ? check_rows(n, "dx", rows, dx, lddx, 1) : status;
    if (status != LNSTAB_OK) {
        return status;
    }
    n->kernels->norm_backward(&n->map, rows, x, ldx, dy, lddy, dx, lddx,
                              dgamma || dbias ? n->room : NULL);
    add_sums(n, n->room, dgamma);
    add_sums(n, n->room + n->map.width, dbias);
    return lnstab__succeed(&n->message);
}

int32_t lnstab_norm_jvp(lnstab_norm *n, size_t rows, const void *x, ptrdiff_t ldx, const void *v,
                        ptrdiff_t ldv, void *jv, ptrdiff_t ldjv) {
    REQUIRE_HANDLE(n);
    int32_t status = check_rows(n, "x", rows, x, ldx, 0);
    status = status == LNSTAB_OK ? check_rows(n, "v", rows, v, ldv, 0) : status;
    status = status == LNSTAB_OK ? check_rows(n, "jv", rows, jv, ldjv, 1) : status;
    if (status != LNSTAB_OK) {
        return status;
    }
    n->kernels->norm_jvp(&n->map, rows, x, ldx, v, ldv, jv, ldjv);
    return lnstab__succeed(&n->message);
}

static const void *row_at(const lnstab_norm *n, const void *x, ptrdiff_t ldx, size_t i) {
    return (const unsigned char *)x + (ptrdiff_t)i * ldx * (ptrdiff_t)n->kernels->size;
}

int32_t lnstab_norm_jacobian(lnstab_norm *n, size_t rows, const void *x, ptrdiff_t ldx,
                             double *rstd, double *spectral, double *frobenius, double *smallest) {
    REQUIRE_HANDLE(n);
    int32_t status = check_rows(n, "x", rows, x, ldx, 0);
    if (status != LNSTAB_OK) {
        return status;
    }
    const int wanted =
        (spectral ? LNSTAB__WANT_SPECTRAL : 0) | (smallest ? LNSTAB__WANT_SMALLEST : 0);
    for (size_t i = 0; i < rows; ++i) {
        const struct lnstab__jacobian_norms norms =
            lnstab__norm_row_jacobian(n, row_at(n, x, ldx, i), wanted);
        if (rstd) {
            rstd[i] = norms.rstd;
        }
        if (spectral) {
            spectral[i] = norms.spectral;
        }
        if (frobenius) {
            frobenius[i] = norms.frobenius;
        }
        if (smallest) {
            smallest[i] = norms.smallest;
        }
    }
    return lnstab__succeed(&n->message);
}

int32_t lnstab_norm_jacobian_dense(lnstab_norm *n, const void *x, double *J) {
    REQUIRE(n, x);
    REQUIRE(n, J);
    lnstab__norm_row_dense(n, x, J);
    return lnstab__succeed(&n->message);
}

int32_t lnstab_norm_nonfinite(lnstab_norm *n, size_t rows, const void *x, ptrdiff_t ldx,
                              size_t *count, size_t *places, size_t capacity) {
    REQUIRE_HANDLE(n);
    int32_t status = check_rows(n, "x", rows, x, ldx, 0);
    if (status != LNSTAB_OK) {
        return status;
    }
    if (!places && capacity > 0) {
        return lnstab__fail(&n->message, LNSTAB_ERROR_ARGUMENT, "places is NULL, capacity %zu",
                            capacity);
    }
    size_t found = 0;
    for (size_t i = 0; i < rows; ++i) {
        if (!lnstab__norm_row_is_finite(n, row_at(n, x, ldx, i))) {
            if (found < capacity) {
                places[found] = i;
            }
            found++;
        }
    }
    STORE(count, found);
    return lnstab__succeed(&n->message);
}
