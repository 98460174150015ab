#include "sensitivity.h"

#include "inputs.h"
#include "work.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- where a seed's values are ---- */

int64_t sensitivity_size(const struct sensitivity *s) {
    return s->rows * SENSITIVITY_QUANTITIES + 2 * s->k + 3;
}

static const double *of_seed(const struct sensitivity *s, int seed) {
    return s->values + seed * sensitivity_size(s);
}

double sensitivity_value(const struct sensitivity *s, int seed, int64_t row,
                         enum sensitivity_quantity q) {
    return of_seed(s, seed)[row * SENSITIVITY_QUANTITIES + q];
}

double sensitivity_sigma(const struct sensitivity *s, int seed, int64_t i) {
    return of_seed(s, seed)[s->rows * SENSITIVITY_QUANTITIES + i];
}

double sensitivity_residual(const struct sensitivity *s, int seed, int64_t i) {
    return sensitivity_sigma(s, seed, s->k + i);
}

int64_t sensitivity_counted(const struct sensitivity *s, int seed, enum sensitivity_count what) {
    return (int64_t)sensitivity_sigma(s, seed, 2 * s->k + what);
}

/* ---- one model ---- */

struct block {
    lnstab_model *m;
    int64_t first, rows, probes;
    uint64_t seed;
    double unconverged;
};

/* The state behind row k = 0..2L of the table. */
static const char *name_state(const struct sensitivity *s, int64_t k, char name[64]) {
    if (k >= 2 * s->layers)
        return "output";
    snprintf(name, 64, "layer.%lld.%s.out", (long long)(k / 2 + 1), k % 2 ? "ffn" : "attn");
    return name;
}

static bool measure_norm(struct block *b, const char *from, const char *to, double *norm) {
    double residual;
    int32_t converged;
    if (lnstab_model_singular_values(b->m, from, to, b->first, b->rows, 1, norm, &residual, NULL,
                                     &converged) != LNSTAB_OK)
        return false;
    b->unconverged += converged < 1;
    return true;
}

static bool measure_row(const struct sensitivity *s, struct block *b, int64_t k, double before,
                        double *row) {
    char from[64], to[64];
    const char *in = k > 0 ? name_state(s, k - 1, from) : "embed.out", *out = name_state(s, k, to);
    if (!measure_norm(b, in, out, &row[SENSITIVITY_LOCAL]) ||
        !measure_norm(b, "embed.out", out, &row[SENSITIVITY_WHOLE]) ||
        lnstab_model_jacobian_frobenius(b->m, "embed.out", out, b->first, b->rows,
                                        (int32_t)b->probes, b->seed, &row[SENSITIVITY_FROBENIUS],
                                        &row[SENSITIVITY_ERROR]) != LNSTAB_OK)
        return false;
    row[SENSITIVITY_PRODUCT] = before * row[SENSITIVITY_LOCAL];
    row[SENSITIVITY_RATIO] = row[SENSITIVITY_PRODUCT] / row[SENSITIVITY_WHOLE];
    int64_t sublayers = k < 2 * s->layers ? k + 1 : 2 * s->layers;
    row[SENSITIVITY_GROWTH] = 2 * log(row[SENSITIVITY_WHOLE]) / (double)sublayers;
    return true;
}

static bool measure_block(const struct sensitivity *s, struct block *b, double *values) {
    double before = 1, *sigma = values + s->rows * SENSITIVITY_QUANTITIES;
    double *counts = sigma + 2 * s->k;
    int32_t iterations, converged;
    for (int64_t k = 0; k < s->rows; k++) {
        double *row = values + k * SENSITIVITY_QUANTITIES;
        if (!measure_row(s, b, k, before, row))
            return false;
        before = row[SENSITIVITY_PRODUCT];
    }
    if (lnstab_model_singular_values(b->m, "embed.out", "output", b->first, b->rows, (int32_t)s->k,
                                     sigma, sigma + s->k, &iterations, &converged) != LNSTAB_OK)
        return false;
    counts[SENSITIVITY_ITERATIONS] = iterations;
    counts[SENSITIVITY_CONVERGED] = converged;
    counts[SENSITIVITY_UNCONVERGED] = b->unconverged;
    return true;
}

