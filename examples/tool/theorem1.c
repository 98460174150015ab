/* The main job: the gradient of the last layer's W_2 over a grid, against Theorem 1 of Xiong 2020. */
#define _POSIX_C_SOURCE 200809L

#include "blas_threads.h"
#include "csv.h"
#include "interrupt.h"
#include "progress.h"
#include "report.h"
#include "report_json.h"
#include "verbs.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Everything that one call of the verb holds. */
struct task {
    struct options options;
    struct grid grid;
    struct text text;
    struct sweep sweep;
    struct progress progress;
    FILE *csv, *json;
};

static bool read_numbers(struct task *t) {
    const struct options *o = &t->options;
    struct setting *set = &t->sweep.setting;
    int64_t seeds, first, threads = sysconf(_SC_NPROCESSORS_ONLN);
    if (!options_integer(o, "--seeds", 2, 1000000, &seeds) ||
        !options_integer(o, "--seed", 0, INT64_MAX - 1000000, &first) ||
        !options_integer(o, "--tokens", 1, 16777216, &set->tokens) ||
        !options_integer(o, "--vocab", 1, 16777216, &set->vocab) ||
        (options_given(o, "--threads") && !options_integer(o, "--threads", 1, 4096, &threads)))
        return false;
    t->sweep.seeds = (int)seeds;
    t->sweep.first_seed = (uint64_t)first;
    t->sweep.threads = threads < 1 ? 1 : (int)threads;
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

static bool read_setting(struct task *t) {
    const char *set = options_text(&t->options, "--set");
    t->sweep.setting.assignments = set ? set : "";
    t->sweep.setting.grid = &t->grid;
    return read_numbers(t) && grid_parse(&t->grid, options_text(&t->options, "--grid")) &&
           read_text(t) && setting_check(&t->sweep.setting);
}

static bool to_stdout(const struct task *t, const char *option) {
    const char *path = options_text(&t->options, option);
    return path && strcmp(path, "-") == 0;
}

/* Files are opened before the run, so that it is not in vain. */
static bool open_output(const struct task *t, const char *option, FILE **out) {
    const char *path = options_text(&t->options, option);
    *out = !path ? NULL : to_stdout(t, option) ? stdout : fopen(path, "w");
    if (path && !*out)
        usage_error("%s %s: %s", option, path, strerror(errno));
    return !path || *out;
}

static bool open_outputs(struct task *t) {
    if (to_stdout(t, "--csv") && to_stdout(t, "--json")) {
        usage_error("--csv - and --json - cannot both have standard output");
        return false;
    }
    if (options_given(&t->options, "--progress") && options_given(&t->options, "--no-progress")) {
        usage_error("--progress and --no-progress exclude each other");
        return false;
    }
    return open_output(t, "--csv", &t->csv) && open_output(t, "--json", &t->json);
}

static bool close_output(FILE *file, const char *option) {
    bool good = !file || (fflush(file) == 0 && !ferror(file));
    if (file && file != stdout)
        good = fclose(file) == 0 && good;
    if (!good)
        usage_error("%s: not everything could be written", option);
    return good;
}

static void on_finished(void *user, const struct sweep *s, struct job job) {
    struct task *t = user;
    if (t->csv)
        csv_job(t->csv, s, job);
}

static void on_advanced(void *user, double done) {
    struct task *t = user;
    progress_show(&t->progress, done);
}

static enum sweep_end run_sweep(struct task *t) {
    const struct sweep_listener listener = {t, on_finished, on_advanced};
    const struct options *o = &t->options;
    enum progress_wish wish = options_given(o, "--progress")      ? PROGRESS_ON
                              : options_given(o, "--no-progress") ? PROGRESS_OFF
                                                                  : PROGRESS_AUTO;
    interrupt_catch();
    blas_threads_one();
    if (t->csv)
        csv_header(t->csv);
    progress_start(&t->progress, wish);
    enum sweep_end end = sweep_run(&t->sweep, &listener);
    progress_end(&t->progress);
    return end;
}

static int report(struct task *t) {
    struct summary s = {0};
    struct fits f = {0};
    struct verdicts v = {0};
    bool good = summary_make(&s, &t->sweep) && fits_make(&f, &s) && verdicts_make(&v, &s, &f);
    if (good && t->json)
        report_json(t->json, &s, &f, &v);
    if (good && t->csv != stdout && t->json != stdout)
        report_print(stdout, &s, &f, &v);
    int status = !good ? STATUS_USAGE : v.violated ? STATUS_VIOLATED : STATUS_GOOD;
    verdicts_free(&v);
    fits_free(&f);
    summary_free(&s);
    return status;
}

static int end_interrupted(struct task *t) {
    if (t->json)
        fputs("{\"interrupted\": true}\n", t->json);
    usage_error("interrupted%s", t->csv ? "; the CSV has the finished runs" : "");
    return STATUS_INTERRUPTED;
}

static int run(struct task *t) {
    if (!sweep_allocate(&t->sweep))
        return usage_error("no memory for the results of %d cells and %d seeds",
                           grid_cells(&t->grid), t->sweep.seeds);
    switch (run_sweep(t)) {
    case SWEEP_COMPLETE:
        return report(t);
    case SWEEP_INTERRUPTED:
        return end_interrupted(t);
    case SWEEP_FAILED:
        break;
    }
    return usage_error("%s", t->sweep.message);
}

static int prepare_and_run(struct task *t) {
    if (options_given(&t->options, "--help"))
        return verb_print_help("theorem1");
    int status = read_setting(t) && open_outputs(t) ? run(t) : STATUS_USAGE;
    bool csv = close_output(t->csv, "--csv"), json = close_output(t->json, "--json");
    return csv && json ? status : STATUS_USAGE;
}

int verb_theorem1(int argc, char **argv) {
    struct task t = {0};
    int status = options_parse(&t.options, theorem1_options, argc, argv) ? prepare_and_run(&t)
                                                                         : STATUS_USAGE;
    sweep_free(&t.sweep);
    free(t.text.bytes);
    options_free(&t.options);
    return status;
}
