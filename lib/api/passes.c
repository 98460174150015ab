#include <inttypes.h>
#include <string.h>

#include "api/stream.h"

static int32_t check_sizes(lnstab_model *m, int64_t B, int64_t T) {
    if (B < 1 || B > m->spec.max_batch) {
        return lnstab__fail(&m->message, LNSTAB_ERROR_ARGUMENT,
                            "batch %" PRId64 " is outside 1..max_batch %" PRId64, B,
                            m->spec.max_batch);
    }
    if (T < 1 || T > m->spec.max_tokens) {
        return lnstab__fail(&m->message, LNSTAB_ERROR_ARGUMENT,
                            "tokens %" PRId64 " is outside 1..max_tokens %" PRId64, T,
                            m->spec.max_tokens);
    }
    return LNSTAB_OK;
}

static int32_t check_keep(lnstab_model *m, const uint8_t *keep, size_t count) {
    for (size_t i = 0; keep && i < count; ++i) {
        if (keep[i] > 1) {
            return lnstab__fail(&m->message, LNSTAB_ERROR_ARGUMENT,
                                "keep %d at place %zu is neither 0 nor 1", keep[i], i);
        }
    }
    return LNSTAB_OK;
}

static int32_t check_batch(lnstab_model *m, int64_t B, int64_t T, const uint8_t *keep) {
    int32_t status = check_sizes(m, B, T);
    return status == LNSTAB_OK ? check_keep(m, keep, (size_t)(B * T)) : status;
}

/* Every id in 0..vocab-1, or equal to spared; what: "token" or "target". */
static int32_t check_ids(lnstab_model *m, const char *what, const int32_t *ids, size_t count,
                         int64_t spared) {
    for (size_t i = 0; i < count; ++i) {
        if ((ids[i] < 0 || ids[i] >= m->spec.vocab) && ids[i] != spared) {
            return lnstab__fail(&m->message, LNSTAB_ERROR_ARGUMENT,
                                "%s %" PRId32 " at place %zu is outside 0..%" PRId64, what, ids[i],
                                i, m->spec.vocab - 1);
        }
    }
    return LNSTAB_OK;
}

static size_t row_count(const lnstab_model *m) {
    return (size_t)(m->extents.batch * m->extents.tokens);
}

/* Runs the batch whose state at position start, or whose input, is in its place. */
static int32_t run_forward(lnstab_model *m, int start, int64_t B, int64_t T, const uint8_t *keep) {
    m->batch.start = start;
    m->extents.batch = B;
    m->extents.tokens = T;
    m->batch.has_keep = keep != NULL;
    if (keep) {
        memcpy(m->batch.keep, keep, row_count(m));
    }
    m->batch.has_loss = 0;
    m->batch.backward = LNSTAB__BACKWARD_NONE;
    m->batch.has_forward = 1;
    if (m->krylov.known) {
        m->krylov.known->count = 0;
    }
    lnstab__model_forward(m);
    return lnstab__succeed(&m->message);
}

int32_t lnstab_model_forward(lnstab_model *m, int64_t B, int64_t T, const int32_t *tokens,
                             const uint8_t *keep) {
    REQUIRE(m, tokens);
    if (m->spec.embedded) {
        return lnstab__fail(&m->message, LNSTAB_ERROR_UNAVAILABLE,
                            "the model has no token table: set input=tokens");
    }
    int32_t status = check_batch(m, B, T, keep);
    const int64_t spared = 0; /* a token like any other: none is exempt */
    status = status == LNSTAB_OK ? check_ids(m, "token", tokens, (size_t)(B * T), spared) : status;
    if (status != LNSTAB_OK) {
        return status;
    }
    memcpy(m->batch.tokens, tokens, (size_t)(B * T) * sizeof *tokens);
    return run_forward(m, LNSTAB__INPUT, B, T, keep);
}

