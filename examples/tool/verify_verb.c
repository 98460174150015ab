/* Every statement of the theory held against models of every placement. */
#include "grid_spell.h"
#include "setting.h"
#include "verbs.h"
#include "verify.h"

#include <stdlib.h>
#include <string.h>

/* All rows of the library's table of placements. */
#define PLACEMENTS "none,post,pre,peri,output-norm,deepnorm,ln-scaling,mix,custom"
#define GRID_VERIFY "placement=" PLACEMENTS " L=1,6 d=64 rho=1,4"

const struct option verify_options[] = {
    {"--grid", "GRID", GRID_VERIFY,
     "axes separated by blanks; values by commas; ':' attaches further keys to a placement.\n"
     "An axis that is not given keeps its default.",
     true},
    {"--claims", "NAMES", NULL,
     "only the claims whose names begin so: --claims lemma2,forward.norm (lnstab claims lists\n"
     "them)",
     false},
    {"--seeds", "N", "16", "seeds of each mean, 2 or more", false},
    {"--seed", "FIRST", "1", "the first seed", false},
    {"--tokens", "N", "8", "n, tokens of a sequence, 2 or more", false},
    {"--weights", "N", "50000",
     "claims that want norms of all matrices, or singular values of the whole stack, are asked\n"
     "at four places of models with at most so many weights; of larger ones at the last\n"
     "sublayer, with weights that are initial, perturbed or adversarial; means over models with\n"
     "more than ten times as many are over 8 seeds at most",
     false},
    {"--csv", "FILE", NULL,
     "one row for each claim, cell of the grid and kind of weights, and FILE.meta.json; - is\n"
     "standard output, instead of the report",
     false},
    {"--json", "FILE", NULL,
     "claims, with a line for each placement and kind of weights; - is standard output,\n"
     "instead of the report",
     false},
    DOCUMENT_OPTIONS,
    RUN_OPTIONS,
    {"--help", NULL, NULL, "this text", false},
    {NULL, NULL, NULL, NULL, false},
};

const char verify_notes[] =
    "Identities and inequalities are claims about every model. They are asked at every layer\n"
    "or sublayer of float64 models with causal attention, GELU and biases, whose weights are\n"
    "those of an initialisation, 0.1 and 10 times those, randomly perturbed, and built so that\n"
    "bounds are attained; what costs a run of its own for each place, at four of them. Claims\n"
    "about means are asked in the setting of Xiong 2020 (lnstab help theorem1), with and\n"
    "without W_O: the mean over seeds, with an interval so wide that all of the run's\n"
    "comparisons hold at once with probability 0.95.\n"
    "\n"
    "A claim's verdict on a placement is that of all cells and weights: holds; VIOLATED, which\n"
    "is exit status 1, where measured and stated are not in the relation that was proved; does\n"
    "not reproduce, where a mean is further from its limit in the width than doc/theory.md,\n"
    "section 12, allows at that width, or is not as a paper prints it; undecided, where the\n"
    "interval is too wide; not covered, with the first reason. The ratio is measured/stated.\n";

static bool read_numbers(struct verify *v) {
    const struct options *o = &v->options;
    int64_t seeds;
    if (!options_integer(o, "--seeds", 2, 1000000, &seeds) || !run_options_read(o, &v->run) ||
        !options_integer(o, "--tokens", 2, 65536, &v->tokens) ||
        !options_integer(o, "--weights", 0, INT64_MAX, &v->weights))
        return false;
    v->seeds = (int)seeds;
    v->vocab = 1000;
    return true;
}

/* A variant has its own assignments for each width. */
static bool variant_possible(struct verify *v, const struct variant *variant) {
    for (int w = 0; w < v->grid.widths; w++) {
        struct grid narrow = v->grid;
        narrow.widths = 1;
        narrow.width[0] = v->grid.width[w];
        const char *assignments = variant_spell(variant, narrow.width[0], &v->pool);
        if (!setting_possible(&(struct setting){&narrow, assignments, v->tokens, v->vocab, false}))
            return false;
    }
    return true;
}

