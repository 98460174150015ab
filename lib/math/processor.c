#include "math/processor.h"

#if defined(__x86_64__) && defined(__GNUC__)

#include <cpuid.h>
#include <stdint.h>

enum { OSXSAVE = 1 << 27, FMA = 1 << 12, AVX2 = 1 << 5, AVX512F = 1 << 16 };
enum { SAVED_YMM = 0x06, SAVED_ZMM = 0xe6 }; /* bits of XCR0: the parts of the registers */

static uint32_t saved_registers(void) {
    uint32_t low, high;
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return low;
}

enum lnstab__vectors lnstab__processor_vectors(void) {
    uint32_t a, b, c, d;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & OSXSAVE) || !(c & FMA)) {
        return LNSTAB__VECTORS_BASE;
    }
    const uint32_t saved = saved_registers();
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d) || (saved & SAVED_YMM) != SAVED_YMM) {
        return LNSTAB__VECTORS_BASE;
    }
    if ((b & AVX512F) && (saved & SAVED_ZMM) == SAVED_ZMM) {
        return LNSTAB__VECTORS_AVX512;
    }
    return b & AVX2 ? LNSTAB__VECTORS_AVX2 : LNSTAB__VECTORS_BASE;
}

#else

enum lnstab__vectors lnstab__processor_vectors(void) {
    return LNSTAB__VECTORS_BASE;
}

#endif
