#include "report_parts.h"

#include <inttypes.h>
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
    table_put(t, "%s", g->placement[one->at.placement].label);
    table_put(t, "%g", g->ratio[one->at.ratio]);
    table_put(t, "%" PRId64,
              one->axis == ALONG_DEPTH ? g->width[one->at.width] : g->depth[one->at.depth]);
    put_interval(t, one->measured, true);
    put_number(t, 3, one->predicted, one->covered);
    put_interval(t, raw->measured, true);
    put_number(t, 3, raw->predicted, raw->covered);
    put_number(t, 3, one->bound, isfinite(one->bound));
}

void print_fits(FILE *out, const struct fits *f, const struct grid *g, enum fit_axis axis) {
    struct table t;
    bool depth = axis == ALONG_DEPTH;
    if ((depth ? g->depths : g->widths) < 2)
        return;
    table_start(&t, depth ? "placement|rho|d|ratio|predicted|raw norm|predicted|bound"
                          : "placement|rho|L|ratio|predicted|raw norm|predicted|bound");
    for (int i = 0; i < f->count; i++)
        if (f->fit[i].axis == axis && f->fit[i].quantity == RATIO)
            put_fit(&t, f, &f->fit[i], g);
    fprintf(out, "\nExponent in %s over %s of the grid\n\n", depth ? "depth" : "width",
            depth ? "the L" : "the d");
    table_print(&t, out);
}
