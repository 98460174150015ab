/* model/tensor.h: tensors point to the lengths of their axes. */

#include "model/tensor.h"

#include <stdint.h>

#include "support/main.h"

START_TEST(test_count) {
    struct lnstab__extents e = {
        .batch = 2, .tokens = 3, .width = 5, .ffn_width = 7, .heads = 11, .vocab = 13};
    const struct lnstab_tensor weights = {.rank = 4,
                                          .axis = {&e.batch, &e.heads, &e.tokens, &e.tokens}};
    const struct lnstab_tensor gamma = {.rank = 1, .axis = {&e.width}};
    ck_assert_uint_eq(lnstab__tensor_count(&weights), 2 * 11 * 3 * 3);
    ck_assert_uint_eq(lnstab__tensor_count(&gamma), 5);
    e.tokens = 1; /* it follows the batch of the last forward */
    ck_assert_uint_eq(lnstab__tensor_count(&weights), 22);
    e.batch = 0; /* before the first */
    ck_assert_uint_eq(lnstab__tensor_count(&weights), 0);
}
END_TEST

START_TEST(test_count_does_not_wrap) {
    int64_t huge = INT64_MAX / 2;
    const struct lnstab_tensor t = {.rank = 3, .axis = {&huge, &huge, &huge}};
    ck_assert_uint_eq(lnstab__tensor_count(&t), SIZE_MAX);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("tensor");
    TCase *cases = tcase_create("tensor");
    tcase_add_test(cases, test_count);
    tcase_add_test(cases, test_count_does_not_wrap);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
