#include "figure_axis.h"

#include <math.h>

#define SPACE 0.06 /* at both ends, of the length */

static double straight(const struct figure_axis *a, double value) {
    return a->log ? log10(value) : value;
}

static double bent(const struct figure_axis *a, double value) {
    return a->log ? pow(10, value) : value;
}

bool axis_takes(const struct figure_axis *a, double value) {
    return isfinite(value) && (!a->log || value > 0);
}

double axis_place(const struct figure_axis *a, double value) {
    double low = straight(a, a->low), high = straight(a, a->high);
    return (straight(a, value) - low) / (high - low);
}

struct figure_axis axis_start(bool log) {
    return (struct figure_axis){.log = log, .low = INFINITY, .high = -INFINITY};
}

void axis_widen(struct figure_axis *a, double value) {
    if (!axis_takes(a, value))
        return;
    a->low = fmin(a->low, value);
    a->high = fmax(a->high, value);
}

/* Nothing, or one value, still has a range. */
static void open_range(struct figure_axis *a) {
    if (a->low > a->high)
        a->low = a->high = 1;
    double low = straight(a, a->low), high = straight(a, a->high);
    double space = high - low > 1e-9 * fabs(high) ? SPACE * (high - low) : a->log ? 0.1 : 0.5;
    a->low = bent(a, low - space);
    a->high = bent(a, high + space);
}

/* A multiple of a step that should be 0 may be a rounding error away from it. */
static void add_tick(struct figure_axis *a, double value) {
    double place = axis_place(a, value);
    if (a->ticks < FIGURE_TICKS && place >= -1e-9 && place <= 1 + 1e-9)
        a->tick[a->ticks++] = fabs(value) < 1e-9 * (a->high - a->low) && !a->log ? 0 : value;
}

/* The least of 1, 2, 5 times a power of ten that is not below least. */
static double round_step(double least) {
    double power = pow(10, floor(log10(least)));
    double times = least / power;
    return power * (times <= 1 ? 1 : times <= 2 ? 2 : times <= 5 ? 5 : 10);
}

static void tick_evenly(struct figure_axis *a, double most) {
    double step = round_step((a->high - a->low) / most);
    for (double i = ceil(a->low / step); i * step <= a->high + step / 1e6; i++)
        add_tick(a, i * step);
}

/* At every so many powers of ten, or, where there is room, at 2 and 5 times them as well. */
static void tick_powers(struct figure_axis *a, double most) {
    double decades = log10(a->high / a->low);
    bool between = 3 * decades <= most;
    double step = fmax(1, round_step(decades / most));
    for (double i = floor(log10(a->low) / step); i * step <= log10(a->high); i++) {
        add_tick(a, pow(10, i * step));
        if (between) {
            add_tick(a, 2 * pow(10, i));
            add_tick(a, 5 * pow(10, i));
        }
    }
}

void axis_close(struct figure_axis *a, double length, double apart) {
    double most = fmin(FIGURE_TICKS - 1, length / apart);
    open_range(a);
    if (a->log)
        tick_powers(a, most);
    if (a->ticks >= 3)
        return;
    a->ticks = 0;
    tick_evenly(a, a->log ? fmin(most, 4) : most);
}

void axis_tick_values(struct figure_axis *a, const double *values, int count, double length,
                      double apart) {
    int kept = a->ticks;
    double last = -INFINITY;
    if (count < 2 || count > FIGURE_TICKS)
        return;
    a->ticks = 0;
    for (int i = 0; i < count; i++) {
        double place = length * axis_place(a, values[i]);
        if (place - last < apart)
            continue;
        add_tick(a, values[i]);
        last = place;
    }
    if (a->ticks < 2)
        a->ticks = kept;
}
