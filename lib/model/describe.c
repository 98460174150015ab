#include <inttypes.h>

#include "math/blas.h"
#include "model/model.h"

/* JSON needs no escaping here: every text comes from the library's own tables. */

static const char *norm_name(enum lnstab__norm_kind kind) {
    static const char *const names[] = {"none", "layer", "rms"};
    return names[kind];
}

static void write_value(struct lnstab__writer *w, const char *name, double value,
                        const char *behind) {
    lnstab__write(w, "\"%s\": ", name);
    lnstab__write_number(w, value);
    lnstab__write(w, "%s", behind);
}

/* Every key in force but those that each sublayer tells of itself. */
static void write_keys(struct lnstab__writer *w, const lnstab_model *m) {
    for (int id = 0; id < LNSTAB__KEYS; ++id) {
        const struct lnstab__key *key = lnstab__key_at(id);
        if (!lnstab__spec_is_row_key(id)) {
            const char *quote =
                key->type == LNSTAB__CHOICE || key->type == LNSTAB__RULE ? "\"" : "";
            lnstab__write(w, "  \"%s\": %s", key->name, quote);
            lnstab__value_write(w, key, &m->spec.values[id]);
            lnstab__write(w, "%s,\n", quote);
        }
    }
}

static void write_sublayers(struct lnstab__writer *w, const lnstab_model *m) {
    const int64_t count = 2 * m->spec.layers;
    lnstab__write(w, "  \"sublayers\": [\n");
    for (int64_t k = 0; k < count; ++k) {
        const struct lnstab__sublayer *s = &m->sublayers[k];
        lnstab__write(w,
                      "    {\"name\": \"layer.%" PRId64 ".%s\", \"norm_in\": \"%s\", \"norm_out\": "
                      "\"%s\", \"norm_res\": \"%s\", ",
                      k / 2 + 1, k % 2 ? "ffn" : "attn", norm_name(s->norm_in.kind),
                      norm_name(s->norm_out.kind), norm_name(s->norm_res.kind));
        write_value(w, "kappa", s->norm_in.scale, ", ");
        write_value(w, "alpha", s->alpha, ", ");
        write_value(w, "beta", s->beta, k + 1 < count ? "},\n" : "}\n");
    }
    lnstab__write(w, "  ],\n");
}

static const char *distribution_name(enum lnstab__distribution distribution) {
    static const char *const names[] = {"constant", "normal", "uniform", "truncated normal"};
    return names[distribution];
}

static void write_parameters(struct lnstab__writer *w, const lnstab_model *m) {
    lnstab__write(w, "  \"parameters\": [\n");
    for (int32_t i = 0; i < m->parameter_count; ++i) {
        const struct lnstab_tensor *t = &m->tensors[i];
        const int constant = t->init.distribution == LNSTAB__CONSTANT;
        lnstab__write(w, "    {\"name\": \"%s\", \"shape\": [%" PRId64, t->name, *t->axis[0]);
        for (int32_t axis = 1; axis < t->rank; ++axis) {
            lnstab__write(w, ", %" PRId64, *t->axis[axis]);
        }
        lnstab__write(w, "], \"init\": \"%s\", ", distribution_name(t->init.distribution));
        write_value(w, "mean", constant ? t->init.value : 0.0, ", ");
        write_value(w, "std",
                    constant            ? 0.0
                    : t->init.value < 0 ? -t->init.value
                                        : t->init.value,
                    i + 1 < m->parameter_count ? "},\n" : "}\n");
    }
    lnstab__write(w, "  ]\n}\n");
}

static size_t parameter_elements(const lnstab_model *m) {
    size_t count = 0;
    for (int32_t i = 0; i < m->parameter_count; ++i) {
        count += lnstab__tensor_count(&m->tensors[i]);
    }
    return count;
}

void lnstab__model_describe(const lnstab_model *m, struct lnstab__writer *w) {
    lnstab__write(w, "{\n  \"lnstab\": \"%d.%d.%d\",\n  \"blas\": \"%s\",\n", LNSTAB_VERSION_MAJOR,
                  LNSTAB_VERSION_MINOR, LNSTAB_VERSION_PATCH, lnstab__blas_name());
    lnstab__write(w, "  \"formula\": \"%s\",\n", m->spec.placement->formula);
    write_keys(w, m);
    lnstab__write(w, "  \"bytes\": %zu,\n  \"parameter_count\": %zu,\n", m->bytes,
                  parameter_elements(m));
    write_sublayers(w, m);
    write_parameters(w, m);
}