int32_t lnstab_model_forward_embedded(lnstab_model *m, int64_t B, int64_t T, const void *x,
                                      const uint8_t *keep) {
    REQUIRE(m, x);
    if (!m->spec.embedded) {
        return lnstab__fail(&m->message, LNSTAB_ERROR_UNAVAILABLE,
                            "the model embeds tokens itself: set input=embedded");
    }
    int32_t status = check_batch(m, B, T, keep);
    if (status != LNSTAB_OK) {
        return status;
    }
    memcpy(m->embed_in.data, x, (size_t)(B * T * m->spec.width) * m->kernels->size);
    return run_forward(m, LNSTAB__INPUT, B, T, keep);
}

int32_t lnstab_model_forward_from(lnstab_model *m, const char *from, int64_t B, int64_t T,
                                  const void *x, const uint8_t *keep) {
    int start;
    REQUIRE(m, from);
    REQUIRE(m, x);
    int32_t status = lnstab__find_position(m, from, &start);
    status = status == LNSTAB_OK ? check_batch(m, B, T, keep) : status;
    if (status != LNSTAB_OK) {
        return status;
    }
    memmove(lnstab__model_stream(m, start), x, (size_t)(B * T * m->spec.width) * m->kernels->size);
    return run_forward(m, start, B, T, keep);
}

int32_t lnstab_model_loss(lnstab_model *m, const int32_t *targets, double *mean, int64_t *counted) {
    REQUIRE(m, targets);
    REQUIRE(m, mean);
    if (m->spec.head == LNSTAB__HEAD_NONE) {
        return lnstab__fail(&m->message, LNSTAB_ERROR_UNAVAILABLE,
                            "the model has no head: set head=separate");
    }
    int32_t status = lnstab__require_forward(m);
    status = status == LNSTAB_OK
                 ? check_ids(m, "target", targets, row_count(m), m->spec.ignore_index)
                 : status;
    if (status != LNSTAB_OK) {
        return status;
    }
    memcpy(m->batch.targets, targets, row_count(m) * sizeof *targets);
    *mean = lnstab__model_loss(m);
    m->batch.has_loss = 1;
    STORE(counted, m->batch.counted);
    return lnstab__succeed(&m->message);
}

int32_t lnstab_model_backward(lnstab_model *m, const void *dout) {
    REQUIRE_HANDLE(m);
    if (!m->spec.gradients) {
        return lnstab__fail(&m->message, LNSTAB_ERROR_UNAVAILABLE,
                            "there is no room for gradients: set gradients=1");
    }
    int32_t status = lnstab__require_forward(m);
    if (status == LNSTAB_OK && !dout && !m->batch.has_loss) {
        status = lnstab__fail(&m->message, LNSTAB_ERROR_SEQUENCE,
                              "there has been no loss since the last forward, and dout is NULL");
    }
    if (status == LNSTAB_OK) {
        status = lnstab__require_reached(m, lnstab__model_backward_end(m),
                                         "where backward ends: set gradients_from");
    }
    if (status != LNSTAB_OK) {
        return status;
    }
    lnstab__model_backward(m, dout);
    m->batch.backward = dout ? LNSTAB__BACKWARD_GIVEN : LNSTAB__BACKWARD_LOSS;
    return lnstab__succeed(&m->message);
}

int32_t lnstab_model_jvp(lnstab_model *m, const char *from, const char *to, const void *v,
                         void *jv) {
    int at[2];
    REQUIRE(m, from);
    REQUIRE(m, to);
    REQUIRE(m, v);
    REQUIRE(m, jv);
    int32_t status = lnstab__find_positions(m, from, to, at);
    if (status != LNSTAB_OK) {
        return status;
    }
    lnstab__model_jvp(m, at[0], at[1], v, jv);
    return lnstab__succeed(&m->message);
}

int32_t lnstab_model_vjp(lnstab_model *m, const char *from, const char *to, const void *u,
                         void *uj) {
    int at[2];
    REQUIRE(m, from);
    REQUIRE(m, to);
    REQUIRE(m, u);
    REQUIRE(m, uj);
    int32_t status = lnstab__find_positions(m, from, to, at);
    if (status != LNSTAB_OK) {
        return status;
    }
    lnstab__model_vjp(m, at[0], at[1], u, uj);
    return lnstab__succeed(&m->message);
}
