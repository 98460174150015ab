#ifndef LNSTAB_MATH_BOX_MULLER_H
#define LNSTAB_MATH_BOX_MULLER_H

#include <math.h>
#include <stdint.h>
#include <string.h>

/* The two functions of Box and Muller's transform, of 32-bit words, in operations that IEEE 754 rounds
 * correctly and without a branch. A compiler can make a loop over words into vectors, and gets the bits of
 * one word by itself. The coefficients interpolate the series at Chebyshev's nodes
 * (test/parity/make_box_muller.py). Errors in units of the last place: doc/numerics.md. */

static inline uint64_t lnstab__bits(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline double lnstab__from_bits(uint64_t bits) {
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* word + 1/2. By way of int32_t, which every machine converts in vectors. */
static inline double lnstab__middle(uint32_t word) {
    return (double)(int32_t)(word ^ 0x80000000U) + (0x1p31 + 0.5);
}

/* 2 atanh(s)/s - 2, in z = s^2 <= (3 - sqrt 8)^2 */
static inline double lnstab__atanh_rest(double z) {
    return z * (0x1.5555555555558p-1 +
                z * (0x1.99999999952e2p-2 +
                     z * (0x1.2492492df148dp-2 +
                          z * (0x1.c71c62e5800a1p-3 +
                               z * (0x1.7462b4ab2ef6bp-3 +
                                    z * (0x1.39fe606542ddep-3 + z * 0x1.2b584aae78a56p-3))))));
}

/* log u for u = (word + 1/2)/2^32 = 2^e m with m in [sqrt 1/2, sqrt 2): with f = m - 1, which is exact,
 * and s = f/(2 + f) it is e log 2 + f - s (f - s^2 (2/3 + ...)), in which nothing cancels as u nears 1. */
static inline double lnstab__log_of_word(uint32_t word) {
    const uint64_t root_half = 0x3FE6A09E00000000U, fraction = 0x000FFFFFFFFFFFFFU;
    const uint64_t shifted = lnstab__bits(lnstab__middle(word)) - root_half;
    /* 2^52 + e + 33, of integers: u 2^32 starts at 1/2, so e + 33 at 0 */
    const double biased = lnstab__from_bits(((shifted + (1ULL << 52)) >> 52) | 0x4330000000000000U);
    const double e = biased - (0x1p52 + 33.0);
    const double f = lnstab__from_bits((shifted & fraction) + root_half) - 1.0;
    const double s = f / (2.0 + f), slope = s * (f - lnstab__atanh_rest(s * s));
    return e * 0x1.62e42fefa3800p-1 + (f + (e * 0x1.ef35793c76730p-45 - slope));
}

static inline double lnstab__radius_of_word(uint32_t word) {
    return sqrt(-2.0 * lnstab__log_of_word(word));
}

struct lnstab__pair {
    double first, second;
};

static inline double lnstab__sine(double x, double z) {
    return x + x * z *
                   (-0x1.5555555555555p-3 +
                    z * (0x1.1111111110bb2p-7 +
                         z * (-0x1.a01a019e83aaep-13 +
                              z * (0x1.71de37968a100p-19 +
                                   z * (-0x1.ae600b02b6262p-26 + z * 0x1.5e0b19f8b1451p-33)))));
}

static inline double lnstab__cosine(double z) {
    return 1.0 -
           z * (0.5 -
                z * (0x1.5555555555555p-5 +
                     z * (-0x1.6c16c16c16967p-10 +
                          z * (0x1.a01a019f4eb01p-16 +
                               z * (-0x1.27e4fa17da09ep-22 +
                                    z * (0x1.1eeb68e93b64cp-29 - z * 0x1.907da367a37cbp-37))))));
}

/* (cos, sin) of 2 pi (word + 1/2)/2^32. The angle is a whole number q of quarter turns, the word's two
 * high bits after rounding, and a rest of at most an eighth, which is exact; each odd quarter exchanges
 * the two, and the signs are those of q's quadrant. */
static inline struct lnstab__pair lnstab__turn_of_word(uint32_t word) {
    const uint32_t rounded = word + 0x20000000U, rest = rounded & 0x3FFFFFFFU;
    const double x = ((double)((int32_t)rest - 0x20000000) + 0.5) * 0x1.921fb54442d18p-30;
    const uint64_t quarter = rounded >> 30, odd = quarter & 1, half = quarter >> 1;
    const uint64_t sine = lnstab__bits(lnstab__sine(x, x * x));
    const uint64_t cosine = lnstab__bits(lnstab__cosine(x * x));
    const uint64_t exchange = (sine ^ cosine) & (0 - odd);
    return (struct lnstab__pair){lnstab__from_bits(cosine ^ exchange ^ (odd ^ half) << 63),
                                 lnstab__from_bits(sine ^ exchange ^ half << 63)};
}

/* Box and Muller's pair of standard normal numbers, of a word each for the radius and the angle. */
static inline struct lnstab__pair lnstab__normal_pair(uint32_t u, uint32_t v) {
    const double radius = lnstab__radius_of_word(u);
    const struct lnstab__pair turn = lnstab__turn_of_word(v);
    return (struct lnstab__pair){radius * turn.first, radius * turn.second};
}

/* Two uniform numbers (w + 1/2)/2^32, exact. */
static inline struct lnstab__pair lnstab__uniform_pair(uint32_t u, uint32_t v) {
    return (struct lnstab__pair){lnstab__middle(u) * 0x1p-32, lnstab__middle(v) * 0x1p-32};
}

#endif
