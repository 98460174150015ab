/* nn/split.h: spans cover all items once, small work is not cut, and sums of parts are added in order. */

#include "nn/split.h"

#include "base/memory.h"
#include "support/main.h"
#include "unit/harness.h"

enum { GRAIN = 3000 };

/* A run with a pool of its own. */
struct shared {
    struct bench b;
    struct lnstab__workers *workers;
    void *block;
};

static void shared_start(struct shared *s, const struct lnstab__kernels *k, size_t threads,
                         size_t width) {
    struct lnstab__message message;
    s->block = aligned_alloc(LNSTAB__ALIGN, 1 << 16);
    ck_assert_ptr_nonnull(s->block);
    memset(s->block, 0, 1 << 16);
    struct lnstab__arena arena = {.base = s->block};
    bench_start(&s->b, k, 1, 1, width, width, 1, 1);
    s->workers = lnstab__workers_take(&arena, threads);
    ck_assert_uint_lt(arena.used, 1 << 16);
    ck_assert_int_eq(lnstab__workers_start(s->workers, 0, &message), LNSTAB_OK);
    s->b.run.workers = s->workers;
    s->b.run.grain = GRAIN;
    s->b.work.columns = pool_take(&s->b.pool, threads * 2 * width * sizeof(double));
}

static void shared_end(struct shared *s) {
    lnstab__workers_stop(s->workers);
    pool_end(&s->b.pool);
    free(s->block);
}

/* As doc/threading.md has it: workers that are woken want more to do, those that are awake have waited for it. */
START_TEST(test_pace) {
    const struct lnstab__pace asleep = lnstab__pace_of(0), awake = lnstab__pace_of(1);
    ck_assert_uint_eq(asleep.patience, 0);
    ck_assert_uint_eq(asleep.grain, 32768);
    ck_assert_uint_eq(awake.patience, 500);
    ck_assert_uint_eq(awake.grain, 2048);
}
END_TEST

START_TEST(test_parts) {
    struct shared s;
    shared_start(&s, &lnstab__kernels_f64, 3, 1);
    const struct lnstab__run alone = lnstab__run_alone(&s.b.run);
    const size_t grain = GRAIN;
    ck_assert_uint_eq(lnstab__split_parts(&s.b.run, 2 * grain - 1, 1), 1);
    ck_assert_uint_eq(lnstab__split_parts(&s.b.run, 2 * grain, 1), 2);
    ck_assert_uint_eq(lnstab__split_parts(&s.b.run, 3 * grain - 1, 1), 2);
    ck_assert_uint_eq(lnstab__split_parts(&s.b.run, 3, grain), 3);
    ck_assert_uint_eq(lnstab__split_parts(&s.b.run, 1, 100 * grain), 1);
    ck_assert_uint_eq(lnstab__split_parts(&s.b.run, 2, 100 * grain), 2);
    ck_assert_uint_eq(lnstab__split_parts(&s.b.run, 1 << 30, 1 << 30), 3);
    ck_assert_uint_eq(lnstab__split_parts(&s.b.run, 0, 1), 1);
    ck_assert_uint_eq(lnstab__split_parts(&alone, 100, grain), 1);
    ck_assert(alone.kernels == s.b.run.kernels && alone.work == s.b.run.work);
    shared_end(&s);
}
END_TEST

enum { MOST = 40 };

struct seen {
    int times[MOST];
    size_t part[MOST];
};

static void see(const void *argument, struct lnstab__span span) {
    struct seen *seen = *(struct seen *const *)argument;
    for (size_t i = span.first; i < span.last; ++i) {
        seen->times[i]++;
        seen->part[i] = span.part;
    }
}

