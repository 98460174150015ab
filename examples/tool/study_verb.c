#include "study_verb.h"

#include "blas_threads.h"
#include "interrupt.h"
#include "verbs.h"

#include <inttypes.h>

static void on_advanced(void *user, double done) {
    struct study_verb *v = user;
    progress_show(&v->progress, done);
}

static bool read_numbers(struct study_verb *v) {
    const struct options *o = &v->options;
    int64_t seeds;
    if (!options_integer(o, "--seeds", 0, 1000000, &seeds) || !run_options_read(o, &v->run) ||
        !options_integer(o, "--tokens", 1, 65536, &v->tokens))
        return false;
    if (seeds == 1) {
        usage_error("--seeds 1 gives no interval: 0, or 2 and more");
        return false;
    }
    v->how = (struct measuring){.seeds = (int)seeds,
                                .threads = v->run.threads,
                                .first_seed = v->run.first_seed,
                                .user = v,
                                .advanced = on_advanced};
    v->origin.seeds = (int)seeds;
    v->origin.first_seed = v->run.first_seed;
    return true;
}

static int prepare_and_work(struct study_verb *v, int (*work)(struct study_verb *v)) {
    const char *set = options_text(&v->options, "--set");
    if (options_given(&v->options, "--help"))
        return verb_print_help(v->origin.verb);
    v->set = set ? set : "";
    bool ready = read_numbers(v) && outputs_check(&v->outputs, &v->options, v->names);
    int status = ready ? work(v) : STATUS_USAGE;
    if (status == STATUS_INTERRUPTED)
        outputs_interrupted(&v->outputs);
    if (!outputs_close(&v->outputs))
        return STATUS_USAGE;
    if (status == STATUS_INTERRUPTED)
        usage_error("interrupted");
    return status;
}

int study_verb_run(const char *verb, const struct option *table, const char *const *names, int argc,
                   char **argv, int (*work)(struct study_verb *v)) {
    struct study_verb v = {.names = names, .origin = {.verb = verb, .argc = argc, .argv = argv}};
    int status =
        options_parse(&v.options, table, argc, argv) ? prepare_and_work(&v, work) : STATUS_USAGE;
    options_free(&v.options);
    return status;
}

bool study_verb_open(struct study_verb *v) {
    return outputs_open(&v->outputs, &v->options, v->names, &v->origin);
}

const char *study_verb_seeds(const struct study_verb *v, struct pool *pool) {
    return v->how.seeds == 0
               ? "predictions only"
               : pool_print(pool, "%d seeds from %" PRIu64, v->how.seeds, v->how.first_seed);
}

int study_verb_measure(struct study_verb *v, struct study *studies, int count) {
    if (v->how.seeds == 0)
        return STATUS_GOOD;
    interrupt_catch();
    blas_threads_one();
    progress_start(&v->progress, v->run.wish);
    int status = study_measure(studies, count, &v->how);
    progress_end(&v->progress);
    return status;
}
