/* Designs side by side: states, gradients by layer, Jacobians, bounds. */
#include "design.h"
#include "properties.h"
#include "study_report.h"
#include "study_verb.h"
#include "verbs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct option compare_options[] = {
    {"DESIGN", NULL, NULL,
     "a placement, with further keys behind colons as in peri:beta=0.1, or a file with a\n"
     "configuration; two or more of them",
     true},
    STUDY_OPTIONS,
    {NULL, NULL, NULL, NULL, false},
};

const char compare_notes[] =
    "Placements are built in the sizes of the first file, with what it sets but for its\n"
    "placement; if there is no file, in the setting of Xiong 2020 with L = 6, d = 256 and an\n"
    "FFN of width 4 d: one head, W_Q = W_K = 0, no W_O, no biases, eps = 0, inputs i.i.d.\n"
    "N(0, I). A file is measured in the setting of the mean field, as lnstab help check says.\n"
    "--set counts over all. The same seed gives the same inputs and weights to every design.\n"
    "Where nothing is predicted there is a \"-\". Exit status 1 if a bound that holds for any\n"
    "weights is violated.\n";

static const char setting[] = "layers=6 width=256 heads=1 bias=0 out_proj=0 gain_qk=0 eps=0 "
                              "input=embedded head_init=lecun_normal";

static const char *const names[] = {"designs", STUDY_NAMES, NULL};

/* The designs, and their studies in the same order. */
struct comparison {
    int count;
    struct design design[OPTIONS_WORDS_MAX];
    struct study study[OPTIONS_WORDS_MAX];
};

/* The sizes and the setting that placements are compared in: those of the first file, else the default. The
 * caller frees it; NULL after one line on stderr. */
static char *make_base(const struct comparison *c) {
    for (int i = 0; i < c->count; i++)
        if (c->design[i].from_file)
            return design_base(c->design[i].assignments, c->design[i].word);
    return design_join(setting, "");
}

/* base is for placements; what is set counts over all. */
static bool start_one(struct study *s, const struct design *d, const char *base, const char *set,
                      int64_t tokens) {
    char *own = design_join(d->from_file ? "" : base, d->assignments);
    char *all = own ? design_join(own, set) : NULL;
    char *twin = all ? design_over_twin(all, d->word) : NULL;
    bool good = twin && study_start(s, d->word, twin, tokens);
    free(twin);
    free(all);
    free(own);
    return good;
}

static bool start(struct comparison *c, const char *base, const char *set, int64_t tokens) {
    for (int i = 0; i < c->count; i++)
        if (!start_one(&c->study[i], &c->design[i], base, set, tokens))
            return false;
    return true;
}

static bool read_designs(struct comparison *c, const struct study_verb *v) {
    for (; c->count < v->options.words; c->count++)
        if (!design_read(&c->design[c->count], v->options.word[c->count]))
            return false;
    char *base = make_base(c);
    bool good = base && start(c, base, v->set, v->tokens);
    free(base);
    return good;
}

/* "-" where a claim does not cover the design. */
static void put_claim(struct table *t, lnstab_config *c, const char *name, const char *arguments) {
    double value;
    if (lnstab_claim_predict(c, name, arguments, &value) == LNSTAB_OK)
        table_significant(t, 4, value);
    else
        table_missing(t);
}

static bool put_design(struct table *t, const struct study *s, int seeds) {
    static const enum property_name shown[] = {LAST_STATE, LAST_COSINE, WHOLE_JACOBIAN,
                                               TOKEN_GRADIENT_RATIO, LAST_GRADIENT};
    char message[MESSAGE_SIZE], layer[32];
    lnstab_config *c;
    if (!design_config(s->assignments, NULL, &c, message)) {
        usage_error("%s", message);
        return false;
    }
    snprintf(layer, sizeof layer, "layer=%lld", (long long)s->layers);
    table_text(t, "%s", s->label);
    for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++) {
        put_predicted(t, property_predicted(s, shown[i]));
        put_measured(t, property_measured(s, seeds, shown[i]));
    }
    put_claim(t, c, "lemma2.lower", layer);
    put_claim(t, c, "lemma2.upper", layer);
    double bound = study_bound(s, 2 * s->layers - 1, 1);
    put_predicted(t, isfinite(bound) ? bound * bound : (double)NAN);
    put_claim(t, c, "theorem1.printed", "tokens=1");
    lnstab_config_destroy(c);
    return true;
}

