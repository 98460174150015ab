#include <inttypes.h>
#include <math.h>

#include "math/blas.h"
#include "model/plan.h"
#include "model/row_keys.h"

/* A description is made by the code that lays a model out: a visitor is shown what a model of the
 * specification has, and nothing needs to be built for it. JSON needs no escaping here: every text comes
 * from the library's own tables. */

struct listing {
    struct lnstab__writer *w;
    const struct lnstab__spec *spec;
    size_t written, elements; /* items of the present list, and what they hold */
};

static void begin_item(struct listing *list) {
    lnstab__write(list->w, list->written++ ? ",\n    " : "    ");
}

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
static void write_keys(struct lnstab__writer *w, const struct lnstab__spec *spec) {
    for (int id = 0; id < LNSTAB__KEYS; ++id) {
        const struct lnstab__key *key = lnstab__key_at(id);
        if (!lnstab__is_row_key(id)) {
            const char *quote =
                key->type == LNSTAB__CHOICE || key->type == LNSTAB__RULE ? "\"" : "";
            lnstab__write(w, "  \"%s\": %s", key->name, quote);
            lnstab__value_write(w, key, &spec->values[id]);
            lnstab__write(w, "%s,\n", quote);
        }
    }
}

/* The gains on the weights of sublayer k; the keys stand in the order of the gains. */
static void write_gains(const struct listing *list, int64_t k) {
    const int64_t l = k / 2 + 1;
    const struct lnstab__placement_row row = lnstab__spec_row(list->spec, k);
    const int first = k % 2 ? LNSTAB__GAIN_W1 : LNSTAB__GAIN_QK;
    const int last = k % 2 ? LNSTAB__GAIN_W2 : LNSTAB__GAIN_O;
    for (int gain = first; gain <= last; ++gain) {
        lnstab__write(list->w, ", ");
        write_value(list->w, lnstab__key_at(LNSTAB__KEY_GAIN_QK + gain)->name,
                    lnstab__spec_value(list->spec, row.gain[gain], l), "");
    }
}

static void write_sublayer(void *self, int64_t k, const struct lnstab__sublayer *s) {
    struct listing *list = self;
    begin_item(list);
    lnstab__write(list->w,
                  "{\"name\": \"layer.%" PRId64 ".%s\", \"norm_in\": \"%s\", \"norm_out\": "
                  "\"%s\", \"norm_res\": \"%s\", ",
                  k / 2 + 1, k % 2 ? "ffn" : "attn", norm_name(s->norm_in.kind),
                  norm_name(s->norm_out.kind), norm_name(s->norm_res.kind));
    write_value(list->w, "kappa", s->norm_in.scale, ", ");
    write_value(list->w, "alpha", s->alpha, ", ");
    write_value(list->w, "beta", s->beta, "");
    write_gains(list, k);
    lnstab__write(list->w, "}");
}

static const char *distribution_name(enum lnstab__distribution distribution) {
    static const char *const names[] = {"constant", "normal", "uniform", "truncated normal"};
    return names[distribution];
}

static void write_parameter(void *self, const struct lnstab_tensor *t) {
    struct listing *list = self;
    const int constant = t->init.distribution == LNSTAB__CONSTANT;
    if (t->is_state) {
        return;
    }
    begin_item(list);
    lnstab__write(list->w, "{\"name\": \"%s\", \"shape\": [%" PRId64, t->name, *t->axis[0]);
    for (int32_t axis = 1; axis < t->rank; ++axis) {
        lnstab__write(list->w, ", %" PRId64, *t->axis[axis]);
    }
    lnstab__write(list->w, "], \"init\": \"%s\", ", distribution_name(t->init.distribution));
    write_value(list->w, "mean", constant ? t->init.value : 0.0, ", ");
    write_value(list->w, "std", constant ? 0.0 : fabs(t->init.value), "}");
}

static void count_parameter(void *self, const struct lnstab_tensor *t) {
    struct listing *list = self;
    list->elements += t->is_state ? 0 : lnstab__tensor_count(t);
}

static void ignore_tensor(void *self, const struct lnstab_tensor *t) {
    (void)self;
    (void)t;
}

static void ignore_sublayer(void *self, int64_t k, const struct lnstab__sublayer *s) {
    (void)self;
    (void)k;
    (void)s;
}

void lnstab__spec_describe(const struct lnstab__spec *spec, struct lnstab__writer *w) {
    const size_t bytes = lnstab__model_bytes(spec, NULL);
    struct listing sublayers = {.w = w, .spec = spec}, parameters = {.w = w, .spec = spec};
    const struct lnstab__visitor count = {count_parameter, ignore_sublayer, &parameters};
    const struct lnstab__visitor first = {ignore_tensor, write_sublayer, &sublayers};
    const struct lnstab__visitor second = {write_parameter, ignore_sublayer, &parameters};
    lnstab__write(w, "{\n  \"lnstab\": \"%d.%d.%d\",\n  \"blas\": \"%s\",\n", LNSTAB_VERSION_MAJOR,
                  LNSTAB_VERSION_MINOR, LNSTAB_VERSION_PATCH, lnstab__blas_name());
    lnstab__write(w, "  \"formula\": \"%s\",\n", lnstab__spec_formula(spec));
    write_keys(w, spec);
    if (bytes == SIZE_MAX) {
        lnstab__write(w, "  \"bytes\": null,\n");
    } else {
        lnstab__write(w, "  \"bytes\": %zu,\n", bytes);
    }
    lnstab__model_visit(spec, &count);
    lnstab__write(w, "  \"parameter_count\": %zu,\n  \"sublayers\": [\n", parameters.elements);
    lnstab__model_visit(spec, &first);
    lnstab__write(w, "\n  ],\n  \"parameters\": [\n");
    lnstab__model_visit(spec, &second);
    lnstab__write(w, "\n  ]\n}\n");
}
