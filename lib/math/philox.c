#include "math/philox.h"

#include <math.h>

enum { ROUNDS = 10 };

static void multiply(uint32_t a, uint32_t b, uint32_t *high, uint32_t *low) {
    uint64_t product = (uint64_t)a * b;
    *high = (uint32_t)(product >> 32);
    *low = (uint32_t)product;
}

void lnstab__philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]) {
    uint32_t c0 = counter[0], c1 = counter[1], c2 = counter[2], c3 = counter[3];
    uint32_t k0 = key[0], k1 = key[1];
    for (int round = 0; round < ROUNDS; ++round) {
        uint32_t high0, low0, high1, low1;
        multiply(0xD2511F53U, c0, &high0, &low0);
        multiply(0xCD9E8D57U, c2, &high1, &low1);
        c0 = high1 ^ c1 ^ k0;
        c1 = low1;
        c2 = high0 ^ c3 ^ k1;
        c3 = low0;
        k0 += 0x9E3779B9U;
        k1 += 0xBB67AE85U;
    }
    out[0] = c0;
    out[1] = c1;
    out[2] = c2;
    out[3] = c3;
}

static double to_unit(uint32_t word) {
    return ((double)word + 0.5) * 0x1p-32;
}

static void box_muller(double u, double v, double out[2]) {
    const double two_pi = 6.283185307179586476925286766559;
    double radius = sqrt(-2.0 * log(u));
    out[0] = radius * cos(two_pi * v);
    out[1] = radius * sin(two_pi * v);
}

static void to_normal(double values[4]) {
    box_muller(values[0], values[1], values);
    box_muller(values[2], values[3], values + 2);
}

static void keep(double values[4]) {
    (void)values;
}

static void draw(struct lnstab__stream s, uint64_t first, size_t count, double *out,
                 void (*transform)(double values[4])) {
    const uint32_t key[2] = {(uint32_t)s.seed, (uint32_t)(s.seed >> 32)};
    size_t done = 0;
    while (done < count) {
        uint64_t element = first + done;
        const uint32_t counter[4] = {(uint32_t)(element / 4), (uint32_t)(element / 4 >> 32), s.kind,
                                     s.layer};
        uint32_t words[4];
        double values[4];
        lnstab__philox(counter, key, words);
        for (int i = 0; i < 4; ++i) {
            values[i] = to_unit(words[i]);
        }
        transform(values);
        for (size_t i = element % 4; i < 4 && done < count; ++i) {
            out[done++] = values[i];
        }
    }
}

void lnstab__draw_normal(struct lnstab__stream s, uint64_t first, size_t count, double *out) {
    draw(s, first, count, out, to_normal);
}

void lnstab__draw_uniform(struct lnstab__stream s, uint64_t first, size_t count, double *out) {
    draw(s, first, count, out, keep);
}
