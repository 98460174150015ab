#ifndef LNSTAB_TEST_UNIT_KERNEL_PATHS_H
#define LNSTAB_TEST_UNIT_KERNEL_PATHS_H

#include "math/processor.h"
#include "support/main.h"
#include "unit/harness.h"

/* The kernels of a type by vectors of every length against those of one number at a time, on rows whose ends fall
 * at every place of a vector. They differ in the order of sums only. A test program of a type builds them by eight for
 * whatever processor runs it too, so that their code is tested where their instructions are not. */

enum { ROWS = 3, WIDEST = 70, ROOM = ROWS * (WIDEST + 3) };

struct rows {
    const struct lnstab__kernels *k;
    size_t width, ld;
    const void *x, *dy, *gamma, *bias;
    const uint8_t *keep;
};

/* Results: three arrays of ROOM entries, all written from zeros. */
struct results {
    void *of[3];
};

typedef void kernel(const struct rows *r, int variant, const struct results *out);

static inline struct lnstab__norm_map map_of(const struct rows *r, int variant) {
    return (struct lnstab__norm_map){.kind = (enum lnstab__norm_kind)(variant % 3),
                                     .width = r->width,
                                     .eps = 1e-5,
                                     .scale = 1.25,
                                     .gamma = variant < 3 ? r->gamma : NULL,
                                     .bias = variant < 3 ? r->bias : NULL};
}

static inline void norms(const struct rows *r, int variant, const struct results *out) {
    const struct lnstab__norm_map map = map_of(r, variant);
    const ptrdiff_t ld = (ptrdiff_t)r->ld;
    r->k->norm_forward(&map, ROWS, r->x, ld, out->of[0], ld);
    r->k->norm_jvp(&map, ROWS, r->x, ld, r->dy, ld, out->of[1], ld);
    r->k->norm_backward(&map, ROWS, r->x, ld, r->dy, ld, out->of[2], ld, NULL);
}

static inline void affine_gradients(const struct rows *r, int variant, const struct results *out) {
    const struct lnstab__norm_map map = map_of(r, variant);
    const ptrdiff_t ld = (ptrdiff_t)r->ld;
    double sums[2 * WIDEST];
    r->k->norm_backward(&map, ROWS, r->x, ld, r->dy, ld, NULL, 0, sums);
    r->k->add_doubles(r->width, sums, out->of[0]);
    r->k->add_doubles(r->width, sums + r->width, out->of[1]);
    r->k->column_sums(ROWS, r->width, r->x, r->ld, sums);
    r->k->add_doubles(r->width, sums, out->of[2]);
}

static inline void activations(const struct rows *r, int variant, const struct results *out) {
    const enum lnstab__activation act = (enum lnstab__activation)(variant % 4);
    const void *gate = variant < 4 ? NULL : r->dy;
    r->k->activate(act, r->width, r->x, gate, out->of[0]);
    r->k->activate_vjp(act, r->width, r->x, gate, r->dy, out->of[1], out->of[2]);
}

static inline void tangents(const struct rows *r, int variant, const struct results *out) {
    const void *gate = variant < 4 ? NULL : r->dy;
    r->k->activate_jvp((enum lnstab__activation)(variant % 4), r->width, r->x, gate, r->gamma,
                       r->bias, out->of[0]);
    r->k->scale(r->width, -1.5, r->x, out->of[1]);
    r->k->add_scaled(r->width, 0.3, r->x, -1.5, r->dy, out->of[2]);
}

/* Of large scores none is left out of the maximum: the exponential of its distance would be none. */
static inline double size_of_scores(int are_large) {
    return are_large ? 1000 : 1;
}

static inline void softmaxes(const struct rows *r, int variant, const struct results *out) {
    const struct lnstab__softmax_mask mask = {
        .keep = variant & 1 ? r->keep : NULL, .causal = variant & 2, .first = (size_t)variant % 2};
    const size_t n = ROWS * r->width;
    r->k->scale(n, size_of_scores(variant & 4), r->x, out->of[0]);
    memcpy(out->of[1], r->dy, n * r->k->size);
    r->k->softmax(ROWS, r->width, 0.7, mask, out->of[0], r->width);
    r->k->softmax_jacobian(ROWS, r->width, 0.7, out->of[0], r->width, out->of[1], r->width);
}

static inline void losses(const struct rows *r, int variant, const struct results *out) {
    const double share = variant & 1 ? 0.25 : 0.0;
    double z[WIDEST];
    r->k->scale(r->width, size_of_scores(variant & 2), r->x, z);
    for (size_t target = 0; target < r->width && target < ROOM; ++target) {
        const double loss = r->k->cross_entropy(r->width, z, target, share);
        r->k->from_double(1, &loss, lnstab__at(r->k, out->of[0], target));
    }
    r->k->cross_entropy_gradient(r->width, z, r->width - 1, share, 0.1, out->of[1]);
    r->k->cross_entropy_gradient(r->width, z, r->width / 2, share, 0.1, out->of[2]);
}

