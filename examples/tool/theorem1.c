/* The main job: the gradient of the last layer's W_2 over a grid, against Theorem 1 of Xiong 2020. */
#include "blas_threads.h"
#include "checkpoint.h"
#include "csv.h"
#include "grid_spell.h"
#include "interrupt.h"
#include "outputs.h"
#include "report.h"
#include "report_json.h"
#include "run_options.h"
#include "verbs.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Everything that one call of the verb holds. */
struct task {
    struct options options;
    struct grid grid;
    struct text text;
    struct sweep sweep, gaussian; /* gaussian has no runs if no text is set against it */
    struct progress progress;
    struct checkpoint checkpoint;
    struct run_options run;
    struct outputs outputs;
    struct pool pool;
    struct origin origin;
};

static bool read_numbers(struct task *t) {
    const struct options *o = &t->options;
    struct setting *set = &t->sweep.setting;
    int64_t seeds;
    if (!options_integer(o, "--seeds", 2, 1000000, &seeds) || !run_options_read(o, &t->run) ||
        !options_integer(o, "--tokens", 1, 16777216, &set->tokens) ||
        !options_integer(o, "--vocab", 1, 16777216, &set->vocab))
        return false;
    t->sweep.seeds = (int)seeds;
    t->sweep.first_seed = t->run.first_seed;
    t->sweep.threads = t->run.threads;
    return true;
}

static bool read_text(struct task *t) {
    const char *path = options_text(&t->options, "--text");
    if (!path)
        return true;
    if (options_given(&t->options, "--vocab")) {
        usage_error("--vocab and --text exclude each other: bytes have 256 values");
        return false;
    }
    t->sweep.setting.vocab = 256;
    t->sweep.setting.from_text = true;
    t->sweep.text = &t->text;
    return text_read(&t->text, path, (size_t)t->sweep.setting.tokens + 1);
}

static bool read_grid(struct task *t) {
    const struct options *o = &t->options;
    const char *standard = options_given(o, "--paper") ? GRID_PAPER : GRID_DEFAULT;
    return grid_parse(&t->grid, standard,
                      options_given(o, "--grid") ? options_text(o, "--grid") : "");
}

static bool read_setting(struct task *t) {
    const char *assignments = options_text(&t->options, "--set");
    struct setting *set = &t->sweep.setting;
    set->assignments = assignments ? assignments : "";
    set->grid = &t->grid;
    return read_numbers(t) && read_grid(t) && read_text(t) && setting_allowed(set) &&
           setting_possible(set);
}

static bool on_completed(void *user, const struct sweep *s, struct job job,
                         char message[MESSAGE_SIZE]) {
    struct task *t = user;
    return checkpoint_append(&t->checkpoint, s, job, message);
}

static void on_finished(void *user, const struct sweep *s, struct job job) {
    struct task *t = user;
    FILE *csv = t->outputs.file[OUTPUT_CSV];
    if (csv && s == &t->sweep)
        csv_job(csv, s, job);
}

static void on_advanced(void *user, double done) {
    struct task *t = user;
    progress_show(&t->progress, done);
}

static enum work_end run_sweep(struct task *t, struct sweep *s) {
    const struct sweep_listener listener = {t, on_completed, on_finished, on_advanced};
    progress_start(&t->progress, t->run.wish);
    enum work_end end = sweep_run(s, &listener);
    progress_end(&t->progress);
    return end;
}

/* A text's figures set it against Gaussian inputs: the same grid, seeds and classes once more. */
static enum work_end run_sweeps(struct task *t) {
    if (t->outputs.file[OUTPUT_CSV])
        csv_header(t->outputs.file[OUTPUT_CSV]);
    enum work_end end = run_sweep(t, &t->sweep);
    return end == WORK_COMPLETE && t->gaussian.runs ? run_sweep(t, &t->gaussian) : end;
}

static bool write_findings(struct task *t, const struct findings *f) {
    struct document d = {0};
    FILE *json = t->outputs.file[OUTPUT_JSON];
    if (json)
        report_json(json, &f->summary, &f->fits, &f->verdicts);
    bool good = report_make(&d, f, &t->origin) && outputs_report(&t->outputs, &d, &t->origin);
    document_free(&d);
    return good;
}

static int report(struct task *t) {
    struct findings f;
    bool good = findings_make(&f, &t->sweep, &t->gaussian) && write_findings(t, &f);
    int status = !good ? STATUS_USAGE : f.verdicts.violated ? STATUS_VIOLATED : STATUS_GOOD;
    findings_free(&f);
    return status;
}

static int run(struct task *t) {
    switch (run_sweeps(t)) {
    case WORK_COMPLETE:
        return report(t);
    case WORK_INTERRUPTED:
        outputs_interrupted(&t->outputs);
        return STATUS_INTERRUPTED;
    case WORK_FAILED:
        break;
    }
    return usage_error("%s", *t->sweep.message ? t->sweep.message : t->gaussian.message);
}

static bool allocate(struct task *t) {
    const struct options *o = &t->options;
    bool drawn = options_given(o, "--figures") || options_given(o, "--html");
    bool compared = drawn && t->sweep.text;
    t->gaussian = t->sweep;
    t->gaussian.text = NULL;
    t->gaussian.setting.from_text = false;
    if (sweep_allocate(&t->sweep) && (!compared || sweep_allocate(&t->gaussian)))
        return true;
    usage_error("no memory for the results of %d cells and %d seeds", grid_cells(&t->grid),
                t->sweep.seeds);
    return false;
}

static void set_origin(struct task *t) {
    t->origin.seeds = t->sweep.seeds;
    t->origin.first_seed = t->sweep.first_seed;
    t->origin.grid = grid_spell(&t->pool, &t->grid);
}

/* All that may refuse the command comes before the outputs, which lose what they had. */
static bool prepare(struct task *t) {
    const struct options *o = &t->options;
    interrupt_catch();
    blas_threads_one();
    if (!read_setting(t))
        return false;
    set_origin(t);
    return allocate(t) && outputs_check(&t->outputs, o, report_names) &&
           checkpoint_open(&t->checkpoint, options_text(o, "--resume"), &t->sweep) &&
           outputs_open(&t->outputs, o, report_names, &t->origin);
}

static void tell_interrupted(const struct task *t) {
    const char *path = t->checkpoint.path;
    usage_error("interrupted%s%s%s",
                t->outputs.file[OUTPUT_CSV] ? "; the CSV has the finished runs" : "",
                path ? "; the same command goes on from --resume " : "", path ? path : "");
}

static int prepare_and_run(struct task *t) {
    if (options_given(&t->options, "--help"))
        return verb_print_help("theorem1");
    int status = prepare(t) ? run(t) : STATUS_USAGE;
    checkpoint_close(&t->checkpoint);
    if (!outputs_close(&t->outputs))
        return STATUS_USAGE;
    if (status == STATUS_INTERRUPTED)
        tell_interrupted(t);
    return status;
}

int verb_theorem1(int argc, char **argv) {
    struct task t = {.origin = {.verb = "theorem1", .argc = argc, .argv = argv}};
    int status = options_parse(&t.options, theorem1_options, argc, argv) ? prepare_and_run(&t)
                                                                         : STATUS_USAGE;
    sweep_free(&t.sweep);
    sweep_free(&t.gaussian);
    pool_free(&t.pool);
    free(t.text.bytes);
    options_free(&t.options);
    return status;
}
