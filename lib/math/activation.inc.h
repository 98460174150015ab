/* Template: activations, gated or not. Each is one function that gives value and slope, computed in
 * double, of an entry u and of c, which is u kept where a further u changes nothing, so that no product is
 * infinity times 0. GELU's tail is computed as such: 1 + erf would cancel.
 *     gelu u Phi(u), Phi(-|u|) = row_tail     silu u sigma(u)
 *     gelu_tanh u (1 + tanh t)/2 = u sigma(2t), t = a (u + b u^3)
 *     relu slope 0 at 0, NaN kept */

struct act_point {
    lanes value, slope;
};

static inline struct act_point relu_at(lanes u) {
    const lanes zero = lanes_of(0.0), nan_or_zero = lanes_if_less(u, zero, zero, u - u);
    return (struct act_point){lanes_if_less(u, zero, zero, u),
                              lanes_if_less(zero, u, lanes_of(1.0), nan_or_zero)};
}

/* u phi, with c instead of u up to where phi is 1 */
static inline lanes times_u(lanes u, lanes c, double limit, lanes phi) {
    return lanes_if_less(lanes_of(limit), u, u, c) * phi;
}

static inline struct act_point gelu_at(lanes u) {
    const double limit = 64, per_root_two_pi = 0.39894228040143267794;
    const lanes c = lanes_clamp(u, -limit, limit), zero = lanes_of(0.0);
    const lanes exponential = row_exp(-0.5 * c * c);
    const lanes tail = row_tail(lanes_if_less(c, zero, -c, c), exponential);
    const lanes phi = lanes_if_less(c, zero, tail, 1.0 - tail);
    return (struct act_point){times_u(u, c, limit, phi), phi + c * (exponential * per_root_two_pi)};
}

static inline struct act_point gelu_tanh_at(lanes u) {
    const double limit = 64, a = 0.79788456080286535588, b = 0.044715; /* a = sqrt(2/pi) */
    const lanes c = lanes_clamp(u, -limit, limit), square = c * c;
    const lanes sigma = 1.0 / (1.0 + row_exp(-2.0 * a * c * (1.0 + b * square)));
    return (struct act_point){times_u(u, c, limit, sigma), sigma + c * (sigma * (1.0 - sigma)) *
                                                                       (2.0 * a) *
                                                                       (1.0 + 3.0 * b * square)};
}

static inline struct act_point silu_at(lanes u) {
    const double limit = 750;
    const lanes c = lanes_clamp(u, -limit, limit), sigma = 1.0 / (1.0 + row_exp(-c));
    return (struct act_point){times_u(u, c, limit, sigma), sigma + c * (sigma * (1.0 - sigma))};
}

static inline struct act_point act_at(enum lnstab__activation act, lanes u) {
    switch (act) {
    case LNSTAB__GELU:
        return gelu_at(u);
    case LNSTAB__GELU_TANH:
        return gelu_tanh_at(u);
    case LNSTAB__SILU:
        return silu_at(u);
    case LNSTAB__RELU:
    default:
        return relu_at(u);
    }
}

static void activate(enum lnstab__activation act, size_t n, const void *pre, const void *up,
                     void *h) {
    for (size_t i = 0; i < n; i += LANES) {
        const size_t count = lanes_left(n, i);
        const struct act_point at = act_at(act, lanes_load(count, (const real *)pre + i));
        lanes_store(count, at.value * lanes_load_real(count, affine_at(up, i), 1.0), (real *)h + i);
    }
}

static void activate_vjp(enum lnstab__activation act, size_t n, const void *pre, const void *up,
                         const void *dh, void *dpre, void *dup) {
    for (size_t i = 0; i < n; i += LANES) {
        const size_t count = lanes_left(n, i);
        const struct act_point at = act_at(act, lanes_load(count, (const real *)pre + i));
        const lanes gate = lanes_load_real(count, affine_at(up, i), 1.0);
        const lanes d = lanes_load(count, (const real *)dh + i);
        if (up) {
            lanes_store(count, d * at.value, (real *)dup + i);
        }
        lanes_store(count, d * at.slope * gate, (real *)dpre + i);
    }
}

static void activate_jvp(enum lnstab__activation act, size_t n, const void *pre, const void *up,
                         const void *tpre, const void *tup, void *th) {
    for (size_t i = 0; i < n; i += LANES) {
        const size_t count = lanes_left(n, i);
        const struct act_point at = act_at(act, lanes_load(count, (const real *)pre + i));
        const lanes gate = lanes_load_real(count, affine_at(up, i), 1.0);
        const lanes t = lanes_load(count, (const real *)tpre + i);
        const lanes t_gate = lanes_load_real(count, up ? affine_at(tup, i) : NULL, 0.0);
        lanes_store(count, at.slope * t * gate + at.value * t_gate, (real *)th + i);
    }
}
