#include "model/plan.h"

#include <stdio.h>
#include <string.h>

struct lnstab__axes lnstab__axes_1(const int64_t *a) {
    return (struct lnstab__axes){1, {a}};
}

struct lnstab__axes lnstab__axes_2(const int64_t *a, const int64_t *b) {
    return (struct lnstab__axes){2, {a, b}};
}

struct lnstab__axes lnstab__axes_rows(const struct lnstab__plan *p, const int64_t *columns) {
    return (struct lnstab__axes){3, {&p->m->extents.batch, &p->m->extents.tokens, columns}};
}

struct lnstab__axes lnstab__axes_square(const struct lnstab__plan *p) {
    const struct lnstab__extents *e = &p->m->extents;
    return (struct lnstab__axes){4, {&e->batch, &e->heads, &e->tokens, &e->tokens}};
}

static void *take(struct lnstab__plan *p, struct lnstab__arena *from, struct lnstab__axes axes) {
    size_t count = 1;
    for (int32_t i = 0; i < axes.rank; ++i) {
        count = lnstab__size_product(count, (size_t)*axes.length[i]);
    }
    return lnstab__arena_take(from, count, p->m->kernels->size);
}

void *lnstab__plan_array(struct lnstab__plan *p, struct lnstab__axes axes) {
    return take(p, &p->arena, axes);
}

void *lnstab__plan_gradient(struct lnstab__plan *p, int is_wanted, struct lnstab__axes axes) {
    int is_w_2;
    const int64_t first = lnstab__spec_first_gradient(&p->m->spec, &is_w_2);
    const int is_reached = p->layer > first || (p->layer == first && !(is_w_2 && p->is_before_w_2));
    return is_wanted && is_reached ? lnstab__plan_array(p, axes) : NULL;
}

static void enter(struct lnstab__plan *p, const char *name, struct lnstab__axes axes,
                  struct lnstab_tensor entry) {
    const int32_t place = entry.is_state ? p->next_state++ : p->next_parameter++;
    snprintf(entry.name, sizeof entry.name, "%s%s", p->prefix, name);
    entry.dtype = p->m->kernels->dtype;
    entry.rank = axes.rank;
    memcpy(entry.axis, axes.length, sizeof entry.axis);
    if (p->m->tensors) {
        p->m->tensors[place] = entry;
    }
    if (p->visitor) {
        p->visitor->tensor(p->visitor->self, &entry);
    }
}

static int is_alike(const struct lnstab__plan *p, const struct lnstab_tensor *t,
                    struct lnstab__axes axes) {
    int alike = t->dtype == p->m->kernels->dtype && t->rank == axes.rank;
    for (int32_t i = 0; alike && i < axes.rank; ++i) {
        alike = *t->axis[i] == *axes.length[i];
    }
    return alike;
}

/* The lender's parameter of this name, if it is alike. Tables of two models are much in the same order. */
static void *find_lent(struct lnstab__plan *p, const char *name, struct lnstab__axes axes) {
    const int32_t count = p->lender ? p->lender->parameter_count : 0;
    char full[sizeof p->lender->tensors->name];
    snprintf(full, sizeof full, "%s%s", p->prefix, name);
    for (int32_t i = 0; i < count; ++i) {
        const int32_t place = (p->next_lent + i) % count;
        const struct lnstab_tensor *t = &p->lender->tensors[place];
        if (strcmp(t->name, full) == 0) {
            p->next_lent = place + 1;
            return is_alike(p, t, axes) ? t->held.data : NULL;
        }
    }
    return NULL;
}

static int has_gradient(const struct lnstab__spec *spec, const char *name) {
    return spec->gradients &&
           (spec->gradients_of == LNSTAB__GRADIENTS_OF_ALL || strcmp(name, "w_2") == 0);
}

struct lnstab__state lnstab__plan_parameter(struct lnstab__plan *p, const char *name,
                                            struct lnstab__axes axes, struct lnstab__init init) {
    void *lent = find_lent(p, name, axes);
    struct lnstab__state held = {.data = lent ? lent : lnstab__plan_array(p, axes)};
    held.grad = lnstab__plan_gradient(p, has_gradient(&p->m->spec, name), axes);
    enter(p, name, axes,
          (struct lnstab_tensor){.held = held, .init = init, .is_lent = lent != NULL});
    return held;
}

enum lnstab__life lnstab__plan_life(const struct lnstab__plan *p, enum lnstab__recompute from) {
    return p->m->spec.recompute >= from ? LNSTAB__BRIEF : LNSTAB__LASTING;
}

void lnstab__plan_enter_state(struct lnstab__plan *p, const char *name, struct lnstab__axes axes,
                              struct lnstab__state held, enum lnstab__life life) {
    const struct lnstab__state none = {NULL, NULL};
    enter(p, name, axes,
          (struct lnstab_tensor){.held = life == LNSTAB__BRIEF ? none : held, .is_state = 1});
}

struct lnstab__state lnstab__plan_take_state(struct lnstab__plan *p, struct lnstab__axes axes,
                                             enum lnstab__life life) {
    if (life == LNSTAB__BRIEF) {
        return (struct lnstab__state){.data = take(p, &p->brief, axes)};
    }
    struct lnstab__state held = {.data = lnstab__plan_array(p, axes)};
    held.grad = lnstab__plan_gradient(p, p->m->spec.keep_states >= 2, axes);
    return held;
}

struct lnstab__state lnstab__plan_state(struct lnstab__plan *p, const char *name,
                                        struct lnstab__axes axes, enum lnstab__life life) {
    struct lnstab__state held = lnstab__plan_take_state(p, axes, life);
    lnstab__plan_enter_state(p, name, axes, held, life);
    return held;
}

struct lnstab__norm_op lnstab__plan_norm(struct lnstab__plan *p, const char *name, int present,
                                         double scale, const int64_t *width, int64_t pieces) {
    const struct lnstab__spec *spec = &p->m->spec;
    struct lnstab__norm_op n = {.kind = present ? spec->norm : LNSTAB__NORM_NONE,
                                .width = (size_t)*width,
                                .pieces = (size_t)pieces,
                                .eps = spec->eps,
                                .scale = scale};
    char full[24];
    if (n.kind != LNSTAB__NORM_NONE) {
        snprintf(full, sizeof full, "%s.gamma", name);
        n.gamma =
            lnstab__plan_parameter(p, full, lnstab__axes_1(width), lnstab__init_constant(1.0));
    }
    if (n.kind == LNSTAB__NORM_LAYER) {
        snprintf(full, sizeof full, "%s.bias", name);
        n.bias = lnstab__plan_parameter(p, full, lnstab__axes_1(width), lnstab__init_constant(0.0));
    }
    return n;
}

struct lnstab__init lnstab__plan_weight_init(struct lnstab__init init, enum lnstab__kind kind,
                                             int64_t layer, double gain) {
    init.value *= gain;
    init.kind = (uint32_t)kind;
    init.layer = (uint32_t)layer;
    return init.value == 0.0 ? lnstab__init_constant(0.0) : init;
}
