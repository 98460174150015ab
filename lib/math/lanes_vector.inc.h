/* Template: lanes_count doubles at once, by the vectors of GNU C, which need no flag: with those of a
 * processor they are its registers. The words are those of math/lanes_base.inc.h. */

#define lanes_inline static inline __attribute__((always_inline))

enum { LANES = lanes_count };
typedef double lanes __attribute__((vector_size(lanes_count * sizeof(double))));
typedef int64_t bits __attribute__((vector_size(lanes_count * sizeof(int64_t))));
typedef uint64_t words
    __attribute__((vector_size(lanes_count * sizeof(uint64_t)))); /* without overflow */
typedef real reals __attribute__((vector_size(lanes_count * sizeof(real))));

/* What compilers make more instructions of than a processor has; a table may name its own. */
#ifndef lanes_widen
#define lanes_widen(x) __builtin_convertvector(x, lanes)
#define lanes_narrow(x) __builtin_convertvector(x, reals)
#define lanes_larger(a, b) lanes_if_less(b, a, a, b)
#define lanes_smaller(a, b) lanes_if_less(a, b, a, b)
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
    bits place = {0};
    for (size_t i = 0; i < LANES; ++i) {
        place[i] = (int64_t)i;
    }
    return n == LANES ? v : (lanes)((bits)v & (place < (int64_t)n));
}

lanes_inline lanes lanes_if_less(lanes a, lanes b, lanes x, lanes y) {
    const bits less = (bits)(a < b);
    return (lanes)(((bits)x & less) | ((bits)y & ~less));
}

lanes_inline lanes lanes_abs(lanes v) {
    return (lanes)((bits)v & INT64_MAX);
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

/* As many numbers as fill a register of the vector's size. */
typedef real packed __attribute__((vector_size(sizeof(lanes))));
enum { PACKED = sizeof(packed) / sizeof(real) };

lanes_inline packed packed_larger(packed a, const real *x) {
    packed b;
    memcpy(&b, x, sizeof b);
    const __typeof__(a < b) less = a < b;
    return (packed)(((__typeof__(less))b & less) | ((__typeof__(less))a & ~less));
}

lanes_inline double largest_of(size_t n, const real *x) {
    const size_t whole = n - n % PACKED;
    real largest = -(real)INFINITY;
    packed all = largest - (packed){0};
    for (size_t i = 0; i < whole; i += PACKED) {
        all = packed_larger(all, x + i);
    }
    for (size_t i = 0; i < PACKED; ++i) {
        largest = all[i] > largest ? all[i] : largest;
    }
    for (size_t i = whole; i < n; ++i) {
        largest = x[i] > largest ? x[i] : largest;
    }
    return (double)largest;
}

lanes_inline lanes lanes_map(double (*f)(double), lanes v) {
    for (size_t i = 0; i < LANES; ++i) {
        v[i] = f(v[i]);
    }
    return v;
}

lanes_inline lanes lanes_times_power(lanes p, lanes v) {
    return (lanes)((words)p + ((words)v << 52));
}
