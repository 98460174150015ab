#include "verify.h"

#include "blas_threads.h"
#include "interrupt.h"
#include "weights.h"

#include <stdlib.h>

/* Of models this much larger than what is costly everywhere, a mean is over so many. */
#define MEANS_OVER_COSTLY 10
#define SEEDS_OF_LARGE 8

/* All depths and placements of a run at one width and ratio: they have their weights in common. */
struct share {
    int width, ratio, run;
};

/* Memory that a worker uses again from job to job; starts as zeros. */
struct memory {
    struct recycler drawn, measured;
    struct pool pool;
};

int verify_runs_of(const struct verify *v, int variant) {
    int asked = 0;
    for (int c = 0; c < v->claims; c++)
        asked += variant_asks(&variants[variant], &v->claim[c]);
    return !asked ? 0 : variants[variant].statistical ? v->seeds : 1;
}

int verify_first_run(const struct verify *v, int variant) {
    int first = 0;
    for (int i = 0; i < variant; i++)
        first += verify_runs_of(v, i);
    return first;
}

int verify_runs(const struct verify *v) {
    return verify_first_run(v, variants_count);
}

int verify_variant(const struct verify *v, int run) {
    int variant = 0;
    for (; run >= verify_runs_of(v, variant); variant++)
        run -= verify_runs_of(v, variant);
    return variant;
}

size_t verify_side(const struct verify *v, int c, int64_t layers) {
    size_t first = 0;
    for (int i = 0; i < c; i++)
        first += (size_t)claim_places(&v->claim[i], layers);
    return first;
}

int64_t verify_weights(const struct verify *v, struct cell at) {
    const struct grid *g = &v->grid;
    return g->depth[at.depth] * g->width[at.width] *
           (4 * g->width[at.width] + 2 * grid_ffn_width(g, at));
}

int verify_models(const struct verify *v, int variant, struct cell at) {
    int runs = verify_runs_of(v, variant);
    bool large = verify_weights(v, at) / MEANS_OVER_COSTLY > v->weights;
    return large && runs > SEEDS_OF_LARGE ? SEEDS_OF_LARGE : runs;
}

static bool is_left_out(const struct verify *v, int run, struct cell at) {
    int variant = verify_variant(v, run);
    return run - verify_first_run(v, variant) >= verify_models(v, variant, at);
}

/* The widest ones first, so that the last to end are short. */
static struct share share_of(const struct verify *v, int job) {
    int runs = verify_runs(v), ratio = job / runs % v->grid.ratios;
    return (struct share){v->grid.widths - 1 - job / runs / v->grid.ratios,
                          v->grid.ratios - 1 - ratio, job % runs};
}

static bool run_cell(const struct verify *v, const struct setting *set, int run, struct cell at,
                     const struct weights *w, struct recycler *r, char message[MESSAGE_SIZE]) {
    lnstab_config *c;
    lnstab_model *m = NULL;
    if (!setting_config(set, at, MEASURED, r, &c, message))
        return false;
    bool made = lnstab_model_create(c, &m) == LNSTAB_OK;
    if (!made)
        snprintf(message, MESSAGE_SIZE, "%s", lnstab_config_message(c));
    bool good =
        made && weights_give(w, c, m, message) &&
        verify_model(v, run, at, c, m, verify_sides(v, run, grid_index(&v->grid, at)), message);
    lnstab_model_destroy(m);
    lnstab_config_destroy(c);
    return good;
}

static enum work_end run_cells(const struct verify *v, const struct setting *set,
                               struct share share, const struct weights *w, struct recycler *r,
                               char message[MESSAGE_SIZE]) {
    for (int l = 0; l < v->grid.depths; l++)
        for (int p = 0; p < v->grid.placements; p++) {
            if (interrupted())
                return WORK_INTERRUPTED;
            struct cell at = {p, share.ratio, share.width, l};
            if (!is_left_out(v, share.run, at) && !run_cell(v, set, share.run, at, w, r, message))
                return WORK_FAILED;
        }
    return WORK_COMPLETE;
}

static enum work_end run_job(void *user, int job, void *memory, char message[MESSAGE_SIZE]) {
    const struct verify *v = user;
    struct memory *own = memory;
    struct share share = share_of(v, job);
    int variant = verify_variant(v, share.run);
    struct cell at = {0, share.ratio, share.width, 0};
    struct setting set = {&v->grid,
                          variant_spell(&variants[variant], v->grid.width[share.width], &own->pool),
                          v->tokens, v->vocab, false};
    uint64_t seed = v->run.first_seed + (uint64_t)(share.run - verify_first_run(v, variant));
    struct weights w;
    enum work_end end = WORK_FAILED;
    if (weights_draw(&w, &set, at, seed, &own->drawn, message))
        end = run_cells(v, &set, share, &w, &own->measured, message);
    weights_free(&w);
    return end;
}

static void release(void *memory) {
    struct memory *own = memory;
    recycler_end(&own->drawn);
    recycler_end(&own->measured);
    pool_free(&own->pool);
}

/* Weights that are multiplied with; what is costly goes over them hundreds of times. */
static double weight(void *user, int job) {
    const struct verify *v = user;
    struct share share = share_of(v, job);
    bool statistical = variants[verify_variant(v, share.run)].statistical;
    double weights = 1;
    for (int l = 0; l < v->grid.depths; l++) {
        struct cell at = {0, share.ratio, share.width, l};
        double one = (double)verify_weights(v, at);
        if (!is_left_out(v, share.run, at))
            weights += one * (statistical ? 1 : one <= (double)v->weights ? 300 : 100);
    }
    return weights;
}

static void ignore(void *user, int job) {
    (void)user;
    (void)job;
}

static void advanced(void *user, double done) {
    struct verify *v = user;
    progress_show(&v->progress, done);
}

static int status_of(enum work_end end, const char *message) {
    return end == WORK_COMPLETE      ? STATUS_GOOD
           : end == WORK_INTERRUPTED ? STATUS_INTERRUPTED
                                     : usage_error("%s", message);
}

int verify_measure(struct verify *v) {
    int jobs = v->grid.widths * v->grid.ratios * verify_runs(v);
    struct work work = {.jobs = jobs,
                        .threads = v->run.threads,
                        .user = v,
                        .run = run_job,
                        .memory_size = sizeof(struct memory),
                        .release = release,
                        .weight = weight,
                        .finished = ignore,
                        .advanced = advanced,
                        .state = calloc((size_t)jobs + 1, 1)};
    if (!work.state)
        return usage_error("no memory for the measurement");
    interrupt_catch();
    blas_threads_one();
    progress_start(&v->progress, v->run.wish);
    int status = status_of(work_run(&work), work.message);
    progress_end(&v->progress);
    free(work.state);
    return status;
}