/* message is of what failed first. */
static bool measure_model(const struct sensitivity *s, lnstab_config *c, uint64_t seed,
                          double *values, char message[MESSAGE_SIZE]) {
    struct inputs in = {0};
    struct block b = {.first = s->token ? s->token - 1 : 0,
                      .rows = s->token ? 1 : s->tokens,
                      .probes = s->probes,
                      .seed = seed};
    bool made = lnstab_model_create(c, &b.m) == LNSTAB_OK;
    bool good = made && inputs_of(c, s->tokens, seed, &in) &&
                lnstab_model_init(b.m, seed) == LNSTAB_OK &&
                inputs_forward(b.m, &in) == LNSTAB_OK && measure_block(s, &b, values);
    const char *said = made ? lnstab_model_message(b.m) : lnstab_config_message(c);
    if (!good)
        snprintf(message, MESSAGE_SIZE, "%s: %s", s->label, *said ? said : "no memory");
    inputs_free(&in);
    lnstab_model_destroy(b.m);
    return good;
}

/* ---- all of them ---- */

struct jobs {
    struct sensitivity *s;
    const struct measuring *how;
};

static enum work_end run_job(void *user, int job, void *memory, char message[MESSAGE_SIZE]) {
    const struct jobs *jobs = user;
    const struct sensitivity *s = jobs->s;
    lnstab_config *c;
    if (!design_config(s->assignments, memory, &c, message))
        return WORK_FAILED;
    bool good = measure_model(s, c, jobs->how->first_seed + (uint64_t)job,
                              s->values + job * sensitivity_size(s), message);
    lnstab_config_destroy(c);
    return good ? WORK_COMPLETE : WORK_FAILED;
}

static void release(void *memory) {
    recycler_end(memory);
}

static double weight(void *user, int job) {
    (void)user;
    (void)job;
    return 1;
}

static void ignore(void *user, int job) {
    (void)user;
    (void)job;
}

static void advanced(void *user, double done) {
    const struct jobs *jobs = user;
    jobs->how->advanced(jobs->how->user, done);
}

int sensitivity_measure(struct sensitivity *s, const struct measuring *how) {
    struct jobs jobs = {s, how};
    struct work work = {.jobs = how->seeds,
                        .threads = how->threads,
                        .user = &jobs,
                        .run = run_job,
                        .memory_size = sizeof(struct recycler),
                        .release = release,
                        .weight = weight,
                        .finished = ignore,
                        .advanced = advanced,
                        .state = calloc((size_t)how->seeds, 1)};
    s->seeds = how->seeds;
    s->values = calloc((size_t)how->seeds * (size_t)sensitivity_size(s), sizeof *s->values);
    if (!work.state || !s->values) {
        free(work.state);
        return usage_error("no memory for the measurement");
    }
    enum work_end end = work_run(&work);
    free(work.state);
    return end == WORK_INTERRUPTED ? STATUS_INTERRUPTED
           : end == WORK_FAILED    ? usage_error("%s", work.message)
                                   : STATUS_GOOD;
}

/* float32 rounds, and its norms are known to 1e-5. */
bool sensitivity_violated(const struct sensitivity *s) {
    bool violated = false;
    for (int seed = 0; s->token == 0 && seed < s->seeds; seed++)
        for (int64_t k = 0; k < s->rows; k++)
            violated |= sensitivity_counted(s, seed, SENSITIVITY_UNCONVERGED) == 0 &&
                        sensitivity_value(s, seed, k, SENSITIVITY_RATIO) < 1 - 1e-4;
    return violated;
}
