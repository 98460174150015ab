#include "report_parts.h"

void put_mean(struct table *t, struct estimate e) {
    table_relative(t, e.mean, half_width(e, 0.05));
}

void put_interval(struct table *t, struct estimate e, bool covered) {
    if (covered)
        table_estimate(t, e.mean, half_width(e, 0.05), 3);
    else
        table_missing(t);
}

void put_number(struct table *t, int digits, double value, bool covered) {
    if (covered)
        table_number(t, digits, value);
    else
        table_missing(t);
}

void put_significant(struct table *t, double value, bool covered) {
    if (covered)
        table_significant(t, 3, value);
    else
        table_missing(t);
}
