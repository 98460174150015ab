/* Template: activations, gated or not. Each is one function that gives value and slope, computed in
 * double, of an entry u and of c, which is u kept where a further u changes nothing, low being so from below
 * alone, so that no product is infinity times 0. GELU's tail is computed as such: 1 + erf would cancel.
 *     gelu u Phi(u), Phi(-|u|) = row_tail     silu u sigma(u)
 *     gelu_tanh u (1 + tanh t)/2 = u sigma(2t), t = a (u + b u^3)
 *     relu slope 0 at 0, NaN kept */

struct act_point {
    lanes value, slope;
};

lanes_inline struct act_point relu_at(lanes u) {
    const lanes zero = lanes_of(0.0), nan_or_zero = lanes_if_less(u, zero, zero, u - u);
    return (struct act_point){lanes_larger(zero, u),
                              lanes_if_less(zero, u, lanes_of(1.0), nan_or_zero)};
}

lanes_inline struct act_point gelu_at(lanes u) {
    const double per_root_two_pi = 0.39894228040143267794;
    const lanes low = lanes_larger(lanes_of(-row_tail_limit), u);
    const lanes c = lanes_smaller(lanes_of(row_tail_limit), low);
    const lanes bell = row_bell(c), tail = row_tail(lanes_abs(c), bell);
    const lanes phi = lanes_if_less(c, lanes_of(0.0), tail, 1.0 - tail);
    return (struct act_point){low * phi, phi + c * (bell * per_root_two_pi)};
}

/* 1/(1 + e^-v) */
lanes_inline lanes logistic(lanes v) {
    return 1.0 / (1.0 + row_exp(lanes_smaller(lanes_of(row_exp_limit), -v)));
}

lanes_inline struct act_point gelu_tanh_at(lanes u) {
    const double limit = 64, a = 0.79788456080286535588, b = 0.044715; /* a = sqrt(2/pi) */
    const lanes low = lanes_larger(lanes_of(-limit), u), c = lanes_smaller(lanes_of(limit), low);
    const lanes square = c * c, sigma = logistic(2.0 * a * c * (1.0 + b * square));
    return (struct act_point){low * sigma, sigma + c * (sigma * (1.0 - sigma)) * (2.0 * a) *
                                                       (1.0 + 3.0 * b * square)};
}

lanes_inline struct act_point silu_at(lanes u) {
    const double limit = 750;
    const lanes low = lanes_larger(lanes_of(-limit), u), c = lanes_smaller(lanes_of(limit), low);
    const lanes sigma = logistic(c);
    return (struct act_point){low * sigma, sigma + c * (sigma * (1.0 - sigma))};
}

typedef struct act_point activation(lanes u);

/* The loops are made for each activation: only what a loop needs of a point is computed. */
lanes_inline void activate_by(activation *at, size_t n, const real *pre, const real *up, real *h) {
    FOR_LANES(i, count, n, {
        const lanes value = at(lanes_load(count, pre + i)).value;
        lanes_store(count, value * lanes_load_real(count, affine_at(up, i), 1.0), h + i);
    });
}

lanes_inline void activate_vjp_by(activation *at, size_t n, const real *pre, const real *up,
                                  const real *dh, real *dpre, real *dup) {
    FOR_LANES(i, count, n, {
        const struct act_point point = at(lanes_load(count, pre + i));
        const lanes gate = lanes_load_real(count, affine_at(up, i), 1.0);
        const lanes d = lanes_load(count, dh + i);
        if (up) {
            lanes_store(count, d * point.value, dup + i);
        }
        lanes_store(count, d * point.slope * gate, dpre + i);
    });
}

lanes_inline void activate_jvp_by(activation *at, size_t n, const real *pre, const real *up,
                                  const real *tpre, const real *tup, real *th) {
    FOR_LANES(i, count, n, {
        const struct act_point point = at(lanes_load(count, pre + i));
        const lanes gate = lanes_load_real(count, affine_at(up, i), 1.0);
        const lanes t = lanes_load(count, tpre + i);
        const lanes t_gate = lanes_load_real(count, up ? affine_at(tup, i) : NULL, 0.0);
        lanes_store(count, point.slope * t * gate + point.value * t_gate, th + i);
    });
}

/* Calls by with the activation's function before the other arguments. */
#define BY_ACTIVATION(by, ...)                                                                     \
    switch (act) {                                                                                 \
    case LNSTAB__GELU:                                                                             \
        by(gelu_at, __VA_ARGS__);                                                                  \
        break;                                                                                     \
    case LNSTAB__GELU_TANH:                                                                        \
        by(gelu_tanh_at, __VA_ARGS__);                                                             \
        break;                                                                                     \
    case LNSTAB__SILU:                                                                             \
        by(silu_at, __VA_ARGS__);                                                                  \
        break;                                                                                     \
    case LNSTAB__RELU:                                                                             \
    default:                                                                                       \
        by(relu_at, __VA_ARGS__);                                                                  \
    }

static void activate(enum lnstab__activation act, size_t n, const void *pre, const void *up,
                     void *h) {
    BY_ACTIVATION(activate_by, n, pre, up, h);
}

static void activate_vjp(enum lnstab__activation act, size_t n, const void *pre, const void *up,
                         const void *dh, void *dpre, void *dup) {
    BY_ACTIVATION(activate_vjp_by, n, pre, up, dh, dpre, dup);
}

static void activate_jvp(enum lnstab__activation act, size_t n, const void *pre, const void *up,
                         const void *tpre, const void *tup, void *th) {
    BY_ACTIVATION(activate_jvp_by, n, pre, up, tpre, tup, th);
}

#undef BY_ACTIVATION
