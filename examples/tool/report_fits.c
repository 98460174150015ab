#include "report_parts.h"

#include <math.h>
#include <string.h>

static const struct fit *twin(const struct fits *f, const struct fit *one) {
    for (int i = 0; i < f->count; i++)
        if (f->fit[i].axis == one->axis && f->fit[i].quantity == RAW &&
            memcmp(&f->fit[i].at, &one->at, sizeof one->at) == 0)
            return &f->fit[i];
    return one;
}

static void put_fit(struct table *t, const struct fits *f, const struct fit *one,
                    const struct grid *g) {
    const struct fit *raw = twin(f, one);
    table_text(t, "%s", g->placement[one->at.placement].label);
    table_significant(t, 6, g->ratio[one->at.ratio]);
    table_integer(t, one->axis == ALONG_DEPTH ? g->width[one->at.width] : g->depth[one->at.depth]);
    put_interval(t, one->measured, true);
    put_number(t, 3, one->predicted, one->covered);
    put_interval(t, raw->measured, true);
    put_number(t, 3, raw->predicted, raw->covered);
    put_number(t, 3, one->bound, isfinite(one->bound));
}

#define EXPONENT_COLUMNS                                                                           \
    {"token_ratio_exponent", "ratio", TABLE_ESTIMATE},                                             \
        {"token_ratio_exponent_predicted", "predicted", TABLE_NUMBER},                             \
        {"raw_norm_exponent", "raw norm", TABLE_ESTIMATE},                                         \
        {"raw_norm_exponent_predicted", "predicted", TABLE_NUMBER},                                \
        {"printed_bound_exponent", "bound", TABLE_NUMBER}, {                                       \
        NULL, NULL, TABLE_TEXT                                                                     \
    }

static const struct table_column in_depth[] = {{"placement", "placement", TABLE_TEXT},
                                               {"rho", "rho", TABLE_NUMBER},
                                               {"d", "d", TABLE_NUMBER},
                                               EXPONENT_COLUMNS};

static const struct table_column in_width[] = {{"placement", "placement", TABLE_TEXT},
                                               {"rho", "rho", TABLE_NUMBER},
                                               {"L", "L", TABLE_NUMBER},
                                               EXPONENT_COLUMNS};

void report_fits(struct document *d, const struct fits *f, const struct grid *g,
                 enum fit_axis axis) {
    bool depth = axis == ALONG_DEPTH;
    if ((depth ? g->depths : g->widths) < 2)
        return;
    document_heading(d, "Exponent in %s over %s of the grid", depth ? "depth" : "width",
                     depth ? "the L" : "the d");
    struct table *t = document_table(d, depth ? "exponents_in_depth" : "exponents_in_width", NULL,
                                     depth ? in_depth : in_width);
    for (int i = 0; i < f->count; i++)
        if (f->fit[i].axis == axis && f->fit[i].quantity == RATIO)
            put_fit(t, f, &f->fit[i], g);
}
