/* Template: LayerNorm and RMSNorm on rows. Statistics are double and two-pass: the mean first, then the
 * squares about it, so that [40000, 40001, ...] keeps its variance. They are made anew in the backward
 * pass and the jvp from x, which those passes read anyway, and so need no memory of their own.
 *
 *     s^2 = ||x - mean||^2/d + eps,  z = (x - mean)/s,  y = scale (gamma z + bias)
 *     dx = (scale/s) [ t - mean(t) - z mean(t z) ],  t = gamma dy          RMS: no mean, z = x/s
 *     jv = scale gamma (1/s) [ v - mean(v) - z mean(v z) ]
 *
 * Rows are of element, read by load and written by store; gamma, bias and their gradients are real. */

static double gamma_at(const struct lnstab__norm_map *map, size_t i) {
    return map->gamma ? (double)((const real *)map->gamma)[i] : 1.0;
}

/* The mean in two parts, mean + rest, so that x - mean - rest has the digits of x where the mean is many
 * times the spread: x - mean is then exact, and rest is what the mean is short of. */
struct centre {
    double mean, rest;
};

static double centred(struct centre c, element x) {
    return load(x) - c.mean - c.rest;
}

lanes_inline lanes centred_lanes(struct centre c, size_t n, const element *x) {
    return lanes_keep(n, lanes_load(n, x) - c.mean - c.rest);
}

static double sum_about(size_t width, const element *x, double mean) {
    lanes sum = lanes_of(0.0);
    FOR_LANES(i, n, width, { sum += centred_lanes((struct centre){mean, 0}, n, x + i); });
    return lanes_sum(sum);
}

/* A sum of numbers of 24 digits or less is exact in double where the mean is far, and so is its distance
 * from that of a mean of 24 digits. In float64 the rest is the mean of a second pass, whose
 * differences are then small multiples of one ulp. */
static struct centre find_centre(const struct lnstab__norm_map *map, const element *x) {
    if (map->kind != LNSTAB__NORM_LAYER) {
        return (struct centre){0, 0};
    }
    const double d = (double)map->width, sum = sum_about(map->width, x, 0.0);
    const double mean = (double)(real)(sum / d);
    const int exact = sizeof(real) < sizeof(double);
    const double rest = (exact ? sum - d * mean : sum_about(map->width, x, mean)) / d;
    return (struct centre){mean, rest};
}

static double centred_square(const struct lnstab__norm_map *map, const element *x, struct centre c,
                             double unit) {
    lanes sum = lanes_of(0.0);
    FOR_LANES(i, n, map->width, {
        const lanes y = centred_lanes(c, n, x + i) * unit;
        sum += y * y;
    });
    return lanes_sum(sum);
}

static double largest_centred(const struct lnstab__norm_map *map, const element *x,
                              struct centre c) {
    double largest = 0;
    for (size_t i = 0; i < map->width; ++i) {
        largest = fmax(largest, fabs(centred(c, x[i])));
    }
    return largest;
}

/* Squares of float64 entries beyond 1e150 overflow, below 1e-150 they vanish: such a row is measured
 * again in units of its largest entry. */
static void measure_row(const struct lnstab__norm_map *map, const element *x,
                        struct lnstab__row_moments *out) {
    const struct centre c = find_centre(map, x);
    double unit = 1.0, square = centred_square(map, x, c, 1.0);
    if (square > 1e290 || square < 1e-280) {
        const double largest = largest_centred(map, x, c);
        if (largest > 0 && isfinite(largest)) {
            int exponent;
            frexp(largest, &exponent);
            exponent = exponent < -1020 ? -1020 : exponent > 1020 ? 1020 : exponent;
            unit = ldexp(1.0, exponent);
            square = centred_square(map, x, c, 1.0 / unit);
        }
    }
    const double variance = square / (double)map->width;
    const double s =
        unit == 1.0 ? sqrt(variance + map->eps) : hypot(unit * sqrt(variance), sqrt(map->eps));
    *out = (struct lnstab__row_moments){
        .mean = c.mean, .rest = c.rest, .rstd = 1.0 / s, .unit = unit, .square = square};
}

lanes_inline lanes normalised_lanes(const struct lnstab__row_moments *row, size_t n,
                                    const element *x) {
    return centred_lanes((struct centre){row->mean, row->rest}, n, x) * row->rstd;
}

static void normalise_row(const struct lnstab__norm_map *map, const element *x, element *y) {
    struct lnstab__row_moments row;
    measure_row(map, x, &row);
    FOR_LANES(i, n, map->width, {
        const lanes z = normalised_lanes(&row, n, x + i);
        const lanes gamma = lanes_load_real(n, affine_at(map->gamma, i), 1.0);
        const lanes bias = lanes_load_real(n, affine_at(map->bias, i), 0.0);
        lanes_store(n, map->scale * (gamma * z + bias), y + i);
    });
}

