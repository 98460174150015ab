/* Template: the sums that a norm's Jacobian is measured by, after math/norm_rows.inc.h.
 *
 * P_ii - u_i^2 cancels only where u_i^2 > 1/2, that is in at most one entry, the largest. There it is
 * the part of the other entries that the spike does not explain,
 *     RMS   1 - u_i^2 = sum over j != i of u_j^2
 *     layer 1 - 1/d - u_i^2 = (d-1)/d sum over j != i of (u_j + u_i/(d-1))^2        since sum u = 0
 * a sum without subtraction of like numbers. */

static double unit_entry(const struct lnstab__row_moments *row, double x) {
    double y = (x - row->mean) / row->unit;
    return row->square > 0 ? y / sqrt(row->square) : 0.0;
}

static size_t largest_entry(const struct lnstab__norm_map *map, const real *x,
                            const struct lnstab__row_moments *row) {
    size_t largest = 0;
    for (size_t i = 1; i < map->width; ++i) {
        if (fabs((double)x[i] - row->mean) > fabs((double)x[largest] - row->mean)) {
            largest = i;
        }
    }
    return largest;
}

static double unexplained(const struct lnstab__norm_map *map, const real *x,
                          const struct lnstab__row_moments *row, size_t spike) {
    const double d = (double)map->width;
    const int layer = map->kind == LNSTAB__NORM_LAYER;
    double shift = layer && map->width > 1 ? unit_entry(row, (double)x[spike]) / (d - 1.0) : 0.0;
    double sum = 0;
    for (size_t i = 0; i < map->width; ++i) {
        double rest = unit_entry(row, (double)x[i]) + shift;
        sum += i == spike ? 0.0 : rest * rest;
    }
    return layer ? sum * (d - 1.0) / d : sum;
}

static void norm_jacobian(const struct lnstab__norm_map *map, const void *row_of_x,
                          struct lnstab__row_jacobian *out) {
    const real *x = row_of_x;
    struct lnstab__row_moments row;
    measure_row(map, x, &row);
    const size_t spike = largest_entry(map, x, &row);
    const double diagonal = map->kind == LNSTAB__NORM_LAYER ? 1.0 - 1.0 / (double)map->width : 1.0;
    const double spike_left = row.square > 0 ? unexplained(map, x, &row, spike) : diagonal;
    *out = (struct lnstab__row_jacobian){.rstd = row.rstd, .k = map->eps * row.rstd * row.rstd};
    for (size_t i = 0; i < map->width; ++i) {
        const double gamma = gamma_at(map, i), u = unit_entry(&row, (double)x[i]);
        /* for d = 2 both entries are the largest */
        const double left = i == spike || (map->kind == LNSTAB__NORM_LAYER && map->width == 2)
                                ? spike_left
                                : diagonal - u * u;
        out->projected += gamma * gamma * left;
        out->along += gamma * gamma * u * u;
    }
}
