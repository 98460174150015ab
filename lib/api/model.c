#include "model/model.h"

#include <inttypes.h>
#include <string.h>

#include "analysis/health.h"
#include "api/handle.h"
#include "nn/split.h"

static int32_t resolve_size(lnstab_config *c, const lnstab_model *lender, struct lnstab__spec *spec,
                            size_t *bytes) {
    int32_t status = lnstab__spec_resolve(c, spec);
    if (status != LNSTAB_OK) {
        return status;
    }
    *bytes = lnstab__model_bytes(spec, lender);
    return *bytes == SIZE_MAX ? lnstab__fail(&c->message, LNSTAB_ERROR_MEMORY,
                                             "the model needs more than %zu bytes", SIZE_MAX)
                              : lnstab__succeed(&c->message);
}

int32_t lnstab_model_size(lnstab_config *c, size_t *bytes) {
    struct lnstab__spec spec;
    size_t needed;
    REQUIRE(c, bytes);
    int32_t status = resolve_size(c, NULL, &spec, &needed);
    if (status == LNSTAB_OK) {
        *bytes = needed;
    }
    return status;
}

static int32_t create(lnstab_config *c, const lnstab_model *lender, lnstab_model **out) {
    struct lnstab__spec spec;
    size_t bytes;
    int32_t status = resolve_size(c, lender, &spec, &bytes);
    if (status != LNSTAB_OK) {
        return status;
    }
    void *block = lnstab__memory_take(&c->allocator, bytes);
    if (!block) {
        return lnstab__fail(&c->message, LNSTAB_ERROR_MEMORY, "the allocator gave no %zu bytes",
                            bytes);
    }
    lnstab_model *m = lnstab__model_lay_out(&spec, lender, block);
    status = lnstab__workers_start(m->workers, lnstab__pace_of(spec.split_products).patience,
                                   &c->message);
    if (status != LNSTAB_OK) {
        lnstab__memory_give(c->allocator, block);
        return status;
    }
    m->allocator = c->allocator;
    lnstab__model_reset(m);
    *out = m;
    return LNSTAB_OK;
}

int32_t lnstab_model_create(lnstab_config *c, lnstab_model **out) {
    REQUIRE(c, out);
    return create(c, NULL, out);
}

int32_t lnstab_model_create_sharing(lnstab_config *c, lnstab_model *lender, lnstab_model **out) {
    REQUIRE(c, lender);
    REQUIRE(c, out);
    return create(c, lender, out);
}

void lnstab_model_destroy(lnstab_model *m) {
    if (m) {
        lnstab__workers_stop(m->workers);
        lnstab__memory_give(m->allocator, m);
    }
}

const char *lnstab_model_message(const lnstab_model *m) {
    return m ? m->message.text : "no model";
}

/* Writes a description for either handle, with that handle's message. */
static int32_t describe(struct lnstab__message *message, const struct lnstab__spec *spec,
                        char *json, size_t capacity, size_t *needed) {
    struct lnstab__writer w = {json, capacity, 0};
    if (!json && capacity > 0) {
        return lnstab__fail(message, LNSTAB_ERROR_ARGUMENT, "json is NULL, capacity %zu", capacity);
    }
    lnstab__spec_describe(spec, &w);
    return lnstab__writer_end(&w, needed, message);
}

int32_t lnstab_config_describe(lnstab_config *c, char *json, size_t capacity, size_t *needed) {
    struct lnstab__spec spec;
    REQUIRE_HANDLE(c);
    int32_t status = lnstab__spec_resolve(c, &spec);
    return status == LNSTAB_OK ? describe(&c->message, &spec, json, capacity, needed) : status;
}

int32_t lnstab_model_describe(lnstab_model *m, char *json, size_t capacity, size_t *needed) {
    REQUIRE_HANDLE(m);
    return describe(&m->message, &m->spec, json, capacity, needed);
}

int32_t lnstab_model_init(lnstab_model *m, uint64_t seed) {
    REQUIRE_HANDLE(m);
    lnstab__model_init(m, seed);
    return lnstab__succeed(&m->message);
}

int32_t lnstab_model_zero_grads(lnstab_model *m) {
    REQUIRE_HANDLE(m);
    for (int32_t i = 0; i < m->parameter_count; ++i) {
        const struct lnstab_tensor *t = &m->tensors[i];
        if (t->held.grad) {
            memset(t->held.grad, 0, lnstab__tensor_count(t) * m->kernels->size);
        }
    }
    return lnstab__succeed(&m->message);
}

int32_t lnstab_model_health(lnstab_model *m, const char *what, double *norm, double *sum_of_squares,
                            int64_t *nonfinite, int64_t *subnormal, const char **first_bad) {
    REQUIRE(m, what);
    int set = lnstab__tensor_set_find(what);
    if (set < 0) {
        return lnstab__fail(&m->message, LNSTAB_ERROR_NAME,
                            "'%.60s' is not one of: parameters gradients states", what);
    }
    if (set == LNSTAB__GRADIENTS && !m->spec.gradients) {
        return lnstab__fail(&m->message, LNSTAB_ERROR_UNAVAILABLE,
                            "there are no gradients: set gradients=1");
    }
    const struct lnstab__report report = lnstab__health_report(m, (enum lnstab__tensor_set)set);
    STORE(norm, report.norm);
    STORE(sum_of_squares, report.sum_of_squares);
    STORE(nonfinite, report.nonfinite);
    STORE(subnormal, report.subnormal);
    STORE(first_bad, report.first_bad);
    return lnstab__succeed(&m->message);
}
