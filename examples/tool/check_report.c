#include "check_report.h"

#include "not_finite.h"
#include "study_report.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

const char *const check_names[] = {"design", "built", "verdicts", "range", STUDY_NAMES, NULL};

static void put_scaling(struct table *t, const struct scaling *s, int row) {
    char words[64];
    if (!s->covered)
        table_missing(t);
    else if (row == 0) {
        growth_words(s->growth, words, sizeof words);
        table_text(t, "%s", words);
    } else
        put_predicted(t, row == 1 ? s->exponent_depth : s->exponent_width);
}

static bool report_design(struct document *d, const struct check *k, int seeds) {
    static const struct table_column columns[] = {{"property", "", TABLE_TEXT},
                                                  {"design", "design", TABLE_NUMBER},
                                                  {"measured", "measured", TABLE_ESTIMATE},
                                                  {"post", "post", TABLE_NUMBER},
                                                  {"pre", "pre", TABLE_NUMBER},
                                                  {"peri", "peri", TABLE_NUMBER},
                                                  {"output_norm", "output-norm", TABLE_NUMBER},
                                                  {"deepnorm", "deepnorm", TABLE_NUMBER},
                                                  {"ln_scaling", "ln-scaling", TABLE_NUMBER},
                                                  {NULL, NULL, TABLE_TEXT}};
    static const char *const scalings[] = {"growth of ||x||^2/d with L",
                                           "exponent of the last gradient in L",
                                           "exponent of the last gradient in d"};
    struct scaling peer[CHECK_PEERS];
    char message[MESSAGE_SIZE];
    for (int i = 0; i < CHECK_PEERS; i++)
        if (!scaling_of(&k->peer[i], &peer[i], message)) {
            usage_error("%s", message);
            return false;
        }
    struct table *t = document_table(d, "design", NULL, columns);
    for (int p = 0; p < PROPERTIES; p++) {
        table_text(t, "%s", properties[p].heading);
        put_predicted(t, property_predicted(&k->whole, (enum property_name)p));
        if (properties[p].of_width && k->small[0].width != k->whole.width)
            table_missing(t);
        else
            put_measured(t, property_measured(&k->small[0], seeds, (enum property_name)p));
        for (int i = 0; i < CHECK_PEERS; i++)
            put_predicted(t, property_predicted(&k->peer[i], (enum property_name)p));
    }
    for (int row = 0; row < 3; row++) {
        table_text(t, "%s", scalings[row]);
        put_scaling(t, &k->found.scaling, row);
        table_missing(t);
        for (int i = 0; i < CHECK_PEERS; i++)
            put_scaling(t, &peer[i], row);
    }
    document_paragraph(d,
                       "Predicted in the sizes of the design; measured at width %" PRId64
                       ". ||J||_F: of the whole "
                       "stack; a matrix's gradient is\n"
                       "that of the mean of all tokens' losses unless told; update ratio: RMS(beta "
                       "N_out(F))/RMS(alpha x).",
                       k->small[0].width);
    return true;
}

static double gradient_entry(const struct study *s, enum profile_quantity q, int64_t l) {
    double d = (double)s->width, other = q == PROFILE_W_V ? d : (double)s->ffn_width;
    return study_predicted(s, q, l) * study_predicted(s, PROFILE_LOSS_GRADIENT, 0) /
           sqrt(d * other);
}

/* Bits from the largest state up to a format's largest number, and from the smallest gradient down to its
 * smallest normal one. */
static void report_range(struct document *d, const struct study *s) {
    static const struct table_column columns[] = {{"layer", "layer", TABLE_NUMBER},
                                                  {"largest", "max |x|", TABLE_NUMBER},
                                                  {"float16_above", "float16", TABLE_NUMBER},
                                                  {"bfloat16_above", "bfloat16", TABLE_NUMBER},
                                                  {"gradient", "gradient", TABLE_NUMBER},
                                                  {"float16_below", "float16", TABLE_NUMBER},
                                                  {"bfloat16_below", "bfloat16", TABLE_NUMBER},
                                                  {NULL, NULL, TABLE_TEXT}};
    document_heading(d, "Range of numbers");
    struct table *t = document_table(d, "range", NULL, columns);
    for (int64_t l = 0; l < s->layers; l++) {
        double largest = largest_of(study_predicted(s, PROFILE_LARGEST, 2 * l),
                                    study_predicted(s, PROFILE_LARGEST, 2 * l + 1));
        double least = least_of(
            gradient_entry(s, PROFILE_W_V, l),
            least_of(gradient_entry(s, PROFILE_W_1, l), gradient_entry(s, PROFILE_W_2, l)));
        table_integer(t, l + 1);
        put_predicted(t, largest);
        put_predicted(t, log2(FLOAT16_LARGEST / largest));
        put_predicted(t, log2(BFLOAT16_LARGEST / largest));
        put_predicted(t, least);
        put_predicted(t, log2(least / FLOAT16_NORMAL));
        put_predicted(t, log2(least / BFLOAT16_NORMAL));
    }
    document_paragraph(
        d,
        "Predicted in the sizes of the design. max |x|: the largest entry of anything in the "
        "layer, "
        "and the bits from there to\n"
        "the largest number of a format; gradient: rms entry of the smallest of dLoss/dW_V, dW_1, "
        "dW_2, and the bits from the\n"
        "smallest normal number to it. Below 0 a format overflows, or loses digits.");
}

