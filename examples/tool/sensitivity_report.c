#include "sensitivity.h"

#include "description.h"
#include "json.h"
#include "study_report.h"

#include <math.h>
#include <stdlib.h>

const char *const sensitivity_names[] = {"sublayers", "singular_values", "norms_by_layer", NULL};

/* ---- over seeds ---- */

/* The most of them that can be asked for is in study_verb.c; means of more than this do not get better. */
typedef double value_fn(const struct sensitivity *s, int seed, int64_t i, int q);

static struct estimate over_seeds(const struct sensitivity *s, double *room, value_fn *of,
                                  int64_t i, int q) {
    for (int seed = 0; seed < s->seeds; seed++)
        room[seed] = of(s, seed, i, q);
    return estimate_of(room, s->seeds);
}

static double row_value(const struct sensitivity *s, int seed, int64_t row, int q) {
    return sensitivity_value(s, seed, row, (enum sensitivity_quantity)q);
}

static double sigma_value(const struct sensitivity *s, int seed, int64_t i, int q) {
    (void)q;
    return sensitivity_sigma(s, seed, i);
}

static void put_growth(struct table *t, struct estimate e) {
    table_estimate(t, e.mean, half_width(e, 0.05), 3);
}

/* ---- the tables ---- */

static void put_place(struct table *t, const struct sensitivity *s, int64_t k) {
    bool is_final = k == 2 * s->layers;
    table_integer(t, is_final ? s->layers : k / 2 + 1);
    table_text(t, "%s", is_final ? "norm_final" : k % 2 ? "ffn" : "attn");
}

static void report_sublayers(struct document *d, const struct sensitivity *s, double *room) {
    static const struct table_column columns[] = {
        {"layer", "layer", TABLE_NUMBER},           {"sublayer", "", TABLE_TEXT},
        {"local", "local ||J||_2", TABLE_ESTIMATE}, {"product", "product", TABLE_ESTIMATE},
        {"whole", "||J||_2", TABLE_ESTIMATE},       {"ratio", "product/||J||_2", TABLE_ESTIMATE},
        {"frobenius", "||J||_F", TABLE_ESTIMATE},   {"frobenius_error", "its error", TABLE_NUMBER},
        {"growth", "growth", TABLE_ESTIMATE},       {NULL, NULL, TABLE_TEXT}};
    struct table *t = document_table(d, "sublayers", NULL, columns);
    for (int64_t k = 0; k < s->rows; k++) {
        put_place(t, s, k);
        for (int q = 0; q < SENSITIVITY_QUANTITIES; q++) {
            const struct estimate e = over_seeds(s, room, row_value, k, q);
            if (q == SENSITIVITY_ERROR)
                table_significant(t, 2, e.mean);
            else
                (q == SENSITIVITY_GROWTH ? put_growth : put_measured)(t, e);
        }
    }
    document_paragraph(
        d,
        "local ||J||_2: of the Jacobian of one sublayer; ||J||_2 and ||J||_F: of the whole way "
        "from embed.out; product: of\n"
        "the local norms up to there%s. its error: the standard error that\n"
        "%lld probes leave in ||J||_F of one seed. growth: ln ||J||_2 a layer, the finite-depth "
        "Lyapunov exponent.\n"
        "With 95 %% over seeds.",
        s->token ? ", which bounds no block of one token" : ", which bounds ||J||_2 from above",
        (long long)s->probes);
}

static void report_values(struct document *d, const struct sensitivity *s, double *room) {
    static const struct table_column columns[] = {{"place", "", TABLE_NUMBER},
                                                  {"sigma", "sigma", TABLE_ESTIMATE},
                                                  {"residual", "residual/sigma_1", TABLE_NUMBER},
                                                  {"converged", "converged", TABLE_TEXT},
                                                  {NULL, NULL, TABLE_TEXT}};
    struct table *t = document_table(d, "singular_values", NULL, columns);
    int64_t iterations = 0, unconverged = 0;
    for (int64_t i = 0; i < s->k; i++) {
        double worst = 0;
        int converged = 0;
        for (int seed = 0; seed < s->seeds; seed++) {
            double residual = sensitivity_residual(s, seed, i),
                   first = sensitivity_sigma(s, seed, 0);
            worst = isnan(residual) ? residual : fmax(worst, first > 0 ? residual / first : 0);
            converged += sensitivity_counted(s, seed, SENSITIVITY_CONVERGED) > i;
        }
        table_integer(t, i + 1);
        put_measured(t, over_seeds(s, room, sigma_value, i, 0));
        table_significant(t, 2, worst);
        table_text(t, "%d of %d", converged, s->seeds);
    }
    for (int seed = 0; seed < s->seeds; seed++) {
        int64_t here = sensitivity_counted(s, seed, SENSITIVITY_ITERATIONS);
        iterations = here > iterations ? here : iterations;
        unconverged += sensitivity_counted(s, seed, SENSITIVITY_UNCONVERGED);
    }
    document_paragraph(d,
                       "Singular values of d output/d embed.out, with the largest residual of any "
                       "seed. At most %lld products with J and J^T\n"
                       "each. Norms of the table above that did not converge: %lld.",
                       (long long)iterations, (long long)unconverged);
}

