/* base/arena.h: one block, carved from the front. */

#include "base/arena.h"

#include <stdint.h>

#include "base/memory.h"
#include "support/main.h"

static const struct {
    size_t count, item;
} wishes[] = {{1, 1}, {3, 8},     {64, 1}, {65, 1}, {0, 8},
              {7, 0}, {1000, 12}, {1, 63}, {2, 64}, {5, 4}};

enum { WISHES = sizeof wishes / sizeof *wishes };

START_TEST(test_pieces_are_aligned_and_apart) {
    static _Alignas(64) unsigned char block[1 << 15];
    struct lnstab__arena a = {.base = block};
    unsigned char *end = block;
    for (int i = 0; i < WISHES; ++i) {
        unsigned char *p = lnstab__arena_take(&a, wishes[i].count, wishes[i].item);
        ck_assert_uint_eq((uintptr_t)p % 64, 0);
        ck_assert(p >= end);
        ck_assert(p < end + 64);
        end = p + wishes[i].count * wishes[i].item;
    }
    ck_assert_uint_ge(a.used, (size_t)(end - block));
    ck_assert_uint_lt(a.used, (size_t)(end - block) + 64);
}
END_TEST

START_TEST(test_measuring_equals_carving) {
    static _Alignas(64) unsigned char block[1 << 15];
    struct lnstab__arena carving = {.base = block}, measuring = {0};
    for (int i = 0; i < WISHES; ++i) {
        lnstab__arena_take(&carving, wishes[i].count, wishes[i].item);
        ck_assert_ptr_null(lnstab__arena_take(&measuring, wishes[i].count, wishes[i].item));
        ck_assert_uint_eq(measuring.used, carving.used);
    }
    /* 64 + 64 + 64 + 128 + 0 + 0 + 12032 + 64 + 128 + 64, worked out by hand */
    ck_assert_uint_eq(measuring.used, 12608);
}
END_TEST

START_TEST(test_overflow_sticks) {
    static const struct {
        size_t count, item;
    } too_much[] = {{SIZE_MAX, 2},
                    {2, SIZE_MAX},
                    {SIZE_MAX / 8 + 1, 8},
                    {1, SIZE_MAX},
                    {1, SIZE_MAX - 62},
                    {(size_t)1 << (sizeof(size_t) * 4), (size_t)1 << (sizeof(size_t) * 4)}};
    for (size_t i = 0; i < sizeof too_much / sizeof *too_much; ++i) {
        struct lnstab__arena a = {0};
        lnstab__arena_take(&a, 10, 10);
        lnstab__arena_take(&a, too_much[i].count, too_much[i].item);
        ck_assert_uint_eq(a.used, SIZE_MAX);
        lnstab__arena_take(&a, 1, 1);
        ck_assert_uint_eq(a.used, SIZE_MAX);
        lnstab__arena_take(&a, 0, 0);
        ck_assert_uint_eq(a.used, SIZE_MAX);
    }
}
END_TEST

START_TEST(test_sum_of_pieces_overflows) {
    struct lnstab__arena a = {0};
    lnstab__arena_take(&a, 1, SIZE_MAX / 2);
    ck_assert_uint_eq(a.used, SIZE_MAX / 2 + 1);
    lnstab__arena_take(&a, 1, SIZE_MAX / 2);
    ck_assert_uint_eq(a.used, SIZE_MAX);
}
END_TEST

START_TEST(test_products_and_sums_stick) {
    const size_t half = (size_t)1 << (sizeof(size_t) * 4);
    ck_assert_uint_eq(lnstab__size_product(6, 7), 42);
    ck_assert_uint_eq(lnstab__size_product(0, SIZE_MAX), 0);
    ck_assert_uint_eq(lnstab__size_product(SIZE_MAX, 0), 0);
    ck_assert_uint_eq(lnstab__size_product(SIZE_MAX, 1), SIZE_MAX);
    ck_assert_uint_eq(lnstab__size_product(half, half - 1), SIZE_MAX - half + 1);
    ck_assert_uint_eq(lnstab__size_product(half, half), SIZE_MAX);
    ck_assert_uint_eq(lnstab__size_product(SIZE_MAX, SIZE_MAX), SIZE_MAX);
    ck_assert_uint_eq(lnstab__size_sum(2, 3), 5);
    ck_assert_uint_eq(lnstab__size_sum(SIZE_MAX - 1, 1), SIZE_MAX);
    ck_assert_uint_eq(lnstab__size_sum(SIZE_MAX, 1), SIZE_MAX);
    ck_assert_uint_eq(lnstab__size_sum(SIZE_MAX / 2 + 2, SIZE_MAX / 2), SIZE_MAX);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("arena");
    TCase *cases = tcase_create("arena");
    tcase_add_test(cases, test_pieces_are_aligned_and_apart);
    tcase_add_test(cases, test_measuring_equals_carving);
    tcase_add_test(cases, test_overflow_sticks);
    tcase_add_test(cases, test_sum_of_pieces_overflows);
    tcase_add_test(cases, test_products_and_sums_stick);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
