#include "report_parts.h"

#include <math.h>

void put_mean(struct table *t, struct estimate e) {
    if (isnan(e.mean))
        table_put(t, "-");
    else
        table_put(t, "%.4g+-%.2g%%", e.mean, 100 * half_width(e, 0.05) / fabs(e.mean));
}

void put_interval(struct table *t, struct estimate e) {
    if (isnan(e.mean))
        table_put(t, "-");
    else
        table_put(t, "%.3f+-%.3f", e.mean, half_width(e, 0.05));
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