static void report_setting(struct document *d, const struct check *k) {
    if (*k->twin.changed)
        document_paragraph(
            d, "Predicted for, and measured in, the setting of the mean field:\n%s.%s",
            k->twin.changed,
            k->measured > 1 ? "\n\"as written\" is the design without these changes." : "");
    if (*k->small[0].missing)
        document_paragraph(d, "Not predicted: %s.", study_reason(k->small[0].missing));
    else if (*k->small[0].missing_gradients)
        document_paragraph(d, "Gradients of all tokens' losses are not predicted: %s.",
                           study_reason(k->small[0].missing_gradients));
}

/* The update of sublayer k as a formula: "N_res( x + 0.5 N_out( F( N_in(x) ) ) )". */
static void write_update(lnstab_config *c, int64_t k, char *text, size_t size) {
    char alpha[64], beta[64], kappa[64];
    design_rule(c, k, "alpha", alpha, sizeof alpha);
    design_rule(c, k, "beta", beta, sizeof beta);
    design_rule(c, k, "kappa", kappa, sizeof kappa);
    bool in = design_flag(c, k, "norm_in") != 0, out = design_flag(c, k, "norm_out") != 0;
    bool res = design_flag(c, k, "norm_res") != 0;
    const char *of_alpha = strcmp(alpha, "1") == 0 ? "" : alpha;
    const char *of_beta = strcmp(beta, "1") == 0 ? "" : beta;
    const char *of_kappa = strcmp(kappa, "1") == 0 ? "" : kappa;
    snprintf(text, size, "%s%s%sx + %s%s%sF(%s%s%s)%s%s", res ? "N(" : "", of_alpha,
             *of_alpha ? " " : "", of_beta, *of_beta ? " " : "", out ? "N(" : "", of_kappa,
             *of_kappa ? " " : "", in ? "N(x)" : "x", out ? ")" : "", res ? ")" : "");
}

static void put_layers(struct table *t, int64_t first, int64_t last, const char *attention,
                       const char *ffn) {
    if (first == last)
        table_text(t, "%" PRId64, first);
    else
        table_text(t, "%" PRId64 "-%" PRId64, first, last);
    table_text(t, "%s", attention);
    table_text(t, "%s", ffn);
}

/* The update of every sublayer, equal layers together. */
static void report_built(struct document *d, const struct check *k) {
    static const struct table_column columns[] = {{"layers", "layers", TABLE_TEXT},
                                                  {"attention", "attention: x' =", TABLE_TEXT},
                                                  {"ffn", "FFN: x' =", TABLE_TEXT},
                                                  {NULL, NULL, TABLE_TEXT}};
    char message[MESSAGE_SIZE], attention[320], ffn[320], last_attention[320] = "",
                                                          last_ffn[320] = "";
    lnstab_config *c;
    if (!design_config(k->whole.assignments, NULL, &c, message))
        return;
    int64_t first = 1, final_norm = 0;
    document_heading(d, "What is built");
    struct table *t = document_table(d, "built", NULL, columns);
    for (int64_t l = 1; l <= k->whole.layers; l++) {
        write_update(c, 2 * l - 2, attention, sizeof attention);
        write_update(c, 2 * l - 1, ffn, sizeof ffn);
        if (l > 1 && (strcmp(attention, last_attention) != 0 || strcmp(ffn, last_ffn) != 0)) {
            put_layers(t, first, l - 1, last_attention, last_ffn);
            first = l;
        }
        memcpy(last_attention, attention, sizeof attention);
        memcpy(last_ffn, ffn, sizeof ffn);
    }
    put_layers(t, first, k->whole.layers, last_attention, last_ffn);
    lnstab_config_get_i64(c, "final_norm", &final_norm);
    document_paragraph(d, final_norm ? "A norm on the last state." : "No norm on the last state.");
    lnstab_config_destroy(c);
}

static struct check_result report_verdicts(struct document *d, const struct check *k) {
    document_heading(d, "Verdict");
    struct check_result r = check_judge(d, &k->found);
    if (r.warnings == 0)
        document_paragraph(d, "Nothing was found against this design at L = %" PRId64 ".",
                           k->whole.layers);
    else
        document_paragraph(d, "%d %s.", r.warnings, r.warnings == 1 ? "warning" : "warnings");
    return r;
}

static void report_layers(struct document *d, const struct check *k) {
    document_heading(d, "States");
    study_draw_states(d, k->small, k->measured);
    study_states(d, k->small, k->measured);
    document_heading(d, "Gradients by layer");
    study_draw_gradients(d, k->small, k->measured);
    study_gradients(d, k->small, k->measured);
    document_heading(d, "Jacobians");
    study_draw_jacobians(d, k->small, k->measured);
    study_costates(d, k->small, k->measured);
}

bool check_report(struct document *d, const struct check *k, const struct study_verb *v,
                  struct check_result *result) {
    document_start(d, "", "");
    d->title = pool_print(&d->pool, "lnstab check %s", k->design.word);
    d->subtitle = pool_print(&d->pool,
                             "L = %" PRId64 ", d = %" PRId64 ", FFN width %" PRId64 ", n = %" PRId64
                             "; measured: d = %" PRId64 ", %s",
                             k->whole.layers, k->whole.width, k->whole.ffn_width, v->tokens,
                             k->small[0].width, study_verb_seeds(v, &d->pool));
    report_built(d, k);
    report_setting(d, k);
    *result = report_verdicts(d, k);
    document_heading(d, "Beside the known placements");
    if (!report_design(d, k, v->how.seeds))
        return false;
    report_range(d, &k->whole);
    study_point_to_layers(d);
    document_appendix(d);
    report_layers(d, k);
    document_heading(d, "Configuration");
    document_code(d, "As it was given", k->design.assignments);
    if (!study_describe(d, &k->whole))
        return false;
    document_origin(d, &v->origin);
    return true;
}