START_TEST(test_spans_cover_all_once) {
    struct shared s;
    shared_start(&s, &lnstab__kernels_f64, 7, 1);
    for (size_t items = 1; items < MOST; ++items) {
        struct seen seen, *to = &seen;
        memset(&seen, 0, sizeof seen);
        const size_t parts = lnstab__split(&s.b.run, items, GRAIN, see, &to);
        ck_assert_uint_eq(parts, items < 7 ? items : 7);
        size_t least = items, most = 0;
        for (size_t part = 0; part < parts; ++part) {
            size_t n = 0;
            for (size_t i = 0; i < items; ++i) {
                n += seen.part[i] == part;
            }
            least = n < least ? n : least;
            most = n > most ? n : most;
        }
        ck_assert_uint_ge(least, 1);
        ck_assert_uint_le(most - least, 1);
        for (size_t i = 0; i < MOST; ++i) {
            ck_assert_int_eq(seen.times[i], i < items);
            ck_assert(i == 0 || i >= items || seen.part[i] - seen.part[i - 1] <= 1);
        }
    }
    shared_end(&s);
}
END_TEST

/* Every element as by one call of the kernel. */
START_TEST(test_elements) {
    enum { ROWS = 301, WIDTH = 170, N = ROWS * WIDTH };
    const struct lnstab__kernels *k = _i ? &lnstab__kernels_f64 : &lnstab__kernels_f32;
    struct shared s;
    shared_start(&s, k, 3, WIDTH);
    struct pool *p = &s.b.pool;
    void *x = pool_draw(p, k, 1, N, 1), *y = pool_draw(p, k, 2, N, 1);
    void *got = pool_nan(p, k, N), *wanted = pool_nan(p, k, N);
    ck_assert_uint_gt(lnstab__split_parts(&s.b.run, ROWS, WIDTH), 2);
    lnstab__split_scale(&s.b.run, ROWS, WIDTH, 0.5, x, got);
    k->scale(N, 0.5, x, wanted);
    ck_assert_mem_eq(got, wanted, N * k->size);
    lnstab__split_add_scaled(&s.b.run, ROWS, WIDTH, 0.5, x, 2.0, y, got);
    k->add_scaled(N, 0.5, x, 2.0, y, wanted);
    ck_assert_mem_eq(got, wanted, N * k->size);
    shared_end(&s);
}
END_TEST

/* Numbers of which float32 holds neither a part's sum nor the total but for the last rounding. */
START_TEST(test_rooms_are_added_once_rounded) {
    enum { COUNT = 3 };
    const struct lnstab__kernels *k = _i ? &lnstab__kernels_f64 : &lnstab__kernels_f32;
    const double start[COUNT] = {1, 0, -3};
    struct shared s;
    shared_start(&s, k, 4, COUNT);
    void *sum = pool_array(&s.b.pool, k, COUNT);
    for (size_t offset = 0; offset <= COUNT; offset += COUNT) {
        double wanted[COUNT];
        k->from_double(COUNT, start, sum);
        for (size_t j = 0; j < COUNT; ++j) {
            double total = 0;
            for (size_t part = 0; part < 4; ++part) {
                const double own = 0.1 * (double)(1 + j + part) + 0x1p-26 * (double)part;
                lnstab__part_room(&s.b.run, part)[offset + j] = own;
                total = part == 0 ? own : total + own;
            }
            wanted[j] = start[j] + total;
            wanted[j] = _i ? wanted[j] : (double)(float)wanted[j];
        }
        lnstab__add_rooms(&s.b.run, 4, offset, COUNT, sum);
        const double *got = pool_doubles(&s.b.pool, k, sum, COUNT);
        for (size_t j = 0; j < COUNT; ++j) {
            ck_assert_double_eq(got[j], wanted[j]);
        }
    }
    shared_end(&s);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("split");
    TCase *cases = tcase_create("split");
    tcase_add_test(cases, test_pace);
    tcase_add_test(cases, test_parts);
    tcase_add_test(cases, test_spans_cover_all_once);
    tcase_add_loop_test(cases, test_elements, 0, 2);
    tcase_add_loop_test(cases, test_rooms_are_added_once_rounded, 0, 2);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