/* Behind an attention half a layer, behind a final norm the last. */
static double place(const struct sensitivity *s, int64_t k) {
    return k == 2 * s->layers ? (double)s->layers : (double)(k + 1) / 2;
}

static void draw(struct document *d, const struct sensitivity *s, double *room) {
    static const struct {
        enum sensitivity_quantity q;
        const char *label;
        enum figure_tone tone;
    } series[] = {{SENSITIVITY_PRODUCT, "product of local norms", FIGURE_DARK},
                  {SENSITIVITY_WHOLE, "norm of the product", FIGURE_ACCENT},
                  {SENSITIVITY_LOCAL, "local norms", FIGURE_MEDIUM}};
    struct figure *f = document_figure(d, "norms_by_layer", "Norms of Jacobians", "layer",
                                       "||J||_2", FIGURE_LOG_Y);
    figure_panel(f, "");
    for (size_t i = 0; i < sizeof series / sizeof series[0]; i++) {
        figure_series(f, series[i].label, FIGURE_POINTS, series[i].tone);
        for (int64_t k = 0; k < s->rows; k++) {
            const struct estimate e = over_seeds(s, room, row_value, k, (int)series[i].q);
            const double half = half_width(e, 0.05);
            figure_point(f, place(s, k), e.mean, e.mean - half, e.mean + half);
        }
    }
}

static bool describe(struct document *d, const struct sensitivity *s) {
    char message[MESSAGE_SIZE];
    lnstab_config *c;
    if (!design_config(s->assignments, NULL, &c, message)) {
        usage_error("%s: %s", s->label, message);
        return false;
    }
    const char *json = description_of(&d->pool, c);
    document_code(d, "The keys", s->assignments);
    document_code(d, "What they build", json ? json : "");
    lnstab_config_destroy(c);
    return json != NULL;
}

bool sensitivity_report(struct document *d, const struct sensitivity *s,
                        const struct study_verb *v) {
    double *room = malloc((size_t)s->seeds * sizeof *room);
    document_start(d, "lnstab sensitivity", "");
    if (!room) {
        usage_error("no memory for the report");
        return false;
    }
    d->subtitle = pool_print(&d->pool, "%s, L = %lld, d = %lld, n = %lld, %s, %s", s->label,
                             (long long)s->layers, (long long)s->width, (long long)s->tokens,
                             s->token ? pool_print(&d->pool, "token %lld", (long long)s->token)
                                      : "the whole sequence",
                             study_verb_seeds(v, &d->pool));
    document_heading(d, "Sublayer by sublayer");
    report_sublayers(d, s, room);
    draw(d, s, room);
    document_heading(d, "The stack");
    report_values(d, s, room);
    document_appendix(d);
    document_heading(d, "Configuration");
    const bool good = describe(d, s);
    document_origin(d, &v->origin);
    free(room);
    return good;
}

/* ---- JSON: every seed ---- */

static void write_seed(struct json *j, const struct sensitivity *s, int seed) {
    static const char *const names[SENSITIVITY_QUANTITIES] = {
        "local", "product", "whole", "ratio", "frobenius", "frobenius_error", "growth"};
    json_open(j, NULL, '{');
    for (int q = 0; q < SENSITIVITY_QUANTITIES; q++) {
        json_open(j, names[q], '[');
        for (int64_t k = 0; k < s->rows; k++)
            json_number(j, NULL, row_value(s, seed, k, q));
        json_close(j, ']');
    }
    json_open(j, "sigma", '[');
    for (int64_t i = 0; i < s->k; i++)
        json_number(j, NULL, sensitivity_sigma(s, seed, i));
    json_close(j, ']');
    json_open(j, "residual", '[');
    for (int64_t i = 0; i < s->k; i++)
        json_number(j, NULL, sensitivity_residual(s, seed, i));
    json_close(j, ']');
    json_integer(j, "iterations", sensitivity_counted(s, seed, SENSITIVITY_ITERATIONS));
    json_integer(j, "converged", sensitivity_counted(s, seed, SENSITIVITY_CONVERGED));
    json_integer(j, "norms_not_converged", sensitivity_counted(s, seed, SENSITIVITY_UNCONVERGED));
    json_close(j, '}');
}

void sensitivity_json(FILE *out, const struct sensitivity *s) {
    struct json j = {out, 0, true};
    json_open(&j, NULL, '{');
    json_text(&j, "design", s->label);
    json_text(&j, "assignments", s->assignments);
    json_integer(&j, "layers", s->layers);
    json_integer(&j, "width", s->width);
    json_integer(&j, "tokens", s->tokens);
    json_integer(&j, "token", s->token);
    json_integer(&j, "probes", s->probes);
    json_open(&j, "seeds", '[');
    for (int seed = 0; seed < s->seeds; seed++)
        write_seed(&j, s, seed);
    json_close(&j, ']');
    json_close(&j, '}');
}
