#include "check_report.h"

#include "not_finite.h"
#include "study_report.h"

#include <inttypes.h>
#include <math.h>

const char *const check_names[] = {"design",
                                   "verdicts",
                                   "states",
                                   "costates",
                                   "gradients",
                                   "token_gradients",
                                   "states_by_layer",
                                   "gradients_by_layer",
                                   "token_gradients_by_layer",
                                   "jacobian_by_layer",
                                   NULL};

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
        document_paragraph(d, "Not predicted: %s.", k->small[0].missing);
    else if (*k->small[0].missing_gradients)
        document_paragraph(d, "Gradients of all tokens' losses are not predicted: %s.",
                           k->small[0].missing_gradients);
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
