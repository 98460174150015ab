/* Template: load and store of a binary format of 16 bits,
 *
 *     | sign | exponent, biased by narrow_bias | narrow_digits of the mantissa |
 *
 * with subnormals, infinities and NaN as in IEEE 754; narrow_least is its smallest number. In integers,
 * so that a double is rounded once, and alike on every machine. */

#define element uint16_t

enum { SHIFT = 52 - narrow_digits, REBIAS = 1023 - narrow_bias };

static double from_bits(uint64_t bits) {
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static double load(element x) {
    const uint64_t sign = (uint64_t)(x & 0x8000) << 48, magnitude = x & 0x7fff;
    const uint64_t infinity = 0x7fff >> narrow_digits << narrow_digits;
    if (magnitude >> narrow_digits == 0) {
        return (sign ? -1.0 : 1.0) * (double)magnitude * narrow_least;
    }
    const uint64_t exponent = magnitude < infinity ? REBIAS : 2046 - 2 * narrow_bias;
    return from_bits(sign | ((magnitude << SHIFT) + (exponent << 52)));
}

/* Half of the last digit that stays, less one where that digit is even, carries into it where x is to be
 * rounded up, and from there into the exponent, up to infinity. */
static element store(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    const uint64_t magnitude = bits & 0x7fffffffffffffff;
    const element sign = (element)(bits >> 48 & 0x8000);
    const element infinity = 0x7fff >> narrow_digits << narrow_digits;
    if (magnitude > 0x7ff0000000000000) {
        return (element)(sign | infinity | 1U << (narrow_digits - 1));
    }
    const int below =
        REBIAS + 1 - (int)(magnitude >> 52); /* exponents below the least normal one */
    if (below > narrow_digits + 1) {
        return sign;
    }
    const int shift = SHIFT + (below > 0 ? below : 0);
    const uint64_t kept = below > 0 ? (magnitude & 0xfffffffffffff) | (1ULL << 52)
                                    : magnitude - ((uint64_t)REBIAS << 52);
    const uint64_t rounded = (kept + (1ULL << (shift - 1)) - 1 + (kept >> shift & 1)) >> shift;
    return (element)(sign | (rounded < infinity ? rounded : infinity));
}
