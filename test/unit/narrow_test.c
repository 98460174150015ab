/* math/narrow.inc.h: bfloat16 and float16 from double and back, every pattern of bits, judged by the value that
 * IEEE 754 gives to it. */

#include "support/main.h"
#include "unit/harness.h"

static const struct {
    const struct lnstab__kernels *k;
    int digits, bias;
} formats[] = {{&lnstab__kernels_bf16, 7, 127}, {&lnstab__kernels_f16, 10, 15}};

static double load(int format, unsigned pattern) {
    const uint16_t x = (uint16_t)pattern;
    double value;
    formats[format].k->to_double(1, &x, &value);
    return value;
}

static unsigned store(int format, double value) {
    uint16_t x;
    formats[format].k->from_double(1, &value, &x);
    return x;
}

static unsigned infinity_of(int format) {
    return 0x7fffU >> formats[format].digits << formats[format].digits;
}

/* (-1)^sign 2^(exponent - bias) 1.mantissa, below the normal numbers 2^(1 - bias) 0.mantissa */
static double value_of(int format, unsigned pattern) {
    const int digits = formats[format].digits, exponent = (int)(pattern & 0x7fff) >> digits;
    const double mantissa = ldexp((double)(pattern & ((1U << digits) - 1)), -digits);
    const double size = exponent > 0 ? ldexp(1 + mantissa, exponent - formats[format].bias)
                                     : ldexp(mantissa, 1 - formats[format].bias);
    return pattern & 0x8000 ? -size : size;
}

START_TEST(test_every_pattern_is_its_value_and_comes_back) {
    const unsigned infinity = infinity_of(_i);
    for (unsigned x = 0; x < 0x10000; ++x) {
        const double value = load(_i, x);
        if ((x & 0x7fff) > infinity) {
            require(isnan(value), "%04x is %g", x, value);
            const unsigned back = store(_i, value);
            require((back & 0x7fff) > infinity && (back & 0x8000) == (x & 0x8000), "%04x: %04x", x,
                    back);
        } else {
            const double wanted = (x & 0x7fff) < infinity ? value_of(_i, x)
                                  : x & 0x8000            ? -INFINITY
                                                          : INFINITY;
            require(value == wanted && !signbit(value) == !signbit(wanted), "%04x is %.17g, not %g",
                    x, value, wanted);
            require(store(_i, value) == x, "%04x comes back as %04x", x, store(_i, value));
        }
    }
}
END_TEST

/* Between two neighbours: to the nearer one, from the middle to the even one. After the largest number comes
 * infinity, as if it were the next power of two. */
START_TEST(test_every_gap_is_rounded_to_nearest_even) {
    for (unsigned x = 0; x < infinity_of(_i); ++x) {
        const double low = value_of(_i, x), high = value_of(_i, x + 1);
        const double middle = low + (high - low) / 2;
        for (unsigned sign = 0; sign <= 0x8000; sign += 0x8000) {
            const double s = sign ? -1 : 1;
            const unsigned even = sign | (x + (x & 1));
            require(store(_i, s * middle) == even, "the middle above %04x: %04x", sign | x,
                    store(_i, s * middle));
            require(store(_i, s * nextafter(middle, 0)) == (sign | x), "below the middle: %04x", x);
            require(store(_i, s * nextafter(middle, INFINITY)) == (sign | (x + 1)),
                    "above the middle: %04x", x);
            require(store(_i, s * nextafter(low, INFINITY)) == (sign | x), "above %04x", x);
            require(store(_i, s * nextafter(high, 0)) == (sign | (x + 1)), "below %04x", x + 1);
        }
    }
}
END_TEST

START_TEST(test_doubles_beyond_the_range) {
    const unsigned infinity = infinity_of(_i);
    static const double large[] = {1e39, 1e300, DBL_MAX, INFINITY},
                        small[] = {0, 1e-50, DBL_MIN, 0x1p-1074};
    for (int i = 0; i < 4; ++i) {
        ck_assert_uint_eq(store(_i, large[i]), infinity);
        ck_assert_uint_eq(store(_i, -large[i]), 0x8000 | infinity);
        ck_assert_uint_eq(store(_i, small[i]), 0);
        ck_assert_uint_eq(store(_i, -small[i]), 0x8000);
    }
    ck_assert_uint_gt(store(_i, NAN) & 0x7fff, infinity);
}
END_TEST

/* 1 + 2^-8 + 2^-30 is above the middle of two bfloat16, and of float32 the nearest is that middle: by way of
 * float32 it would go down, to even. */
START_TEST(test_rounding_is_once) {
    ck_assert_uint_eq(store(0, 1 + 0x1p-8 + 0x1p-30), 0x3f81);
    ck_assert_uint_eq(store(0, (double)(float)(1 + 0x1p-8 + 0x1p-30)), 0x3f80);
    ck_assert_uint_eq(store(1, 1 + 0x1p-11 + 0x1p-30), 0x3c01);
}
END_TEST

/* What the tables have, and in which type gammas go with them. */
START_TEST(test_tables) {
    const struct lnstab__kernels *k = formats[_i].k;
    ck_assert_int_eq(k->dtype, 3 + _i);
    ck_assert_uint_eq(k->size, 2);
    ck_assert_ptr_eq(k->affine, &lnstab__kernels_f32);
    ck_assert(k->norm_forward && k->norm_backward && k->norm_jvp && k->norm_jacobian);
    ck_assert_ptr_eq(lnstab__kernels_f32.affine, &lnstab__kernels_f32);
    ck_assert_ptr_eq(lnstab__kernels_f64.affine, &lnstab__kernels_f64);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("narrow");
    TCase *cases = tcase_create("narrow");
    tcase_add_loop_test(cases, test_every_pattern_is_its_value_and_comes_back, 0, 2);
    tcase_add_loop_test(cases, test_every_gap_is_rounded_to_nearest_even, 0, 2);
    tcase_add_loop_test(cases, test_doubles_beyond_the_range, 0, 2);
    tcase_add_test(cases, test_rounding_is_once);
    tcase_add_loop_test(cases, test_tables, 0, 2);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
