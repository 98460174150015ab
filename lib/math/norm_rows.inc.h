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

lanes_inline double centred_square(const struct lnstab__norm_map *map, const element *x,
                                   struct centre c, double unit) {
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
static struct lnstab__row_moments measure_about(const struct lnstab__norm_map *map,
                                                const element *x, struct centre c) {
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
    return (struct lnstab__row_moments){
        .mean = c.mean, .rest = c.rest, .rstd = 1.0 / s, .unit = unit, .square = square};
}

/* One call of a kernel: rows of x and out, and of t, which is dy or v, ld* apart. */
struct norm_call {
    const struct lnstab__norm_map *map;
    const element *x, *t;
    element *out;
    ptrdiff_t ldx, ldt, ldo;
    double *sums;
};

static const element *row_of_x(const struct norm_call *c, size_t i) {
    return c->x + (ptrdiff_t)i * c->ldx;
}

static const element *row_of_t(const struct norm_call *c, size_t i) {
    return c->t + (ptrdiff_t)i * c->ldt;
}

static element *row_of_out(const struct norm_call *c, size_t i) {
    return c->out + (ptrdiff_t)i * c->ldo;
}

/* Of rows first..last-1, at most ROWS_AT_ONCE. */
static void measure_rows(const struct norm_call *c, size_t first, size_t last,
                         struct lnstab__row_moments *out) {
    struct centre centre[ROWS_AT_ONCE];
    for (size_t i = first; i < last; ++i) {
        centre[i - first] = find_centre(c->map, row_of_x(c, i));
    }
    for (size_t i = first; i < last; ++i) {
        out[i - first] = measure_about(c->map, row_of_x(c, i), centre[i - first]);
    }
}

lanes_inline lanes normalised_lanes(const struct lnstab__row_moments *row, size_t n,
                                    const element *x) {
    return centred_lanes((struct centre){row->mean, row->rest}, n, x) * row->rstd;
}

lanes_inline void normalise_row(const struct lnstab__norm_map *map, const element *x,
                                const struct lnstab__row_moments *row, element *y) {
    FOR_LANES(i, n, map->width, {
        const lanes z = normalised_lanes(row, n, x + i);
        const lanes gamma = lanes_load_real(n, affine_at(map->gamma, i), 1.0);
        const lanes bias = lanes_load_real(n, affine_at(map->bias, i), 0.0);
        lanes_store(n, map->scale * (gamma * z + bias), y + i);
    });
}

static void normalise_rows(const struct norm_call *c, size_t first, size_t last) {
    const struct lnstab__norm_map map = *c->map; /* which no store can change */
    struct lnstab__row_moments row[ROWS_AT_ONCE];
    measure_rows(c, first, last, row);
    for (size_t i = first; i < last; ++i) {
        normalise_row(&map, row_of_x(c, i), &row[i - first], row_of_out(c, i));
    }
}

static void scale_row(const struct lnstab__norm_map *map, const element *x, element *y) {
    FOR_LANES(i, n, map->width, { lanes_store(n, map->scale * lanes_load(n, x + i), y + i); });
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

static struct projection projection_of(const struct lnstab__norm_map *map, lanes sum, lanes along) {
    const double d = (double)map->width;
    return (struct projection){map->kind == LNSTAB__NORM_LAYER ? lanes_sum(sum) / d : 0.0,
                               lanes_sum(along) / d};
}

/* Where sums are wanted, dy z and dy are added to them on the way. */
lanes_inline struct projection measure_tangent(const struct lnstab__norm_map *map, const element *x,
                                               const struct lnstab__row_moments *row,
                                               const element *t, int gamma_before, double *sums) {
    lanes sum = lanes_of(0.0), along = lanes_of(0.0);
    FOR_LANES(i, n, map->width, {
        const lanes z = normalised_lanes(row, n, x + i);
        const lanes value = lanes_keep(n, tangent_lanes(map, n, i, t, gamma_before));
        sum += value;
        along += value * z;
        if (sums) {
            const lanes d = map->scale * lanes_load(n, t + i);
            lanes_add(n, d * z, sums + i);
            lanes_add(n, d, sums + map->width + i);
        }
    });
    return projection_of(map, sum, along);
}

/* out = (1/s) [ t - mean(t) - z mean(t z) ], t = before dy, then times after: the one symmetric map
 * that the backward pass (gamma before) and the jvp (gamma after) share. */
lanes_inline void project_row(const struct lnstab__norm_map *map, const element *x,
                              const struct lnstab__row_moments *row, const element *t,
                              struct projection onto, element *out, int gamma_before) {
    const double factor = map->scale * row->rstd, slope = row->rstd * onto.along;
    const struct centre centre = {row->mean, row->rest};
    FOR_LANES(i, n, map->width, {
        const real *after = gamma_before ? NULL : affine_at(map->gamma, i);
        const lanes value = tangent_lanes(map, n, i, t, gamma_before) - onto.mean -
                            centred_lanes(centre, n, x + i) * slope;
        lanes_store(n, factor * value * lanes_load_real(n, after, 1.0), out + i);
    });
}

lanes_inline void project_rows(const struct norm_call *c, size_t first, size_t last,
                               int gamma_before) {
    const struct lnstab__norm_map map = *c->map; /* which no store can change */
    struct lnstab__row_moments row[ROWS_AT_ONCE];
    struct projection onto[ROWS_AT_ONCE];
    measure_rows(c, first, last, row);
    for (size_t i = first; i < last; ++i) {
        onto[i - first] = measure_tangent(&map, row_of_x(c, i), &row[i - first], row_of_t(c, i),
                                          gamma_before, c->sums);
    }
    for (size_t i = first; c->out && i < last; ++i) {
        project_row(&map, row_of_x(c, i), &row[i - first], row_of_t(c, i), onto[i - first],
                    row_of_out(c, i), gamma_before);
    }
}

static void backward_rows(const struct norm_call *c, size_t first, size_t last) {
    project_rows(c, first, last, 1);
}

static void jvp_rows(const struct norm_call *c, size_t first, size_t last) {
    project_rows(c, first, last, 0);
}

static void scale_rows(const struct norm_call *c, size_t first, size_t last) {
    for (size_t i = first; c->out && i < last; ++i) {
        scale_row(c->map, row_of_t(c, i), row_of_out(c, i));
    }
}

static void in_groups(const struct norm_call *c, size_t rows,
                      void (*group)(const struct norm_call *c, size_t first, size_t last)) {
    for (size_t i = 0; i < rows; i += ROWS_AT_ONCE) {
        (c->map->kind == LNSTAB__NORM_NONE ? scale_rows : group)(c, i, group_end(i, rows));
    }
}

static void norm_forward(const struct lnstab__norm_map *map, size_t rows, const void *x,
                         ptrdiff_t ldx, void *y, ptrdiff_t ldy) {
    const struct norm_call c = {map, x, x, y, ldx, ldx, ldy, NULL};
    in_groups(&c, rows, normalise_rows);
}

static void norm_backward(const struct lnstab__norm_map *map, size_t rows, const void *x,
                          ptrdiff_t ldx, const void *dy, ptrdiff_t lddy, void *dx, ptrdiff_t lddx,
                          double *sums) {
    const struct norm_call c = {map, x, dy, dx, ldx, lddy, lddx, sums};
    if (sums) {
        memset(sums, 0, 2 * map->width * sizeof *sums);
    }
    in_groups(&c, rows, backward_rows);
}

static void norm_jvp(const struct lnstab__norm_map *map, size_t rows, const void *x, ptrdiff_t ldx,
                     const void *v, ptrdiff_t ldv, void *jv, ptrdiff_t ldjv) {
    const struct norm_call c = {map, x, v, jv, ldx, ldv, ldjv, NULL};
    in_groups(&c, rows, jvp_rows);
}
