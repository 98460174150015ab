/* Template: lanes_count doubles at once, by the vectors of GNU C, which need no flag: with those of a
 * processor they are its registers. The words are those of math/lanes_base.inc.h. */

#define lanes_inline static inline __attribute__((always_inline))

enum { LANES = lanes_count };
typedef double lanes __attribute__((vector_size(lanes_count * sizeof(double))));
typedef int64_t bits __attribute__((vector_size(lanes_count * sizeof(int64_t))));
typedef real reals __attribute__((vector_size(lanes_count * sizeof(real))));

/* What compilers make more instructions of than the processor has: from real and back, and a b + c, which are its
 * own where its table names them. */
#ifndef lanes_widen
#define lanes_widen(x) __builtin_convertvector(x, lanes)
#define lanes_narrow(x) __builtin_convertvector(x, reals)
#define lanes_fused(a, b, c) ((a) * (b) + (c))
#endif

lanes_inline lanes lanes_of(double x) {
    return x - (lanes){0};
}

lanes_inline lanes load_reals(size_t n, const real *x) {
    reals all = {0};
    if (n == LANES) {
        memcpy(&all, x, sizeof all);
    } else {
        memcpy(&all, x, n * sizeof *x);
    }
    return lanes_widen(all);
}

lanes_inline lanes lanes_load(size_t n, const element *x) {
    return load_reals(n, x);
}

lanes_inline lanes lanes_load_real(size_t n, const real *x, double otherwise) {
    return x ? load_reals(n, x) : lanes_of(otherwise);
}

lanes_inline void lanes_store(size_t n, lanes v, element *out) {
    const reals all = lanes_narrow(v);
    if (n == LANES) {
        memcpy(out, &all, sizeof all);
    } else {
        memcpy(out, &all, n * sizeof *out);
    }
}

lanes_inline void lanes_add(size_t n, lanes v, double *sum) {
    lanes all = {0};
    if (n == LANES) {
        memcpy(&all, sum, sizeof all);
        all += v;
        memcpy(sum, &all, sizeof all);
    } else {
        memcpy(&all, sum, n * sizeof *sum);
        all += v;
        memcpy(sum, &all, n * sizeof *sum);
    }
}

lanes_inline lanes lanes_keep(size_t n, lanes v) {
    for (size_t i = n; i < LANES; ++i) {
        v[i] = 0;
    }
    return v;
}

lanes_inline lanes lanes_if_less(lanes a, lanes b, lanes x, lanes y) {
    const bits less = (bits)(a < b);
    return (lanes)(((bits)x & less) | ((bits)y & ~less));
}

lanes_inline double lanes_sum(lanes v) {
    double sum = v[0];
    for (size_t i = 1; i < LANES; ++i) {
        sum += v[i];
    }
    return sum;
}

lanes_inline double lanes_max(lanes v) {
    double largest = v[0];
    for (size_t i = 1; i < LANES; ++i) {
        largest = v[i] > largest ? v[i] : largest;
    }
    return largest;
}

lanes_inline lanes lanes_map(double (*f)(double), lanes v) {
    for (size_t i = 0; i < LANES; ++i) {
        v[i] = f(v[i]);
    }
    return v;
}

lanes_inline lanes lanes_power(lanes v) {
    return (lanes)(((bits)v << 52) + 0x3ff0000000000000);
}
