/* Template: activations, gated or not. Each is one function that gives value and slope, computed in
 * double: the value of GELU keeps its digits where 1 + erf cancels by erfc.
 *     gelu u Phi(u), Phi(u) = erfc(-u/sqrt 2)/2      gelu_tanh u (1 + tanh(a (u + b u^3)))/2
 *     silu u sigma(u)                                relu: slope 0 at 0, NaN kept */

struct act_point {
    double value, slope;
};

static struct act_point relu_at(double u) {
    const double on = u > 0 ? 1.0 : u != u ? u : 0.0;
    return (struct act_point){u < 0 ? 0.0 : u, on};
}

static struct act_point gelu_at(double u) {
    const double root_half = 0.70710678118654752440, root_two_pi = 2.50662827463100050242;
    const double phi = 0.5 * erfc(-u * root_half);
    const double density = exp(-0.5 * u * u) / root_two_pi;
    return (struct act_point){u * phi, phi + (density > 0 ? u * density : density)};
}

static struct act_point gelu_tanh_at(double u) {
    const double a = 0.79788456080286535588, b = 0.044715; /* a = sqrt(2/pi) */
    const double t = tanh(a * (u + b * u * u * u));
    const double bend = 1.0 - t * t;
    return (struct act_point){0.5 * u * (1.0 + t),
                              0.5 * (1.0 + t) +
                                  (bend > 0 ? 0.5 * u * bend * a * (1.0 + 3.0 * b * u * u) : bend)};
}

static struct act_point silu_at(double u) {
    const double sigma = 1.0 / (1.0 + exp(-u));
    const double rest = sigma * (1.0 - sigma);
    return (struct act_point){u * sigma, sigma + (rest > 0 ? u * rest : rest)};
}

static struct act_point act_at(enum lnstab__activation act, double u) {
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
    const real *u = pre, *gate = up;
    real *out = h;
    for (size_t i = 0; i < n; ++i) {
        out[i] = (real)(act_at(act, (double)u[i]).value * (gate ? (double)gate[i] : 1.0));
    }
}

static void activate_vjp(enum lnstab__activation act, size_t n, const void *pre, const void *up,
                         const void *dh, void *dpre, void *dup) {
    const real *u = pre, *gate = up, *d = dh;
    real *to_pre = dpre, *to_up = dup;
    for (size_t i = 0; i < n; ++i) {
        const struct act_point at = act_at(act, (double)u[i]);
        const double down = (double)d[i];
        if (gate) {
            to_up[i] = (real)(down * at.value);
        }
        to_pre[i] = (real)(down * at.slope * (gate ? (double)gate[i] : 1.0));
    }
}

static void activate_jvp(enum lnstab__activation act, size_t n, const void *pre, const void *up,
                         const void *tpre, const void *tup, void *th) {
    const real *u = pre, *gate = up, *t = tpre, *t_gate = tup;
    real *out = th;
    for (size_t i = 0; i < n; ++i) {
        const struct act_point at = act_at(act, (double)u[i]);
        double value = at.slope * (double)t[i];
        if (gate) {
            value = value * (double)gate[i] + at.value * (double)t_gate[i];
        }
        out[i] = (real)value;
    }
}
