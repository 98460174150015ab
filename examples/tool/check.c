/* A design, sanity-checked before anyone trains it: predicted, measured, and told in words. */
#include "check_report.h"
#include "verbs.h"

#include <inttypes.h>
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
    "ffn.beta = 0.5, and for layers, layer.2-5.norm_res = 1 or layer.L.attn.beta = 0. Such a\n"
    "key counts over the same key without a prefix, wherever it stands; where two of them\n"
    "meet, the later one counts. kappa, alpha, beta and gains are rules c*L^p*l^q of the\n"
    "depth L and the layer l.\n"
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

/* A study of before with behind over it, at a width of at most most; 0 for the design's own. */
static bool start_study(struct study *s, const char *label, const char *before, const char *behind,
                        int64_t most, int64_t tokens) {
    char message[MESSAGE_SIZE], sizes[160] = "";
    lnstab_config *c;
    char *all = design_join(before, behind), *small = NULL;
    if (all && !design_config(all, NULL, &c, message))
        usage_error("%s: %s", label, message);
    else if (all) {
        if (most)
            design_shrink(c, most, sizes, sizeof sizes);
        lnstab_config_destroy(c);
        small = design_join(all, sizes);
    }
    bool good = small && study_start(s, label, small, tokens);
    free(small);
    free(all);
    return good;
}

static bool start_peers(struct check *k, const char *written, int64_t tokens) {
    char *base = design_base(written, k->design.word);
    bool good = base != NULL;
    for (int i = 0; good && i < CHECK_PEERS; i++) {
        char placement[32];
        snprintf(placement, sizeof placement, "placement=%s", peers[i]);
        good = start_study(&k->peer[i], peers[i], base, placement, 0, tokens);
    }
    free(base);
    return good;
}

/* As it is written, but for what measuring needs: nothing is made anew, and a loss wants a head. */
static bool start_written(struct check *k, const char *written, const char *head, int64_t most,
                          int64_t tokens) {
    const char *needs =
        strcmp(head, "none") == 0 ? "recompute=none head=separate" : "recompute=none";
    k->measured++;
    return start_study(&k->small[1], "as written", written, needs, most, tokens);
}

/* A design that builds no model in its own sizes is refused, and one of so many layers that asking for each,
 * at a cost of O(layers), takes minutes. */
static bool accept(const struct check *k, lnstab_config *c) {
    int64_t layers = 0;
    size_t bytes;
    lnstab_config_get_i64(c, "layers", &layers);
    if (lnstab_model_size(c, &bytes) != LNSTAB_OK)
        usage_error("%s: %s", k->design.word, lnstab_config_message(c));
    else if (layers > CHECK_LAYERS)
        usage_error("%s: layers %" PRId64 " is above %d, the most that check looks into",
                    k->design.word, layers, CHECK_LAYERS);
    else
        return true;
    return false;
}

static bool start_studies(struct check *k, const struct study_verb *v, const char *written,
                          const char *head, int64_t most) {
    char *twin = design_over_twin(written, k->design.word);
    bool good = twin && start_study(&k->whole, k->design.word, twin, "", 0, v->tokens) &&
                start_study(&k->small[0], k->design.word, twin, "", most, v->tokens);
    free(twin);
    k->measured = 1;
    if (good && *k->twin.changed && v->how.seeds > 0)
        good = start_written(k, written, head, most, v->tokens);
    return good && start_peers(k, written, v->tokens);
}

static bool start(struct check *k, const struct study_verb *v, int64_t most) {
    char message[MESSAGE_SIZE], head[32] = "";
    lnstab_config *c;
    char *written = design_join(k->design.assignments, v->set);
    bool good = written && design_config(written, NULL, &c, message);
    if (good) {
        good = accept(k, c);
        lnstab_config_get_str(c, "head", head, sizeof head, NULL);
        lnstab_config_get_f64(c, "eps", &k->eps);
        twin_of(c, &k->twin);
        lnstab_config_destroy(c);
    } else if (written)
        usage_error("%s: %s", k->design.word, message);
    good = good && start_studies(k, v, written, head, most);
    free(written);
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
                                .eps = k->eps,
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
                         design_read(&k.design, v->options.word[0]) && start(&k, v, most) &&
                         study_verb_open(v)
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
