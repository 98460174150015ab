#include "model/tensor.h"

#include <inttypes.h>

#include "api/handle.h"
#include "model/model.h"

int32_t lnstab_model_tensor_count(lnstab_model *m) {
    if (!m) {
        return 0;
    }
    lnstab__succeed(&m->message);
    return m->tensor_count;
}

const lnstab_tensor *lnstab_model_tensor_at(lnstab_model *m, int32_t i) {
    if (!m) {
        return NULL;
    }
    if (i < 0 || i >= m->tensor_count) {
        lnstab__fail(&m->message, LNSTAB_ERROR_ARGUMENT,
                     "tensor %" PRId32 " is outside 0..%" PRId32, i, m->tensor_count - 1);
        return NULL;
    }
    lnstab__succeed(&m->message);
    return &m->tensors[i];
}

const lnstab_tensor *lnstab_model_tensor(lnstab_model *m, const char *name) {
    if (m && !name) {
        lnstab__fail(&m->message, LNSTAB_ERROR_ARGUMENT, "name is NULL");
    }
    return m && name ? lnstab__model_find(m, name) : NULL;
}

const char *lnstab_tensor_name(const lnstab_tensor *t) {
    return t ? t->name : NULL;
}

const char *lnstab_tensor_role(const lnstab_tensor *t) {
    return !t ? NULL : t->is_state ? "state" : "parameter";
}

void *lnstab_tensor_data(const lnstab_tensor *t) {
    return t ? t->held.data : NULL;
}

void *lnstab_tensor_grad(const lnstab_tensor *t) {
    return t ? t->held.grad : NULL;
}

int32_t lnstab_tensor_dtype(const lnstab_tensor *t) {
    return t ? t->dtype : 0;
}

int32_t lnstab_tensor_rank(const lnstab_tensor *t) {
    return t ? t->rank : 0;
}

int64_t lnstab_tensor_size(const lnstab_tensor *t, int32_t axis) {
    return t && axis >= 0 && axis < t->rank ? *t->axis[axis] : 0;
}

static void convert(const struct lnstab__kernels *from, const void *x,
                    const struct lnstab__kernels *to, void *y, size_t n) {
    enum { CHUNK = 256 };
    double room[CHUNK];
    for (size_t first = 0; first < n; first += CHUNK) {
        size_t count = n - first < CHUNK ? n - first : CHUNK;
        from->to_double(count, lnstab__at_const(from, x, first), room);
        to->from_double(count, room, lnstab__at(to, y, first));
    }
}

int32_t lnstab_model_set_tensor(lnstab_model *m, const char *name, const void *values,
                                int32_t dtype, size_t count) {
    REQUIRE(m, name);
    REQUIRE(m, values);
    const struct lnstab__kernels *from = lnstab__kernels_find(dtype);
    const lnstab_tensor *t = lnstab__model_lookup(m, name);
    if (!t) {
        return LNSTAB_ERROR_NAME;
    }
    if (t->is_state) {
        return lnstab__fail(&m->message, LNSTAB_ERROR_ARGUMENT, "%s is a state, not a parameter",
                            t->name);
    }
    if (!from) {
        return lnstab__fail(
            &m->message, LNSTAB_ERROR_ARGUMENT,
            "dtype %" PRId32 " is none of LNSTAB_FLOAT32, _FLOAT64, _BFLOAT16, _FLOAT16", dtype);
    }
    if (count != lnstab__tensor_count(t)) {
        return lnstab__fail(&m->message, LNSTAB_ERROR_ARGUMENT, "%s has %zu elements, not %zu",
                            t->name, lnstab__tensor_count(t), count);
    }
    convert(from, values, m->kernels, t->held.data, count);
    m->batch.has_forward = m->batch.has_loss = 0;
    m->batch.backward = LNSTAB__BACKWARD_NONE;
    return lnstab__succeed(&m->message);
}
