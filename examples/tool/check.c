/* A design, sanity-checked before anyone trains it: predicted, measured, and told in words. */
#include "check_report.h"
#include "verbs.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct option check_options[] = {
    {"DESIGN", NULL, NULL,
     "a file with a configuration, or a placement with further keys behind colons, as in\n"
     "peri:beta=0.1",
     false},
    {"--width", "N", "128", "largest width that is measured; rho = FFN width/width is kept", false},
    STUDY_OPTIONS,
    {NULL, NULL, NULL, NULL, false},
};

const char check_notes[] =
    "A configuration file has key = value on its lines, or several on one; # begins a\n"
    "comment. lnstab keys lists the keys. What a placement decides (norm_in, norm_out,\n"
    "norm_res, kappa, alpha, beta, the gains) can be set for the attention or the FFN alone,\n"
    "ffn.beta = 0.5, and for layers, layer.2-5.norm_res = 1 or layer.L.attn.beta = 0; kappa,\n"
    "alpha, beta and gains are rules c*L^p*l^q of the depth L and the layer l.\n"
    "\n"
    "What is predicted is the mean field at initialisation: uniform attention, ReLU, Xavier\n"
    "weights, inputs i.i.d. N(0, I). What the design has instead is replaced, the report says\n"
    "so, and the design as it is written is measured besides. Placements of the library, in\n"
    "the same sizes, stand beside it. Measured is a model of at most --width with the same\n"
    "FFN ratio. A warning is a finding, not a failure: exit status 1 only if a bound that\n"
    "holds for any weights is violated.\n";

/* The placements that a design is held against: all that have a name of their own. */
static const char *const peers[CHECK_PEERS] = {"post",        "pre",      "peri",
                                               "output-norm", "deepnorm", "ln-scaling"};

/* Assignments that give a model the width to measure at, and one head if the heads do not fit. */
static void shrink(lnstab_config *c, int64_t most, char *text, size_t size) {
    int64_t width = 1, ffn_width = 1, heads = 1, kv_heads = 1;
    lnstab_config_get_i64(c, "width", &width);
    lnstab_config_get_i64(c, "ffn_width", &ffn_width);
    lnstab_config_get_i64(c, "heads", &heads);
    lnstab_config_get_i64(c, "kv_heads", &kv_heads);
    *text = '\0';
    if (width <= most)
        return;
    double rho = (double)ffn_width / (double)width;
    bool fit = most % (2 * heads) == 0; /* an even width of each, for rotary positions */
    snprintf(text, size,
             "width=%" PRId64 " ffn_width=%" PRId64 " heads=%" PRId64 " kv_heads=%" PRId64, most,
             (int64_t)fmax(1, round(rho * (double)most)), fit ? heads : 1, fit ? kv_heads : 1);
}

/* What measuring needs of a design as it is written. */
static const char measurable[] = "recompute=none";

static bool start_study(struct study *s, const char *label, const char *before, const char *behind,
                        int64_t tokens) {
    char *all = design_join(before, behind);
    bool good = all && study_start(s, label, all, tokens);
    free(all);
    return good;
}

static bool start_peers(struct check *k, const char *set, int64_t tokens) {
    char *base = design_base(&k->design, set);
    bool good = base != NULL;
    for (int i = 0; good && i < CHECK_PEERS; i++) {
        char placement[32];
        snprintf(placement, sizeof placement, "placement=%s", peers[i]);
        good = start_study(&k->peer[i], peers[i], base, placement, tokens);
    }
    free(base);
    return good;
}

/* written is the design with --set, twin the same in the setting of the mean field. */
static bool start_studies(struct check *k, const struct study_verb *v, const char *written,
                          const char *twin, const char *sizes) {
    char as_written[320];
    snprintf(as_written, sizeof as_written, "%s %s", measurable, sizes);
    if (!start_study(&k->whole, k->design.word, twin, "", v->tokens) ||
        !start_study(&k->small[0], k->design.word, twin, sizes, v->tokens))
        return false;
    k->measured = 1;
    if (*k->twin.changed &&
        !start_study(&k->small[1], "as written", written, as_written, v->tokens))
        return false;
    k->measured += *k->twin.changed != 0;
    return start_peers(k, v->set, v->tokens);
}

static bool start(struct check *k, const struct study_verb *v, int64_t most) {
    char message[MESSAGE_SIZE], sizes[160];
    lnstab_config *c;
    char *written = design_join(k->design.assignments, v->set);
    char *twin = written ? design_over_twin(&k->design, v->set) : NULL;
    bool good = twin && design_config(written, NULL, &c, message);
    if (good) {
        twin_of(c, &k->twin);
        shrink(c, most, sizes, sizeof sizes);
        lnstab_config_destroy(c);
        good = start_studies(k, v, written, twin, sizes);
    }
    free(written);
    free(twin);
    return good;
}

static int report(const struct check *k, struct study_verb *v) {
    struct document d = {0};
    struct check_result result;
    FILE *json = v->outputs.file[OUTPUT_JSON];
    if (json)
        study_json(json, k->small, k->measured, v->how.seeds);
    bool good = check_report(&d, k, v, &result) && outputs_report(&v->outputs, &d, &v->origin);
    document_free(&d);
    return !good ? STATUS_USAGE : result.violated ? STATUS_VIOLATED : STATUS_GOOD;
}

static int measure(struct check *k, struct study_verb *v) {
    char message[MESSAGE_SIZE];
    int status = study_verb_measure(v, k->small, k->measured);
    if (status != STATUS_GOOD)
        return status;
    k->found = (struct checked){.whole = &k->whole,
                                .small = &k->small[0],
                                .written = k->measured > 1 ? &k->small[1] : NULL,
                                .seeds = v->how.seeds};
    if (!scaling_of(&k->whole, &k->found.scaling, message) ||
        !probes_run(k->small[0].assignments, v->tokens, v->how.first_seed, v->how.seeds > 0,
                    &k->found.probes, message))
        return usage_error("%s", message);
    return report(k, v);
}

static int check(struct study_verb *v) {
    struct check k = {.measured = 0};
    int64_t most;
    if (v->options.words != 1)
        return usage_error("check wants a design: lnstab check FILE");
    int status = options_integer(&v->options, "--width", 4, 4096, &most) &&
                         design_read(&k.design, v->options.word[0]) && start(&k, v, most)
                     ? measure(&k, v)
                     : STATUS_USAGE;
    study_free(&k.whole);
    for (int i = 0; i < CHECK_PEERS; i++)
        study_free(&k.peer[i]);
    for (int i = 0; i < 2; i++)
        study_free(&k.small[i]);
    design_free(&k.design);
    return status;
}

int verb_check(int argc, char **argv) {
    return study_verb_run("check", check_options, check_names, argc, argv, check);
}
