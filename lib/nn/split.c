#include "nn/split.h"

struct lnstab__pace lnstab__pace_of(int split_products) {
    static const struct lnstab__pace asleep = {0, LNSTAB__GRAIN}, awake = {500, 2048};
    return split_products ? awake : asleep;
}

struct cut {
    lnstab__span_work *work;
    const void *argument;
    size_t items;
};

size_t lnstab__split_parts(const struct lnstab__run *run, size_t items, size_t units_each) {
    const size_t workers = lnstab__workers_count(run->workers);
    const size_t most = workers < items ? workers : items;
    if (most < 2) {
        return 1;
    }
    const size_t worth = (size_t)((double)items * (double)units_each / (double)run->grain);
    return worth < 2 ? 1 : worth < most ? worth : most;
}

static void do_part(const void *argument, size_t part, size_t parts) {
    const struct cut *cut = argument;
    const size_t each = cut->items / parts, more = cut->items % parts;
    const size_t first = part * each + (part < more ? part : more);
    cut->work(cut->argument,
              (struct lnstab__span){part, first, first + each + (part < more ? 1 : 0)});
}

size_t lnstab__split(const struct lnstab__run *run, size_t items, size_t units_each,
                     lnstab__span_work *work, const void *argument) {
    const struct cut cut = {work, argument, items};
    const size_t parts = lnstab__split_parts(run, items, units_each);
    lnstab__workers_run(run->workers, parts, do_part, &cut);
    return parts;
}

struct lnstab__run lnstab__run_alone(const struct lnstab__run *run) {
    struct lnstab__run alone = *run;
    alone.workers = NULL;
    return alone;
}

/* Arrays of rows x width, y NULL where there is one argument. */
struct elements {
    const struct lnstab__kernels *k;
    size_t width;
    double a, b;
    const void *x, *y;
    void *out;
};

static void do_elements(const void *argument, struct lnstab__span span) {
    const struct elements *e = argument;
    const size_t at = span.first * e->width, n = (span.last - span.first) * e->width;
    const void *x = lnstab__at_const(e->k, e->x, at);
    void *out = lnstab__at(e->k, e->out, at);
    if (e->y) {
        e->k->add_scaled(n, e->a, x, e->b, lnstab__at_const(e->k, e->y, at), out);
    } else {
        e->k->scale(n, e->a, x, out);
    }
}

void lnstab__split_scale(const struct lnstab__run *run, size_t rows, size_t width, double a,
                         const void *x, void *out) {
    const struct elements e = {run->kernels, width, a, 0, x, NULL, out};
    lnstab__split(run, rows, width, do_elements, &e);
}

void lnstab__split_add_scaled(const struct lnstab__run *run, size_t rows, size_t width, double a,
                              const void *x, double b, const void *y, void *out) {
    const struct elements e = {run->kernels, width, a, b, x, y, out};
    lnstab__split(run, rows, width, do_elements, &e);
}

double *lnstab__part_room(const struct lnstab__run *run, size_t part) {
    return run->work->columns + part * 2 * run->work->column_count;
}

void lnstab__add_rooms(const struct lnstab__run *run, size_t parts, size_t offset, size_t count,
                       void *sum) {
    double *total = lnstab__part_room(run, 0) + offset;
    for (size_t part = 1; part < parts; ++part) {
        const double *room = lnstab__part_room(run, part) + offset;
        for (size_t j = 0; j < count; ++j) {
            total[j] += room[j];
        }
    }
    run->kernels->add_doubles(count, total, sum);
}