static const struct {
    kernel *run;
    int variants;
} kernels[] = {{norms, 6},    {affine_gradients, 6}, {activations, 8},
               {tangents, 8}, {softmaxes, 8},        {losses, 4}};
enum { KERNELS = sizeof kernels / sizeof *kernels };

/* Entries are of the size of 1 and a row's sums of WIDEST of them at most; behind a row nothing is written. What is
 * not finite is so alike. */
static inline void compare(const struct rows *r, const char *path, const struct results *base,
                           const struct results *got) {
    for (int i = 0; i < 3; ++i) {
        for (size_t j = 0; j < ROOM; ++j) {
            double want, have;
            r->k->to_double(1, lnstab__at_const(r->k, base->of[i], j), &want);
            r->k->to_double(1, lnstab__at_const(r->k, got->of[i], j), &have);
            if (!(have == want || (isnan(have) && isnan(want)))) {
                assert_near(path, j, have, want, 2 * unit_roundoff(r->k) * fabs(want) + 1e-13);
            }
        }
    }
}

/* What every seventh entry of x is, if it is not finite. */
static const double specials[] = {0, NAN, INFINITY, -INFINITY};
enum { SPECIALS = sizeof specials / sizeof *specials };

static inline void check_path(const char *name, const struct lnstab__kernels *base,
                              const struct lnstab__kernels *path, int which, size_t width) {
    struct pool pool = {.count = 0};
    struct rows r = {.k = base, .width = width, .ld = width + 3};
    struct results want, got;
    uint8_t keep[WIDEST];
    const double special = specials[which / KERNELS];
    const int kind = which % KERNELS;
    for (size_t i = 0; i < WIDEST; ++i) {
        keep[i] = i % 5 != 2;
    }
    r.keep = keep;
    void *x = pool_draw(&pool, base, 1, ROOM, 2);
    for (size_t i = 3; special != 0 && i < ROOM; i += 7) {
        base->from_double(1, &special, lnstab__at(base, x, i));
    }
    r.x = x;
    r.dy = pool_draw(&pool, base, 2, ROOM, 1);
    r.gamma = pool_draw(&pool, base, 3, WIDEST, 1);
    r.bias = pool_draw(&pool, base, 4, WIDEST, 1);
    for (int variant = 0; variant < kernels[kind].variants; ++variant) {
        for (int i = 0; i < 3; ++i) {
            want.of[i] = pool_array(&pool, base, ROOM);
            got.of[i] = pool_array(&pool, base, ROOM);
        }
        r.k = base;
        kernels[kind].run(&r, variant, &want);
        r.k = path;
        kernels[kind].run(&r, variant, &got);
        compare(&r, name, &want, &got);
    }
    pool_end(&pool);
}

/* What paths_main was given: by the vectors they need, and by eight. */
static const struct lnstab__kernels *const *paths, *by_eight;

START_TEST(test_by_eight) {
    for (size_t width = 1; width <= WIDEST; ++width) {
        check_path("by eight", paths[LNSTAB__VECTORS_BASE], by_eight, _i, width);
    }
}
END_TEST

/* The path that this processor takes, and those it could. */
START_TEST(test_paths) {
    for (int path = 0; path <= (int)lnstab__processor_vectors(); ++path) {
        for (size_t width = 1; paths[path]->size > 0 && width <= WIDEST; ++width) {
            check_path("path", paths[LNSTAB__VECTORS_BASE], paths[path], _i, width);
        }
    }
}
END_TEST

/* The widest that there is and that the processor has. */
START_TEST(test_found) {
    const struct lnstab__kernels *base = paths[LNSTAB__VECTORS_BASE],
                                 *found = lnstab__kernels_find(base->dtype);
    int widest = (int)lnstab__processor_vectors();
    while (widest > 0 && paths[widest]->size == 0) {
        --widest;
    }
    ck_assert_ptr_eq(found, paths[widest]);
    ck_assert_int_eq(found->dtype, base->dtype);
    ck_assert_uint_eq(found->size, base->size);
    ck_assert_ptr_eq(found->affine, found);
}
END_TEST

/* The whole program; of_type: NULL, or a test of the type's own. */
static inline int paths_main(const char *name, const struct lnstab__kernels *const *by_vectors,
                             const struct lnstab__kernels *eight, const TTest *of_type) {
    Suite *suite = suite_create(name);
    TCase *cases = tcase_create(name);
    paths = by_vectors;
    by_eight = eight;
    tcase_add_loop_test(cases, test_by_eight, 0, KERNELS * SPECIALS);
    tcase_add_loop_test(cases, test_paths, 0, KERNELS * SPECIALS);
    tcase_add_test(cases, test_found);
    if (of_type) {
        tcase_add_test(cases, of_type);
    }
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}

#endif
