#include "grid.h"

#include "usage.h"

#include "lnstab.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef bool add_value(struct grid *g, const char *text);

static bool refuse(const char *axis, const char *value, const char *why) {
    usage_error("grid: %s=%s %s", axis, value, why);
    return false;
}

/* The largest value that the library takes for a key whose range is least..most. */
static long long limit_of(const char *key) {
    const char *range = "";
    for (int32_t row = 0; row < lnstab_table_count("keys"); row++)
        if (strcmp(lnstab_table_text("keys", row, "name"), key) == 0)
            range = lnstab_table_text("keys", row, "range");
    const char *dots = strstr(range, "..");
    return dots ? strtoll(dots + 2, NULL, 10) : INT32_MAX;
}

static bool refuse_above(const char *axis, const char *value, long long limit) {
    usage_error("grid: %s=%s is above the limit of %lld", axis, value, limit);
    return false;
}

static bool add_whole(const char *axis, const char *text, long long most, int64_t *values,
                      int *count) {
    char *end;
    long long number = strtoll(text, &end, 10);
    if (end == text || *end)
        return refuse(axis, text, "is not a whole number");
    if (number < 1)
        return refuse(axis, text, "is below 1");
    if (number > most)
        return refuse_above(axis, text, most);
    for (int i = 0; i < *count; i++)
        if (values[i] == number)
            return refuse(axis, text, "stands there twice");
    values[(*count)++] = number;
    return true;
}

static bool add_depth(struct grid *g, const char *text) {
    return add_whole("L", text, limit_of("layers"), g->depth, &g->depths);
}

static bool add_width(struct grid *g, const char *text) {
    return add_whole("d", text, limit_of("width"), g->width, &g->widths);
}

static bool add_ratio(struct grid *g, const char *text) {
    char *end;
    double number = strtod(text, &end);
    if (end == text || *end || !isfinite(number))
        return refuse("rho", text, "is not a number");
    if (!(number > 0))
        return refuse("rho", text, "is not above 0");
    for (int i = 0; i < g->ratios; i++)
        if (!(g->ratio[i] < number || g->ratio[i] > number))
            return refuse("rho", text, "stands there twice");
    g->ratio[g->ratios++] = number;
    return true;
}

/* prefix and text, with the colons of text as blanks. False if there is no room. */
static bool spell(char out[GRID_TEXT_MAX], const char *prefix, const char *text) {
    int length = snprintf(out, GRID_TEXT_MAX, "%s%s", prefix, text);
    for (char *colon = out; (colon = strchr(colon, ':'));)
        *colon = ' ';
    return length < GRID_TEXT_MAX;
}

static bool add_placement(struct grid *g, const char *text) {
    struct grid_placement *p = &g->placement[g->placements];
    if (!spell(p->label, "", text) || !spell(p->assignments, "placement=", text))
        return refuse("placement", text, "is too long");
    for (int i = 0; i < g->placements; i++)
        if (strcmp(g->placement[i].label, p->label) == 0)
            return refuse("placement", text, "stands there twice");
    g->placements++;
    return true;
}

static const struct axis {
    const char *name;
    add_value *add;
    size_t count; /* where struct grid counts it */
} axes[] = {
    {"placement", add_placement, offsetof(struct grid, placements)},
    {"L", add_depth, offsetof(struct grid, depths)},
    {"d", add_width, offsetof(struct grid, widths)},
    {"rho", add_ratio, offsetof(struct grid, ratios)},
};

#define AXES (sizeof axes / sizeof axes[0])

static int *axis_count(struct grid *g, const struct axis *a) {
    return (int *)(void *)((char *)g + a->count);
}

/* list is cut at its commas. An empty item is refused by the axis, as no number and no placement. */
static bool parse_list(struct grid *g, const struct axis *a, char *list) {
    int *count = axis_count(g, a);
    *count = 0;
    for (char *item = list, *comma; item; item = comma ? comma + 1 : NULL) {
        if ((comma = strchr(item, ',')))
            *comma = '\0';
        if (!*item)
            return refuse(a->name, item, "has an empty value");
        if (*count == GRID_AXIS_MAX)
            return refuse(a->name, item, "is one value too many: the limit is 16");
        if (!a->add(g, item))
            return false;
    }
    return true;
}

static bool parse_axis(struct grid *g, char *word) {
    char *equals = strchr(word, '=');
    for (size_t i = 0; equals && i < AXES; i++)
        if (strlen(axes[i].name) == (size_t)(equals - word) &&
            strncmp(word, axes[i].name, (size_t)(equals - word)) == 0)
            return parse_list(g, &axes[i], equals + 1);
    usage_error("grid: %s is not one of placement=, L=, d=, rho=", word);
    return false;
}

static bool parse_text(struct grid *g, const char *text) {
    char *copy = malloc(strlen(text) + 1), *rest = copy;
    bool good = copy != NULL;
    if (good)
        strcpy(copy, text);
    while (good && *(rest += strspn(rest, BLANKS))) {
        char *word = rest;
        rest += strcspn(rest, BLANKS);
        if (*rest)
            *rest++ = '\0';
        good = parse_axis(g, word);
    }
    free(copy);
    return good;
}

static bool check_ratio(double ratio, int64_t width, long long limit) {
    double wide = ratio * (double)width;
    if (wide > (double)limit)
        usage_error("grid: rho=%g times d=%lld is %g, above the FFN width's limit of %lld", ratio,
                    (long long)width, wide, limit);
    else if (!(fabs(wide - round(wide)) <= 1e-9 * wide) || round(wide) < 1)
        usage_error("grid: rho=%g times d=%lld is %g, not a whole FFN width of at least 1", ratio,
                    (long long)width, wide);
    else
        return true;
    return false;
}

static bool check_ratios(const struct grid *g) {
    long long limit = limit_of("ffn_width");
    for (int r = 0; r < g->ratios; r++)
        for (int w = 0; w < g->widths; w++)
            if (!check_ratio(g->ratio[r], g->width[w], limit))
                return false;
    return true;
}

bool grid_parse(struct grid *g, const char *standard, const char *text) {
    memset(g, 0, sizeof *g);
    return parse_text(g, standard) && parse_text(g, text) && check_ratios(g);
}

int grid_cells(const struct grid *g) {
    return g->placements * g->ratios * g->widths * g->depths;
}

struct cell grid_cell(const struct grid *g, int index) {
    struct cell c;
    c.depth = index % g->depths;
    index /= g->depths;
    c.width = index % g->widths;
    index /= g->widths;
    c.ratio = index % g->ratios;
    c.placement = index / g->ratios;
    return c;
}

int grid_index(const struct grid *g, struct cell c) {
    return ((c.placement * g->ratios + c.ratio) * g->widths + c.width) * g->depths + c.depth;
}

int64_t grid_ffn_width(const struct grid *g, struct cell c) {
    return llround(g->ratio[c.ratio] * (double)g->width[c.width]);
}
