#include "analysis/sensitivity.h"

#include <inttypes.h>

#include "analysis/weight_norm.h"
#include "api/stream.h"

static int32_t require_krylov(lnstab_model *m) {
    return m->spec.krylov > 0 ? LNSTAB_OK
                              : lnstab__fail(&m->message, LNSTAB_ERROR_UNAVAILABLE,
                                             "there is no room for Lanczos vectors: set krylov=32");
}

static int32_t find_block(lnstab_model *m, const char *from, const char *to, int64_t first,
                          int64_t rows, struct lnstab__block *out) {
    int at[2];
    int32_t status = lnstab__find_positions(m, from, to, at);
    if (status != LNSTAB_OK) {
        return status;
    }
    const int64_t all = m->extents.batch * m->extents.tokens;
    if (rows < 1 || rows > all) {
        return lnstab__fail(&m->message, LNSTAB_ERROR_ARGUMENT,
                            "rows %" PRId64 " is outside 1..%" PRId64 " of the last forward", rows,
                            all);
    }
    if (first < 0 || first > all - rows) {
        return lnstab__fail(&m->message, LNSTAB_ERROR_ARGUMENT,
                            "first %" PRId64 " is outside 0..%" PRId64 ", %" PRId64
                            " rows of %" PRId64,
                            first, all - rows, rows, all);
    }
    *out = (struct lnstab__block){m, at[0], at[1], (size_t)first, (size_t)rows};
    return LNSTAB_OK;
}

static int32_t check_count(lnstab_model *m, int32_t k, int64_t rows) {
    if (k < 1 || k > m->spec.krylov / 2) {
        return lnstab__fail(&m->message, LNSTAB_ERROR_ARGUMENT,
                            "k %" PRId32 " is outside 1..%" PRId64 ", half of krylov %" PRId64, k,
                            m->spec.krylov / 2, m->spec.krylov);
    }
    return k <= rows * m->spec.width ? LNSTAB_OK
                                     : lnstab__fail(&m->message, LNSTAB_ERROR_ARGUMENT,
                                                    "k %" PRId32 " is outside 1..%" PRId64
                                                    ", rows %" PRId64 " x width %" PRId64,
                                                    k, rows * m->spec.width, rows, m->spec.width);
}

int32_t lnstab_model_singular_values(lnstab_model *m, const char *from, const char *to,
                                     int64_t first, int64_t rows, int32_t k, double *sigma,
                                     double *residual, int32_t *iterations, int32_t *converged) {
    struct lnstab__block block;
    REQUIRE(m, from);
    REQUIRE(m, to);
    REQUIRE(m, sigma);
    REQUIRE(m, residual);
    int32_t status = require_krylov(m);
    status = status ? status : find_block(m, from, to, first, rows, &block);
    status = status ? status : check_count(m, k, rows);
    if (status != LNSTAB_OK) {
        return status;
    }
    const struct lnstab__lanczos_result got =
        lnstab__block_singular_values(block, (size_t)k, sigma, residual);
    STORE(iterations, got.iterations);
    STORE(converged, got.converged);
    return lnstab__succeed(&m->message);
}

int32_t lnstab_model_jacobian_frobenius(lnstab_model *m, const char *from, const char *to,
                                        int64_t first, int64_t rows, int32_t probes, uint64_t seed,
                                        double *value, double *standard_error) {
    struct lnstab__block block;
    REQUIRE(m, from);
    REQUIRE(m, to);
    REQUIRE(m, value);
    REQUIRE(m, standard_error);
    int32_t status = find_block(m, from, to, first, rows, &block);
    if (status == LNSTAB_OK && probes < 2) {
        status = lnstab__fail(&m->message, LNSTAB_ERROR_ARGUMENT,
                              "probes %" PRId32 " is less than 2, which an error needs", probes);
    }
    if (status != LNSTAB_OK) {
        return status;
    }
    const struct lnstab__estimate got = lnstab__block_frobenius(block, (uint32_t)probes, seed);
    *value = got.value;
    *standard_error = got.standard_error;
    return lnstab__succeed(&m->message);
}

int32_t lnstab_model_spectral_norm(lnstab_model *m, const char *parameter, double *lower,
                                   double *upper) {
    REQUIRE(m, parameter);
    REQUIRE(m, lower);
    REQUIRE(m, upper);
    const int32_t status = require_krylov(m);
    const lnstab_tensor *t = status == LNSTAB_OK ? lnstab__model_lookup(m, parameter) : NULL;
    if (!t) {
        return status == LNSTAB_OK ? LNSTAB_ERROR_NAME : status;
    }
    if (t->is_state || t->rank != 2) {
        return lnstab__fail(&m->message, LNSTAB_ERROR_ARGUMENT, "%s is no matrix of weights",
                            t->name);
    }
    const struct lnstab__norm_bounds of = lnstab__weight_norm(m, lnstab__weight_of(t));
    *lower = of.lower;
    *upper = of.upper;
    return lnstab__succeed(&m->message);
}