static bool is_float64(const struct setting *set, int placement) {
    char message[MESSAGE_SIZE], dtype[16] = "";
    lnstab_config *c;
    if (!setting_config(set, (struct cell){.placement = placement}, PREDICTED, NULL, &c, message))
        return false;
    lnstab_config_get_str(c, "dtype", dtype, sizeof dtype, NULL);
    lnstab_config_destroy(c);
    if (strcmp(dtype, "float64") != 0)
        usage_error("%s: verify measures in float64, not in %s",
                    set->grid->placement[placement].label, dtype);
    return strcmp(dtype, "float64") == 0;
}

static bool cells_possible(struct verify *v) {
    struct setting set = {&v->grid, "dtype=float64", v->tokens, v->vocab, false};
    bool good = setting_allowed(&set);
    for (int i = 0; good && i < variants_count; i++)
        good = variant_possible(v, &variants[i]);
    for (int p = 0; good && p < v->grid.placements; p++)
        good = is_float64(&set, p);
    return good;
}

static bool read_setting(struct verify *v) {
    const struct options *o = &v->options;
    const char *grid = options_given(o, "--grid") ? options_text(o, "--grid") : "";
    if (!read_numbers(v) || !grid_parse(&v->grid, GRID_VERIFY, grid) || !cells_possible(v))
        return false;
    v->claims = claims_read(&v->pool, options_text(o, "--claims"), &v->claim);
    v->origin.seeds = v->seeds;
    v->origin.first_seed = v->run.first_seed;
    v->origin.grid = grid_spell(&v->pool, &v->grid);
    return v->claims > 0;
}

static bool allocate(struct verify *v) {
    size_t count = (size_t)verify_runs(v) * (size_t)grid_cells(&v->grid);
    v->sides = pool_allocate(&v->pool, (count + 1) * sizeof *v->sides);
    if (!v->sides)
        usage_error("no memory for the results of %d cells", grid_cells(&v->grid));
    return v->sides != NULL;
}

static bool prepare(struct verify *v) {
    return read_setting(v) && allocate(v) &&
           outputs_check(&v->outputs, &v->options, verify_names) &&
           outputs_open(&v->outputs, &v->options, verify_names, &v->origin);
}

static int report(struct verify *v) {
    struct document d = {0};
    FILE *csv = v->outputs.file[OUTPUT_CSV], *json = v->outputs.file[OUTPUT_JSON];
    if (!verify_judge(v))
        return STATUS_USAGE;
    if (csv)
        verify_csv(v, csv);
    if (json)
        verify_json(v, json);
    verify_report(v, &d);
    bool good = outputs_report(&v->outputs, &d, &v->origin);
    document_free(&d);
    return !good ? STATUS_USAGE : verify_counted(v).violated ? STATUS_VIOLATED : STATUS_GOOD;
}

static int run(struct verify *v) {
    int status = prepare(v) ? verify_measure(v) : STATUS_USAGE;
    if (status == STATUS_GOOD)
        status = report(v);
    if (status == STATUS_INTERRUPTED)
        outputs_interrupted(&v->outputs);
    if (!outputs_close(&v->outputs))
        return STATUS_USAGE;
    if (status == STATUS_INTERRUPTED)
        usage_error("interrupted");
    return status;
}

static void free_sides(struct verify *v) {
    int count = v->sides ? verify_runs(v) * grid_cells(&v->grid) : 0;
    for (struct sides *s = v->sides; s < v->sides + count; s++) {
        for (int c = 0; s->reason && c < v->claims; c++)
            free(s->reason[c]);
        free((void *)s->reason);
        free(s->side);
    }
}

int verb_verify(int argc, char **argv) {
    struct verify v = {.origin = {.verb = "verify", .argc = argc, .argv = argv}};
    int status = STATUS_USAGE;
    if (options_parse(&v.options, verify_options, argc, argv))
        status = options_given(&v.options, "--help") ? verb_print_help("verify") : run(&v);
    free_sides(&v);
    pool_free(&v.pool);
    options_free(&v.options);
    return status;
}
