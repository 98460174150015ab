/* Template: LayerNorm and RMSNorm on rows. Statistics are double and two-pass: the mean first, then the
 * squares about it, so that [40000, 40001, ...] keeps its variance. They are made anew in the backward
 * pass and the jvp from x, which those passes read anyway, and so need no memory of their own.
 *
 *     s^2 = ||x - mean||^2/d + eps,  z = (x - mean)/s,  y = scale (gamma z + bias)
 *     dx = (scale/s) [ t - mean(t) - z mean(t z) ],  t = gamma dy          RMS: no mean, z = x/s
 *     jv = scale gamma (1/s) [ v - mean(v) - z mean(v z) ]
 */

static double gamma_at(const struct lnstab__norm_map *map, size_t i) {
    return map->gamma ? (double)((const real *)map->gamma)[i] : 1.0;
}

static double mean_about(size_t width, const real *x, double centre) {
    double sum = 0;
    for (size_t i = 0; i < width; ++i) {
        sum += (double)x[i] - centre;
    }
    return centre + sum / (double)width;
}

/* A sum of float32 is exact enough in double. In float64 the mean is taken a second time about the
 * first, which makes that of a constant row exact and that of a far-off row good to its last digit. */
static double row_mean(const struct lnstab__norm_map *map, const real *x) {
    if (map->kind != LNSTAB__NORM_LAYER) {
        return 0.0;
    }
    double mean = mean_about(map->width, x, 0.0);
    return sizeof(real) < sizeof(double) ? mean : mean_about(map->width, x, mean);
}

static double centred_square(const struct lnstab__norm_map *map, const real *x, double mean,
                             double unit) {
    double sum = 0;
    for (size_t i = 0; i < map->width; ++i) {
        double y = ((double)x[i] - mean) * unit;
        sum += y * y;
    }
    return sum;
}

static double largest_centred(const struct lnstab__norm_map *map, const real *x, double mean) {
    double largest = 0;
    for (size_t i = 0; i < map->width; ++i) {
        largest = fmax(largest, fabs((double)x[i] - mean));
    }
    return largest;
}

/* Squares of float64 entries beyond 1e150 overflow, below 1e-150 they vanish: such a row is measured
 * again in units of its largest entry. */
static void measure_row(const struct lnstab__norm_map *map, const real *x,
                        struct lnstab__row_moments *out) {
    double mean = row_mean(map, x), unit = 1.0;
    double square = centred_square(map, x, mean, 1.0);
    if (square > 1e290 || square < 1e-280) {
        double largest = largest_centred(map, x, mean);
        if (largest > 0 && isfinite(largest)) {
            int exponent;
            frexp(largest, &exponent);
            exponent = exponent < -1020 ? -1020 : exponent > 1020 ? 1020 : exponent;
            unit = ldexp(1.0, exponent);
            square = centred_square(map, x, mean, 1.0 / unit);
        }
    }
    double variance = square / (double)map->width;
    double s =
        unit == 1.0 ? sqrt(variance + map->eps) : hypot(unit * sqrt(variance), sqrt(map->eps));
    *out =
        (struct lnstab__row_moments){.mean = mean, .rstd = 1.0 / s, .unit = unit, .square = square};
}

static void normalise_row(const struct lnstab__norm_map *map, const real *x, real *y) {
    struct lnstab__row_moments row;
    measure_row(map, x, &row);
    const real *bias = map->bias;
    for (size_t i = 0; i < map->width; ++i) {
        double z = ((double)x[i] - row.mean) * row.rstd;
        y[i] = (real)(map->scale * (gamma_at(map, i) * z + (bias ? (double)bias[i] : 0.0)));
    }
}

static void scale_row(const struct lnstab__norm_map *map, const real *x, real *y) {
    for (size_t i = 0; i < map->width; ++i) {
        y[i] = (real)(map->scale * (double)x[i]);
    }
}

static void norm_forward(const struct lnstab__norm_map *map, size_t rows, const void *x,
                         ptrdiff_t ldx, void *y, ptrdiff_t ldy) {
    for (size_t i = 0; i < rows; ++i) {
        const real *in = (const real *)x + (ptrdiff_t)i * ldx;
        real *out = (real *)y + (ptrdiff_t)i * ldy;
        (map->kind == LNSTAB__NORM_NONE ? scale_row : normalise_row)(map, in, out);
    }
}

/* out = (1/s) [ t - mean(t) - z mean(t z) ], t = before dy, then times after: the one symmetric map
 * that the backward pass (gamma before) and the jvp (gamma after) share. */
static void project_row(const struct lnstab__norm_map *map, const real *x,
                        const struct lnstab__row_moments *row, const real *t, real *out,
                        int gamma_before) {
    double sum = 0, along = 0;
    for (size_t i = 0; i < map->width; ++i) {
        double value = (double)t[i] * (gamma_before ? gamma_at(map, i) : 1.0);
        sum += value;
        along += value * (((double)x[i] - row->mean) * row->rstd);
    }
    double mean = map->kind == LNSTAB__NORM_LAYER ? sum / (double)map->width : 0.0;
    along /= (double)map->width;
    double factor = map->scale * row->rstd;
    for (size_t i = 0; i < map->width; ++i) {
        double gamma = gamma_at(map, i), z = ((double)x[i] - row->mean) * row->rstd;
        double value = (double)t[i] * (gamma_before ? gamma : 1.0) - mean - z * along;
        out[i] = (real)(factor * value * (gamma_before ? 1.0 : gamma));
    }
}

static void add_affine_gradient(const struct lnstab__norm_map *map, const real *x,
                                const struct lnstab__row_moments *row, const real *dy,
                                double *dgamma, double *dbias) {
    for (size_t i = 0; i < map->width; ++i) {
        double z = ((double)x[i] - row->mean) * row->rstd;
        dgamma[i] += map->scale * (double)dy[i] * z;
        dbias[i] += map->scale * (double)dy[i];
    }
}

static void norm_backward(const struct lnstab__norm_map *map, size_t rows, const void *x,
                          ptrdiff_t ldx, const void *dy, ptrdiff_t lddy, void *dx, ptrdiff_t lddx,
                          double *room, void *dgamma, void *dbias) {
    memset(room, 0, 2 * map->width * sizeof *room);
    for (size_t i = 0; i < rows; ++i) {
        const real *in = (const real *)x + (ptrdiff_t)i * ldx;
        const real *up = (const real *)dy + (ptrdiff_t)i * lddy;
        real *out = dx ? (real *)dx + (ptrdiff_t)i * lddx : NULL;
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
        const real *in = (const real *)x + (ptrdiff_t)i * ldx;
        const real *along = (const real *)v + (ptrdiff_t)i * ldv;
        real *out = (real *)jv + (ptrdiff_t)i * ldjv;
        struct lnstab__row_moments row;
        if (map->kind == LNSTAB__NORM_NONE) {
            scale_row(map, along, out);
        } else {
            measure_row(map, in, &row);
            project_row(map, in, &row, along, out, 0);
        }
    }
}
