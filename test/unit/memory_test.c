/* base/memory.h: the allocator a handle keeps. */

#include "base/memory.h"

#include <stdint.h>
#include <string.h>

#include "support/main.h"

/* An allocator with one dirty block. */
struct host {
    _Alignas(64) unsigned char block[1024];
    size_t size, align;
    void *released;
    int takes, gives, refuse;
};

static void *host_take(void *user, size_t size, size_t align) {
    struct host *h = user;
    h->size = size;
    h->align = align;
    ++h->takes;
    return h->refuse ? NULL : memset(h->block, 0xa5, sizeof h->block);
}

static void host_give(void *user, void *p) {
    struct host *h = user;
    h->released = p;
    ++h->gives;
}

START_TEST(test_memory_is_zeroed_and_asked_for_as_said) {
    static struct host h;
    const struct lnstab__allocator from = {host_take, host_give, &h};
    unsigned char *p = lnstab__memory_take(&from, 1000);
    ck_assert_ptr_eq(p, h.block);
    ck_assert_uint_eq(h.size, 1000);
    ck_assert_uint_eq(h.align, 64);
    for (int i = 0; i < 1000; ++i) {
        ck_assert_uint_eq(p[i], 0);
    }
    ck_assert_uint_eq(h.block[1000], 0xa5); /* and not a byte more */
}
END_TEST

START_TEST(test_null_passes_through) {
    static struct host h;
    h.refuse = 1;
    const struct lnstab__allocator from = {host_take, host_give, &h};
    ck_assert_ptr_null(lnstab__memory_take(&from, 10));
    ck_assert_int_eq(h.takes, 1);
    lnstab__memory_give(from, NULL);
    ck_assert_int_eq(h.gives, 0);
}
END_TEST

START_TEST(test_release_gets_what_alloc_gave) {
    static struct host h;
    const struct lnstab__allocator from = {host_take, host_give, &h};
    struct lnstab__allocator *inside = lnstab__memory_take(&from, sizeof *inside);
    *inside = from; /* as a handle keeps it */
    lnstab__memory_give(*inside, inside);
    ck_assert_ptr_eq(h.released, h.block);
    ck_assert_int_eq(h.gives, 1);
}
END_TEST

START_TEST(test_default_allocator) {
    const struct lnstab__allocator from = lnstab__memory_default();
    for (size_t size = 1; size < 5000; size = size * 3 + 1) {
        unsigned char *p = lnstab__memory_take(&from, size);
        ck_assert_ptr_nonnull(p);
        ck_assert_uint_eq((uintptr_t)p % 64, 0);
        for (size_t i = 0; i < size; ++i) {
            ck_assert_uint_eq(p[i], 0);
        }
        memset(p, 0xff, size); /* so that a block used again is dirty */
        lnstab__memory_give(from, p);
    }
}
END_TEST

START_TEST(test_default_allocator_refuses_sizes_that_wrap) {
    const struct lnstab__allocator from = lnstab__memory_default();
    for (size_t less = 0; less < 63; ++less) {
        ck_assert_ptr_null(lnstab__memory_take(&from, SIZE_MAX - less));
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("memory");
    TCase *cases = tcase_create("memory");
    tcase_add_test(cases, test_memory_is_zeroed_and_asked_for_as_said);
    tcase_add_test(cases, test_null_passes_through);
    tcase_add_test(cases, test_release_gets_what_alloc_gave);
    tcase_add_test(cases, test_default_allocator);
    tcase_add_test(cases, test_default_allocator_refuses_sizes_that_wrap);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