static void scale_row(const struct lnstab__norm_map *map, const element *x, element *y) {
    FOR_LANES(i, n, map->width, { lanes_store(n, map->scale * lanes_load(n, x + i), y + i); });
}

static void norm_forward(const struct lnstab__norm_map *map, size_t rows, const void *x,
                         ptrdiff_t ldx, void *y, ptrdiff_t ldy) {
    for (size_t i = 0; i < rows; ++i) {
        const element *in = (const element *)x + (ptrdiff_t)i * ldx;
        element *out = (element *)y + (ptrdiff_t)i * ldy;
        (map->kind == LNSTAB__NORM_NONE ? scale_row : normalise_row)(map, in, out);
    }
}

/* t: gamma dy where gamma stands before the projection, else v */
lanes_inline lanes tangent_lanes(const struct lnstab__norm_map *map, size_t n, size_t i,
                                 const element *t, int gamma_before) {
    const real *gamma = gamma_before ? affine_at(map->gamma, i) : NULL;
    return lanes_load(n, t + i) * lanes_load_real(n, gamma, 1.0);
}

/* Means of t and of t z. */
struct projection {
    double mean, along;
};

static struct projection measure_tangent(const struct lnstab__norm_map *map, const element *x,
                                         const struct lnstab__row_moments *row, const element *t,
                                         int gamma_before) {
    const double d = (double)map->width;
    lanes sum = lanes_of(0.0), along = lanes_of(0.0);
    FOR_LANES(i, n, map->width, {
        const lanes value = lanes_keep(n, tangent_lanes(map, n, i, t, gamma_before));
        sum += value;
        along += value * normalised_lanes(row, n, x + i);
    });
    return (struct projection){map->kind == LNSTAB__NORM_LAYER ? lanes_sum(sum) / d : 0.0,
                               lanes_sum(along) / d};
}

/* out = (1/s) [ t - mean(t) - z mean(t z) ], t = before dy, then times after: the one symmetric map
 * that the backward pass (gamma before) and the jvp (gamma after) share. */
static void project_row(const struct lnstab__norm_map *map, const element *x,
                        const struct lnstab__row_moments *row, const element *t, element *out,
                        int gamma_before) {
    const struct projection onto = measure_tangent(map, x, row, t, gamma_before);
    const double factor = map->scale * row->rstd;
    FOR_LANES(i, n, map->width, {
        const real *after = gamma_before ? NULL : affine_at(map->gamma, i);
        const lanes value = tangent_lanes(map, n, i, t, gamma_before) - onto.mean -
                            normalised_lanes(row, n, x + i) * onto.along;
        lanes_store(n, factor * value * lanes_load_real(n, after, 1.0), out + i);
    });
}

static void add_affine_gradient(const struct lnstab__norm_map *map, const element *x,
                                const struct lnstab__row_moments *row, const element *dy,
                                double *dgamma, double *dbias) {
    FOR_LANES(i, n, map->width, {
        const lanes d = map->scale * lanes_load(n, dy + i);
        lanes_add(n, d * normalised_lanes(row, n, x + i), dgamma + i);
        lanes_add(n, d, dbias + i);
    });
}

static void norm_backward(const struct lnstab__norm_map *map, size_t rows, const void *x,
                          ptrdiff_t ldx, const void *dy, ptrdiff_t lddy, void *dx, ptrdiff_t lddx,
                          double *sums) {
    if (sums) {
        memset(sums, 0, 2 * map->width * sizeof *sums);
    }
    for (size_t i = 0; i < rows; ++i) {
        const element *in = (const element *)x + (ptrdiff_t)i * ldx;
        const element *up = (const element *)dy + (ptrdiff_t)i * lddy;
        element *out = dx ? (element *)dx + (ptrdiff_t)i * lddx : NULL;
        struct lnstab__row_moments row;
        if (map->kind == LNSTAB__NORM_NONE) {
            if (out) {
                scale_row(map, up, out);
            }
            continue;
        }
        measure_row(map, in, &row);
        if (sums) {
            add_affine_gradient(map, in, &row, up, sums, sums + map->width);
        }
        if (out) {
            project_row(map, in, &row, up, out, 1);
        }
    }
}

static void norm_jvp(const struct lnstab__norm_map *map, size_t rows, const void *x, ptrdiff_t ldx,
                     const void *v, ptrdiff_t ldv, void *jv, ptrdiff_t ldjv) {
    for (size_t i = 0; i < rows; ++i) {
        const element *in = (const element *)x + (ptrdiff_t)i * ldx;
        const element *along = (const element *)v + (ptrdiff_t)i * ldv;
        element *out = (element *)jv + (ptrdiff_t)i * ldjv;
        struct lnstab__row_moments row;
        if (map->kind == LNSTAB__NORM_NONE) {
            scale_row(map, along, out);
        } else {
            measure_row(map, in, &row);
            project_row(map, in, &row, along, out, 0);
        }
    }
}
