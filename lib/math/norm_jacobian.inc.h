/* Template: the sums that a norm's Jacobian is measured by, after math/norm_rows.inc.h.
 *
 * P_ii - u_i^2 cancels only where u_i^2 > P_ii/2, that is in the largest entry. There it is
 * the part of the other entries that the spike does not explain,
 *     RMS   1 - u_i^2 = sum over j != i of u_j^2
 *     layer 1 - 1/d - u_i^2 = (d-1)/d sum over j != i of (u_j + u_i/(d-1))^2        since sum u = 0
 * a sum without subtraction of like numbers. */

/* u_i of one row */
struct direction {
    struct centre centre;
    double inverse_unit, inverse_norm;
};

static double unit_entry(const struct direction *to, element x) {
    return centred(to->centre, x) * to->inverse_unit * to->inverse_norm;
}

static double unexplained(const struct lnstab__norm_map *map, const element *x,
                          const struct direction *to, size_t spike) {
    const double d = (double)map->width;
    const int layer = map->kind == LNSTAB__NORM_LAYER;
    const double shift = layer ? unit_entry(to, x[spike]) / (d - 1.0) : 0.0;
    double sum = 0;
    for (size_t i = 0; i < map->width; ++i) {
        const double rest = unit_entry(to, x[i]) + shift;
        sum += i == spike ? 0.0 : rest * rest;
    }
    return layer ? sum * (d - 1.0) / d : sum;
}

/* gamma = 1: the trace of P, less that of u u^T. */
static void sum_alike(const struct lnstab__norm_map *map, const struct lnstab__row_moments *row,
                      struct lnstab__row_jacobian *out) {
    out->along = row->square > 0 ? 1.0 : 0.0;
    out->projected = (double)(map->width - (map->kind == LNSTAB__NORM_LAYER)) - out->along;
}

/* sum of gamma_i^2 (P_ii - u_i^2) where one u_i^2 is most of P_ii; for d = 2 both are. */
static double projected_with_spike(const struct lnstab__norm_map *map, const element *x,
                                   const struct direction *to, double diagonal, size_t spike) {
    const int all = map->kind == LNSTAB__NORM_LAYER && map->width == 2;
    const double left = unexplained(map, x, to, spike);
    double sum = 0;
    for (size_t i = 0; i < map->width; ++i) {
        const double gamma = gamma_at(map, i), u = unit_entry(to, x[i]);
        sum += gamma * gamma * (i == spike || all ? left : diagonal - u * u);
    }
    return sum;
}

static void sum_by_gamma(const struct lnstab__norm_map *map, const element *x,
                         const struct lnstab__row_moments *row, struct lnstab__row_jacobian *out) {
    const double diagonal = map->kind == LNSTAB__NORM_LAYER ? 1.0 - 1.0 / (double)map->width : 1.0;
    const struct direction to = {.centre = {row->mean, row->rest},
                                 .inverse_unit = 1.0 / row->unit,
                                 .inverse_norm = row->square > 0 ? 1.0 / sqrt(row->square) : 0.0};
    double squares = 0, largest = 0;
    size_t spike = 0;
    for (size_t i = 0; i < map->width; ++i) {
        const double gamma = gamma_at(map, i), u = unit_entry(&to, x[i]);
        squares += gamma * gamma;
        out->along += gamma * gamma * u * u;
        spike = u * u > largest ? i : spike;
        largest = u * u > largest ? u * u : largest;
    }
    /* all there is to cancel is what J loses of u, 1 - k^2 */
    const double lost = out->one_less_k * (1.0 + out->k);
    out->projected = largest * lost > diagonal / 2
                         ? projected_with_spike(map, x, &to, diagonal, spike)
                         : diagonal * squares - out->along;
}

static void norm_jacobian(const struct lnstab__norm_map *map, const void *x,
                          struct lnstab__row_jacobian *out) {
    const struct lnstab__row_moments row = measure_about(map, x, find_centre(map, x));
    const double scaled = row.unit * row.rstd;
    const int exact = map->eps == 0 && row.square > 0 && isfinite(row.square);
    *out = (struct lnstab__row_jacobian){
        .mean = row.mean,
        .rest = row.rest,
        .rstd = row.rstd,
        .k = exact ? 0.0 : map->eps * row.rstd * row.rstd,
        .one_less_k = exact ? 1.0 : row.square / (double)map->width * scaled * scaled,
        .unit = row.unit,
        .square = row.square};
    if (map->gamma) {
        sum_by_gamma(map, x, &row, out);
    } else {
        sum_alike(map, &row, out);
    }
}
