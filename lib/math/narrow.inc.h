/* Template: load and store of a binary format of 16 bits,
 *
 *     | sign | exponent, biased by narrow_bias | narrow_digits of the mantissa |
 *
 * with subnormals, infinities and NaN as in IEEE 754; narrow_least is its smallest number. In integers,
 * so that a double is rounded once, and alike on every machine. */

#define element uint16_t

enum {
    SHIFT = 52 - narrow_digits,
    REBIAS = 1023 - narrow_bias,
    NORMAL = 1 << narrow_digits, /* the least normal number */
    INFINITE = 0x7fff >> narrow_digits << narrow_digits
};

static double from_bits(uint64_t bits) {
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static double load(element x) {
    const uint64_t sign = (uint64_t)(x & 0x8000) << 48, magnitude = x & 0x7fff;
    if (magnitude < NORMAL) {
        return (sign ? -1.0 : 1.0) * (double)magnitude * narrow_least;
    }
    const uint64_t exponent = magnitude < INFINITE ? REBIAS : 2046 - 2 * narrow_bias;
    return from_bits(sign | ((magnitude << SHIFT) + (exponent << 52)));
}

/* x/2^shift, to nearest, ties to even */
static uint64_t shift_rounded(uint64_t x, int shift) {
    return (x + (1ULL << (shift - 1)) - 1 + (x >> shift & 1)) >> shift;
}

/* below: by how many exponents the number is less than the least normal one */
static uint64_t round_subnormal(uint64_t magnitude, int below) {
    const uint64_t significand = (magnitude & 0xfffffffffffff) | (1ULL << 52);
    return below > narrow_digits + 1 ? 0 : shift_rounded(significand, SHIFT + below);
}

/* Rounding carries from the mantissa into the exponent, and so from the largest number to infinity. */
static element store(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    const uint64_t magnitude = bits & 0x7fffffffffffffff;
    const element sign = (element)(bits >> 48 & 0x8000);
    if (magnitude > 0x7ff0000000000000) {
        return (element)(sign | INFINITE | NORMAL >> 1);
    }
    const int below = REBIAS + 1 - (int)(magnitude >> 52);
    const uint64_t rounded = below > 0 ? round_subnormal(magnitude, below)
                                       : shift_rounded(magnitude - ((uint64_t)REBIAS << 52), SHIFT);
    return (element)(sign | (rounded < INFINITE ? rounded : INFINITE));
}
