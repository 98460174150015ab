#include "study.h"

#include "design.h"
#include "work.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The jobs of study_measure, seeds running slowest. */
struct jobs {
    struct study *studies;
    int count;
    const struct measuring *how;
};

/* The bound is of first degree in its start: two values tell it. */
static void predict_bound(struct study *s, lnstab_config *c) {
    for (int64_t i = 0; i < 4 * s->layers; i++) {
        char arguments[64];
        snprintf(arguments, sizeof arguments, "sublayer=%lld start=%d", (long long)(i / 2 + 1),
                 (int)(i % 2));
        if (lnstab_claim_predict(c, "bound.state", arguments, &s->bound[i]) != LNSTAB_OK)
            s->bound[i] = INFINITY;
    }
}

static bool predict(struct study *s, lnstab_config *c) {
    lnstab_config_get_i64(c, "layers", &s->layers);
    lnstab_config_get_i64(c, "width", &s->width);
    lnstab_config_get_i64(c, "ffn_width", &s->ffn_width);
    size_t size = (size_t)profile_size(s->layers), bytes;
    s->predicted = malloc(size * sizeof *s->predicted);
    s->measured = calloc(size, sizeof *s->measured);
    s->bound = malloc(4 * (size_t)s->layers * sizeof *s->bound);
    if (lnstab_model_size(c, &bytes) != LNSTAB_OK)
        usage_error("%s: %s", s->label, lnstab_config_message(c));
    else if (!s->predicted || !s->measured || !s->bound)
        usage_error("no memory for the profile of %s", s->label);
    else {
        profile_predict(c, s->layers, s->tokens, s->predicted, s->missing, s->missing_gradients);
        predict_bound(s, c);
        return true;
    }
    return false;
}

bool study_start(struct study *s, const char *label, const char *assignments, int64_t tokens) {
    char sizes[96], message[MESSAGE_SIZE];
    lnstab_config *c;
    snprintf(sizes, sizeof sizes, "keep_states=2 gradients=1 max_batch=1 max_tokens=%lld",
             (long long)tokens);
    *s = (struct study){.label = label, .tokens = tokens};
    s->assignments = design_join(assignments, sizes);
    if (!s->assignments)
        return false;
    if (!design_config(s->assignments, NULL, &c, message)) {
        usage_error("%s: %s", label, message);
        return false;
    }
    bool good = predict(s, c);
    lnstab_config_destroy(c);
    return good;
}

void study_free(struct study *s) {
    free(s->assignments);
    free(s->bound);
    free(s->predicted);
    free(s->values);
    free(s->measured);
}

/* message is of what failed first. */
static bool measure_model(const struct study *s, lnstab_config *c, uint64_t seed, double *values,
                          char message[MESSAGE_SIZE]) {
    struct inputs in = {0};
    lnstab_model *m = NULL;
    bool made = lnstab_model_create(c, &m) == LNSTAB_OK;
    bool good = made && inputs_of(c, s->tokens, seed, &in) &&
                lnstab_model_init(m, seed) == LNSTAB_OK &&
                profile_measure(c, m, &in, s->layers, seed, values);
    const char *said = made ? lnstab_model_message(m) : lnstab_config_message(c);
    if (!good)
        snprintf(message, MESSAGE_SIZE, "%s: %s", s->label, *said ? said : "no memory");
    inputs_free(&in);
    lnstab_model_destroy(m);
    return good;
}

static enum work_end run_job(void *user, int job, void *memory, char message[MESSAGE_SIZE]) {
    const struct jobs *jobs = user;
    const struct study *s = &jobs->studies[job % jobs->count];
    int seed = job / jobs->count;
    lnstab_config *c;
    if (!design_config(s->assignments, memory, &c, message))
        return WORK_FAILED;
    bool good = measure_model(s, c, jobs->how->first_seed + (uint64_t)seed,
                              s->values + seed * profile_size(s->layers), message);
    lnstab_config_destroy(c);
    return good ? WORK_COMPLETE : WORK_FAILED;
}

static void release(void *memory) {
    recycler_end(memory);
}

/* Weights drawn and multiplied with. */
static double weight(void *user, int job) {
    const struct jobs *jobs = user;
    const struct study *s = &jobs->studies[job % jobs->count];
    return (double)s->layers * (double)s->width * (double)s->width;
}

