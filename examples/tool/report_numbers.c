#include "report_parts.h"

#include <math.h>

void put_mean(struct table *t, struct estimate e) {
    double percent = 100 * half_width(e, 0.05) / fabs(e.mean);
    if (isnan(e.mean))
        table_put(t, "-");
    else if (!isfinite(percent))
        table_put(t, "%.4g", e.mean);
    else
        table_put(t, percent < 100 ? "%.4g+-%.2g%%" : "%.4g+-%.0f%%", e.mean, percent);
}

/* Without the 0 before the point, to save room. */
static const char *shortened(char text[24], int digits, double value) {
    snprintf(text, 24, "%.*f", digits, value);
    return *text == '0' ? text + 1 : text;
}

void put_interval(struct table *t, struct estimate e) {
    char half[24];
    if (isnan(e.mean))
        table_put(t, "-");
    else
        table_put(t, "%.3f+-%s", e.mean, shortened(half, 3, half_width(e, 0.05)));
}

void put_fraction(struct table *t, const struct fraction *f) {
    char lower[24], upper[24];
    table_put(t, "%.3f [%s,%s]", f->estimate, shortened(lower, 2, f->lower),
              shortened(upper, 2, f->upper));
}

void put_number(struct table *t, int digits, double value) {
    if (isnan(value))
        table_put(t, "-");
    else
        table_put(t, "%.*f", digits, value);
}

void put_significant(struct table *t, double value) {
    if (isnan(value))
        table_put(t, "-");
    else
        table_put(t, "%.3g", value);
}