static bool report_designs(struct document *d, const struct comparison *c, int seeds) {
    static const struct table_column columns[] = {
        {"design", "design", TABLE_TEXT},
        {"last_state_predicted", "||x||^2/d", TABLE_NUMBER},
        {"last_state", "measured", TABLE_ESTIMATE},
        {"last_cosine_predicted", "cosine", TABLE_NUMBER},
        {"last_cosine", "measured", TABLE_ESTIMATE},
        {"jacobian_predicted", "||J||_F", TABLE_NUMBER},
        {"jacobian", "measured", TABLE_ESTIMATE},
        {"token_gradient_ratio_predicted", "1st/last", TABLE_NUMBER},
        {"token_gradient_ratio", "measured", TABLE_ESTIMATE},
        {"last_gradient_predicted", "W_2/sqrt d", TABLE_NUMBER},
        {"last_gradient", "measured", TABLE_ESTIMATE},
        {"lemma2_lower", "Lemma 2 >=", TABLE_NUMBER},
        {"lemma2_upper", "<=", TABLE_NUMBER},
        {"any_weights", "any weights <=", TABLE_NUMBER},
        {"theorem1_printed", "Theorem 1", TABLE_NUMBER},
        {NULL, NULL, TABLE_TEXT}};
    document_heading(d, "Designs");
    struct table *t = document_table(d, "designs", NULL, columns);
    for (int i = 0; i < c->count; i++)
        if (!put_design(t, &c->study[i], seeds))
            return false;
    document_paragraph(
        d,
        "||x||^2/d and the tokens' cosine behind the last layer; ||J||_F/sqrt(n d) of the whole "
        "stack; gradient of W_2 in\n"
        "layer 1 over that in layer L, one token's loss; ||dL_i/dW_2,L||/(||g_i|| sqrt d). Bounds: "
        "Lemma 2 of Xiong 2020 on\n"
        "||x||^2/d (of post, before N_res); what no weights of the branches can exceed, for an "
        "input of ||x||^2/d = 1;\n"
        "Theorem 1 of Xiong 2020 on ||dL_i/dW_2||/C_g, as printed, for one token.");
    return true;
}

static bool make_report(struct document *d, const struct comparison *c,
                        const struct study_verb *v) {
    document_start(d, "lnstab compare", "");
    d->subtitle = pool_print(&d->pool, "n = %lld, %s, inputs i.i.d. N(0, I)", (long long)v->tokens,
                             study_verb_seeds(v, &d->pool));
    if (!report_designs(d, c, v->how.seeds))
        return false;
    study_point_to_layers(d);
    document_appendix(d);
    document_heading(d, "States");
    study_draw_states(d, c->study, c->count);
    study_states(d, c->study, c->count);
    document_heading(d, "Gradients by layer");
    study_draw_gradients(d, c->study, c->count);
    study_gradients(d, c->study, c->count);
    document_heading(d, "Jacobians");
    study_draw_jacobians(d, c->study, c->count);
    study_costates(d, c->study, c->count);
    document_heading(d, "Configurations");
    for (int i = 0; i < c->count; i++)
        if (!study_describe(d, &c->study[i]))
            return false;
    document_origin(d, &v->origin);
    return true;
}

static int report(struct comparison *c, struct study_verb *v) {
    struct document d = {0};
    bool violated = false;
    FILE *json = v->outputs.file[OUTPUT_JSON];
    if (json)
        study_json(json, c->study, c->count, v->how.seeds);
    for (int i = 0; i < c->count; i++)
        violated =
            violated || study_share_of_bound(&c->study[i], v->how.seeds) > STUDY_BOUND_ROUNDING;
    bool good = make_report(&d, c, v) && outputs_report(&v->outputs, &d, &v->origin);
    document_free(&d);
    return !good ? STATUS_USAGE : violated ? STATUS_VIOLATED : STATUS_GOOD;
}

static int compare(struct study_verb *v) {
    struct comparison c = {0};
    if (v->options.words < 2)
        return usage_error("compare wants two designs or more, not %d", v->options.words);
    int status = read_designs(&c, v) && study_verb_open(v) ? study_verb_measure(v, c.study, c.count)
                                                           : STATUS_USAGE;
    if (status == STATUS_GOOD)
        status = report(&c, v);
    for (int i = 0; i < c.count; i++) {
        study_free(&c.study[i]);
        design_free(&c.design[i]);
    }
    return status;
}

int verb_compare(int argc, char **argv) {
    return study_verb_run("compare", compare_options, names, argc, argv, compare);
}