static void ignore(void *user, int job) {
    (void)user;
    (void)job;
}

static void advanced(void *user, double done) {
    const struct jobs *jobs = user;
    jobs->how->advanced(jobs->how->user, done);
}

/* Of a root, the root of the mean of the squares, which is what mean field speaks of. */
static struct estimate estimate_root(double *column, int seeds) {
    for (int seed = 0; seed < seeds; seed++)
        column[seed] *= column[seed];
    struct estimate square = estimate_of(column, seeds);
    double root = sqrt(square.mean);
    return (struct estimate){root, root > 0 ? square.error / (2 * root) : square.error, seeds};
}

static struct estimate summarise_column(const struct study *s, enum profile_quantity q,
                                        double *column, int seeds) {
    bool absent = profile_rows[q].parameter && column[0] < 0; /* PROFILE_ABSENT */
    if (absent || (q == PROFILE_COSINE && s->tokens == 1))
        return (struct estimate){NAN, NAN, 0};
    return profile_rows[q].is_root ? estimate_root(column, seeds) : estimate_of(column, seeds);
}

/* False without memory. */
static bool summarise(struct study *s, int seeds) {
    int64_t size = profile_size(s->layers), i = 0;
    double *column = malloc((size_t)seeds * sizeof *column);
    for (int q = 0; column && q < PROFILE_QUANTITIES; q++)
        for (int64_t end = i + profile_count((enum profile_quantity)q, s->layers); i < end; i++) {
            for (int seed = 0; seed < seeds; seed++)
                column[seed] = s->values[seed * size + i];
            s->measured[i] = summarise_column(s, (enum profile_quantity)q, column, seeds);
        }
    free(column);
    return column != NULL;
}

static int finish(struct jobs *jobs, enum work_end end, const char *message) {
    if (end == WORK_INTERRUPTED)
        return STATUS_INTERRUPTED;
    if (end == WORK_FAILED)
        return usage_error("%s", message);
    for (int i = 0; i < jobs->count; i++)
        if (!summarise(&jobs->studies[i], jobs->how->seeds))
            return usage_error("no memory for the summary");
    return STATUS_GOOD;
}

int study_measure(struct study *studies, int count, const struct measuring *how) {
    struct jobs jobs = {studies, count, how};
    struct work work = {.jobs = count * how->seeds,
                        .threads = how->threads,
                        .user = &jobs,
                        .run = run_job,
                        .memory_size = sizeof(struct recycler),
                        .release = release,
                        .weight = weight,
                        .finished = ignore,
                        .advanced = advanced,
                        .state = calloc((size_t)(count * how->seeds), 1)};
    bool good = work.state != NULL;
    for (int i = 0; i < count; i++) {
        size_t values = (size_t)how->seeds * (size_t)profile_size(studies[i].layers);
        studies[i].values = malloc(values * sizeof(double));
        good = good && studies[i].values;
    }
    int status = good ? finish(&jobs, work_run(&work), work.message)
                      : usage_error("no memory for the measurement");
    free(work.state);
    return status;
}

double study_bound(const struct study *s, int64_t k, double start) {
    double at_0 = s->bound[2 * k], at_1 = s->bound[2 * k + 1];
    return at_0 + start * (at_1 - at_0);
}

double study_share_of_bound(const struct study *s, int seeds) {
    double most = 0;
    for (int seed = 0; s->values && seed < seeds; seed++) {
        const double *profile = s->values + seed * profile_size(s->layers);
        double start = profile[profile_place(PROFILE_START, s->layers)];
        for (int64_t k = 0; k < 2 * s->layers; k++) {
            double bound = study_bound(s, k, start);
            double share = profile[profile_place(PROFILE_NORM, s->layers) + k] / bound;
            if (isfinite(bound) && share > most)
                most = share;
        }
    }
    return most;
}

const char *study_reason(const char *missing) {
    const char *colon = strstr(missing, ": ");
    return colon ? colon + 2 : missing;
}

double study_predicted(const struct study *s, enum profile_quantity q, int64_t i) {
    return s->predicted[profile_place(q, s->layers) + i];
}

struct estimate study_measured(const struct study *s, enum profile_quantity q, int64_t i) {
    return s->measured[profile_place(q, s->layers) + i];
}
