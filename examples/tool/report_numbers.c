#include "report_parts.h"

#include "not_finite.h"

void put_mean(struct table *t, struct estimate e) {
    double percent = 100 * half_width(e, 0.05) / fabs(e.mean);
    if (!isfinite(percent))
        table_put(t, "%.4g", shown(e.mean));
    else
        table_put(t, percent < 100 ? "%.4g+-%.2g%%" : "%.4g+-%.0f%%", e.mean, percent);
}

/* Without the 0 before the point, to save room. */
static const char *shortened(char text[24], int digits, double value) {
    snprintf(text, 24, "%.*f", digits, shown(value));
    return *text == '0' ? text + 1 : text;
}

void put_interval(struct table *t, struct estimate e, bool covered) {
    char text[24];
    double half = half_width(e, 0.05);
    if (!covered)
        table_put(t, "-");
    else if (!isfinite(half))
        table_put(t, "%.3f", shown(e.mean));
    else
        table_put(t, "%.3f+-%s", e.mean, shortened(text, 3, half));
}

void put_fraction(struct table *t, const struct fraction *f) {
    char lower[24], upper[24];
    if (isnan(f->estimate))
        table_put(t, "nan");
    else
        table_put(t, "%.3f [%s,%s]", f->estimate, shortened(lower, 2, f->lower),
                  shortened(upper, 2, f->upper));
}

void put_number(struct table *t, int digits, double value, bool covered) {
    if (covered)
        table_put(t, "%.*f", digits, shown(value));
    else
        table_put(t, "-");
}

void put_significant(struct table *t, double value, bool covered) {
    if (covered)
        table_put(t, "%.3g", shown(value));
    else
        table_put(t, "-");
}
