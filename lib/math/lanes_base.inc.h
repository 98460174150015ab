/* Template: a vector of one double, in plain C: what every other lanes_*.inc.h is tested against. The kernels are written
 * in these words and in + - * /, which vectors of GNU C share with numbers. element, real, load and store are as in
 * math/norm_rows.inc.h; n is how many entries of the vector there are, at most LANES. */

#define lanes_inline static inline

typedef double lanes;
enum { LANES = 1 };

lanes_inline lanes lanes_of(double x) {
    return x;
}

lanes_inline lanes lanes_load(size_t n, const element *x) {
    (void)n;
    return load(*x);
}

lanes_inline void lanes_store(size_t n, lanes v, element *out) {
    (void)n;
    *out = store(v);
}

/* Of gamma, bias, a gate; where there is no array, every entry is otherwise. */
lanes_inline lanes lanes_load_real(size_t n, const real *x, double otherwise) {
    (void)n;
    return x ? (double)*x : otherwise;
}

/* sum += v */
lanes_inline void lanes_add(size_t n, lanes v, double *sum) {
    (void)n;
    *sum += v;
}

/* v, and 0 behind its first n entries */
lanes_inline lanes lanes_keep(size_t n, lanes v) {
    (void)n;
    return v;
}

/* a < b ? x : y; a NaN is not less */
lanes_inline lanes lanes_if_less(lanes a, lanes b, lanes x, lanes y) {
    return a < b ? x : y;
}

/* a > b ? a : b and a < b ? a : b, so that a NaN b stays */
lanes_inline lanes lanes_larger(lanes a, lanes b) {
    return a > b ? a : b;
}

lanes_inline lanes lanes_smaller(lanes a, lanes b) {
    return a < b ? a : b;
}

lanes_inline lanes lanes_abs(lanes v) {
    return fabs(v);
}

lanes_inline double lanes_sum(lanes v) {
    return v;
}

lanes_inline double lanes_max(lanes v) {
    return v;
}

/* The largest of n numbers; a NaN is larger than nothing, and so is none at all. */
lanes_inline double largest_of(size_t n, const real *x) {
    real largest = -(real)INFINITY;
    for (size_t i = 0; i < n; ++i) {
        largest = x[i] > largest ? x[i] : largest;
    }
    return (double)largest;
}

/* f of each entry */
lanes_inline lanes lanes_map(double (*f)(double), lanes v) {
    return f(v);
}

/* a b + c, rounded once where the processor has that */
lanes_inline lanes lanes_fused(lanes a, lanes b, lanes c) {
    return a * b + c;
}

/* p 2^n, n in the low bits of the mantissa of v = n + 1.5 2^52; p and the result are normal numbers */
lanes_inline lanes lanes_times_power(lanes p, lanes v) {
    uint64_t bits, more;
    memcpy(&bits, &p, sizeof bits);
    memcpy(&more, &v, sizeof more);
    bits += more << 52;
    memcpy(&p, &bits, sizeof bits);
    return p;
}
