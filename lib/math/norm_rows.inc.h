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

/* Sums over a row are kept in so many parts, which a processor adds to at once. */
enum { LANES = 4 };

static double sum_about(size_t width, const element *x, double mean) {
    double sum[LANES] = {0};
    size_t i = 0;
    for (; i + LANES <= width; i += LANES) {
        for (size_t lane = 0; lane < LANES; ++lane) {
            sum[lane] += load(x[i + lane]) - mean;
        }
    }
    for (; i < width; ++i) {
        sum[0] += load(x[i]) - mean;
    }
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
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
    double sum[LANES] = {0};
    size_t i = 0;
    for (; i + LANES <= map->width; i += LANES) {
        for (size_t lane = 0; lane < LANES; ++lane) {
            const double y = centred(c, x[i + lane]) * unit;
            sum[lane] += y * y;
        }
    }
    for (; i < map->width; ++i) {
        const double y = centred(c, x[i]) * unit;
        sum[0] += y * y;
    }
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
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

/* z of one entry */
static double normalised(const struct lnstab__row_moments *row, element x) {
    return (load(x) - row->mean - row->rest) * row->rstd;
}

static void normalise_row(const struct lnstab__norm_map *map, const element *x, element *y) {
    struct lnstab__row_moments row;
    measure_row(map, x, &row);
    const real *bias = map->bias;
    for (size_t i = 0; i < map->width; ++i) {
        double z = normalised(&row, x[i]);
        y[i] = store(map->scale * (gamma_at(map, i) * z + (bias ? (double)bias[i] : 0.0)));
    }
}

static void scale_row(const struct lnstab__norm_map *map, const element *x, element *y) {
    for (size_t i = 0; i < map->width; ++i) {
        y[i] = store(map->scale * load(x[i]));
    }
}

static void norm_forward(const struct lnstab__norm_map *map, size_t rows, const void *x,
                         ptrdiff_t ldx, void *y, ptrdiff_t ldy) {
    for (size_t i = 0; i < rows; ++i) {
        const element *in = (const element *)x + (ptrdiff_t)i * ldx;
        element *out = (element *)y + (ptrdiff_t)i * ldy;
        (map->kind == LNSTAB__NORM_NONE ? scale_row : normalise_row)(map, in, out);
    }
}

/* out = (1/s) [ t - mean(t) - z mean(t z) ], t = before dy, then times after: the one symmetric map
 * that the backward pass (gamma before) and the jvp (gamma after) share. */
static void project_row(const struct lnstab__norm_map *map, const element *x,
                        const struct lnstab__row_moments *row, const element *t, element *out,
                        int gamma_before) {
    double sum = 0, along = 0;
    for (size_t i = 0; i < map->width; ++i) {
        double value = load(t[i]) * (gamma_before ? gamma_at(map, i) : 1.0);
        sum += value;
        along += value * normalised(row, x[i]);
    }
    double mean = map->kind == LNSTAB__NORM_LAYER ? sum / (double)map->width : 0.0;
    along /= (double)map->width;
    double factor = map->scale * row->rstd;
    for (size_t i = 0; i < map->width; ++i) {
        double gamma = gamma_at(map, i), z = normalised(row, x[i]);
        double value = load(t[i]) * (gamma_before ? gamma : 1.0) - mean - z * along;
        out[i] = store(factor * value * (gamma_before ? 1.0 : gamma));
    }
}

static void add_affine_gradient(const struct lnstab__norm_map *map, const element *x,
                                const struct lnstab__row_moments *row, const element *dy,
                                double *dgamma, double *dbias) {
    for (size_t i = 0; i < map->width; ++i) {
        double z = normalised(row, x[i]);
        dgamma[i] += map->scale * load(dy[i]) * z;
        dbias[i] += map->scale * load(dy[i]);
    }
}

static void norm_backward(const struct lnstab__norm_map *map, size_t rows, const void *x,
                          ptrdiff_t ldx, const void *dy, ptrdiff_t lddy, void *dx, ptrdiff_t lddx,
                          double *room, void *dgamma, void *dbias) {
    memset(room, 0, 2 * map->width * sizeof *room);
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
        if (dgamma || dbias) {
            add_affine_gradient(map, in, &row, up, room, room + map->width);
        }
        if (out) {
            project_row(map, in, &row, up, out, 1);
        }
    }
    if (dgamma) {
        add_rounded(map->width, room, dgamma);
    }
    if (dbias) {
        add_rounded(map->width, room + map->width, dbias);
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
