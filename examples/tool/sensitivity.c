/* How a stack stretches small changes: singular values of its Jacobian, and what its parts say of them. */
#include "sensitivity.h"

#include "blas_threads.h"
#include "interrupt.h"
#include "verbs.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

const struct option sensitivity_options[] = {
    {"DESIGN", NULL, NULL,
     "a file with a configuration, or a placement with further keys behind colons, as in\n"
     "peri:beta=0.1",
     false},
    {"--width", "N", "64", "largest width that is measured; rho = FFN width/width is kept", false},
    {"--token", "I", NULL, "of token I = 1..n to itself; the whole sequence, if not given", false},
    {"--values", "K", "4", "largest singular values of the stack, 1 to 128", false},
    {"--probes", "N", "16", "random vectors that ||J||_F is estimated from", false},
    {"--seeds", "N", "4", "seeds that are measured, 2 or more", false},
    STUDY_OPTIONS_BUT_SEEDS,
    {NULL, NULL, NULL, NULL, false},
};

const char sensitivity_notes[] =
    "The design is measured as it is written, at its initial weights, in a width of at most\n"
    "--width with the same FFN ratio. Inputs are those of check. Singular values are found\n"
    "without a matrix, by Lanczos on products with the Jacobian and its transpose, to a\n"
    "residual of 1e-10 of the largest (float32: 1e-5). Exit status 1 if the norm of the\n"
    "product is above the product of the norms, which cannot be.\n";

/* Lanczos vectors: more of them, fewer products. */
static int64_t vectors_for(int64_t k) {
    return k <= 8 ? 32 : 4 * k;
}

static bool read_sizes(struct sensitivity *s, const struct study_verb *v, lnstab_config *c,
                       char text[400], int64_t most) {
    int64_t final_norm = 0;
    char smaller[200];
    design_shrink(c, most, smaller, sizeof smaller);
    snprintf(text, 400,
             "%s max_batch=1 max_tokens=%" PRId64 " gradients=0 keep_states=0 krylov=%" PRId64,
             smaller, s->tokens, vectors_for(s->k));
    lnstab_config_get_i64(c, "layers", &s->layers);
    lnstab_config_get_i64(c, "width", &s->width);
    lnstab_config_get_i64(c, "final_norm", &final_norm);
    s->width = s->width > most ? most : s->width;
    s->rows = 2 * s->layers + final_norm;
    const int64_t entries = (s->token ? 1 : s->tokens) * s->width;
    if (s->layers > 1000)
        usage_error("%s: layers %" PRId64 " is above 1000, the most that is measured", s->label,
                    s->layers);
    else if (s->k > entries)
        usage_error("--values %" PRId64 " is above %" PRId64 ", the entries of a block", s->k,
                    entries);
    else
        return v->how.seeds > 0 || (usage_error("--seeds 0 measures nothing: 2 and more"), false);
    return false;
}

/* A model that cannot be built is refused before anything is opened. */
static bool try_model(const struct sensitivity *s) {
    char message[MESSAGE_SIZE];
    lnstab_config *c;
    size_t bytes;
    if (!design_config(s->assignments, NULL, &c, message)) {
        usage_error("%s: %s", s->label, message);
        return false;
    }
    const bool good = lnstab_model_size(c, &bytes) == LNSTAB_OK;
    if (!good)
        usage_error("%s: %s", s->label, lnstab_config_message(c));
    lnstab_config_destroy(c);
    return good;
}

static bool start(struct sensitivity *s, const struct study_verb *v, const char *written,
                  int64_t most) {
    char message[MESSAGE_SIZE], behind[400];
    lnstab_config *c;
    if (!design_config(written, NULL, &c, message)) {
        usage_error("%s: %s", s->label, message);
        return false;
    }
    bool good = read_sizes(s, v, c, behind, most);
    lnstab_config_destroy(c);
    s->assignments = good ? design_join(written, behind) : NULL;
    return s->assignments && try_model(s);
}

static int report(const struct sensitivity *s, struct study_verb *v) {
    struct document d = {0};
    FILE *json = v->outputs.file[OUTPUT_JSON];
    if (json)
        sensitivity_json(json, s);
    bool good = sensitivity_report(&d, s, v) && outputs_report(&v->outputs, &d, &v->origin);
    document_free(&d);
    return !good ? STATUS_USAGE : sensitivity_violated(s) ? STATUS_VIOLATED : STATUS_GOOD;
}

static int measure(struct sensitivity *s, struct study_verb *v) {
    interrupt_catch();
    blas_threads_one();
    progress_start(&v->progress, v->run.wish);
    int status = sensitivity_measure(s, &v->how);
    progress_end(&v->progress);
    return status == STATUS_GOOD ? report(s, v) : status;
}

static bool read_options(struct sensitivity *s, const struct study_verb *v, int64_t *most) {
    const struct options *o = &v->options;
    return options_integer(o, "--width", 4, 4096, most) &&
           options_integer(o, "--values", 1, 128, &s->k) &&
           options_integer(o, "--probes", 2, 1000000, &s->probes) &&
           (!options_given(o, "--token") || options_integer(o, "--token", 1, v->tokens, &s->token));
}

static int sensitivity(struct study_verb *v) {
    struct design design = {0};
    struct sensitivity s = {.tokens = v->tokens};
    int64_t most;
    if (v->options.words != 1)
        return usage_error("sensitivity wants a design: lnstab sensitivity FILE");
    s.label = v->options.word[0];
    char *written = read_options(&s, v, &most) && design_read(&design, s.label)
                        ? design_join(design.assignments, v->set)
                        : NULL;
    int status = written && start(&s, v, written, most) && study_verb_open(v) ? measure(&s, v)
                                                                              : STATUS_USAGE;
    free(written);
    free(s.values);
    free(s.assignments);
    design_free(&design);
    return status;
}

int verb_sensitivity(int argc, char **argv) {
    return study_verb_run("sensitivity", sensitivity_options, sensitivity_names, argc, argv,
                          sensitivity);
}
