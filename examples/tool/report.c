#include "report_parts.h"

#include "agreement.h"
#include "allowance.h"
#include "not_finite.h"

#include <inttypes.h>

const char *const report_names[] = {
    "gradient",
    "state",
    "exponents_in_depth",
    "exponents_in_width",
    "verdicts",
    "configuration",
    "gradient_by_depth",
    "gradient_by_width",
    "text_against_gaussian",
    NULL,
};

/* "n = 32, V = 1000, 16 seeds from 1, inputs i.i.d. N(0, I)". */
static void write_setting(char *text, size_t size, const struct sweep *s) {
    const struct setting *set = &s->setting;
    snprintf(text, size,
             "n = %" PRId64 ", V = %" PRId64 ", %d seeds from %" PRIu64 ", inputs %s%s%s",
             set->tokens, set->vocab, s->seeds, s->first_seed,
             set->from_text ? "the bytes of a text" : "i.i.d. N(0, I)",
             *set->assignments ? ", " : "", set->assignments);
}

static void report_verdicts(struct document *d, const struct verdicts *v) {
    document_heading(d, "Verdicts");
    for (int i = 0; i < v->count; i++) {
        const struct verdict *one = &v->list[i];
        document_verdict(d, &(struct verdict_line){one->source, one->claim, one->placement,
                                                   one->measured, one->predicted, one->words,
                                                   one->violated});
    }
}

/* How the verdicts were reached. */
static void report_method(struct document *d, const struct verdicts *v) {
    document_paragraph(
        d,
        "Columns: measured, mean and 95 %% interval or range over the grid; predicted; verdict. "
        "A verdict on a\nprediction takes intervals at %.5g %% each, so that all %d are right "
        "together with 95 %%, widened by %g/d for\nfinite width; \"undecided\" if they are wider "
        "than +-%g. A loose bound is a finding, not a failure.",
        100 * (1 - v->miss), v->comparisons, ALLOWANCE_FACTOR, DECIDING_WIDTH);
}

/* C_0 of the text; it hardly depends on the cell. */
static void report_repetition(struct document *d, const struct summary *s) {
    struct estimate cosine = s->cells[0].of[INPUT_COSINE];
    document_paragraph(
        d,
        "Repetition: the mean cosine between two tokens' inputs is C_0 = %.3f +- %.3f; the "
        "predictions are for\n"
        "i.i.d. inputs, C_0 = 0. A larger C_0 makes the average of attention longer, so that "
        "pre's states grow faster\n"
        "and its ratio falls (peri's states do not, N_out fixes their steps), and hidden vectors "
        "are more alike, so\n"
        "that raw norms grow. Bounds and Lemma 2 hold for these inputs too.",
        shown(cosine.mean), shown(half_width(cosine, 0.05)));
}

bool report_make(struct document *d, const struct findings *f, const struct origin *origin) {
    char setting[512];
    const struct summary *s = &f->summary;
    const struct grid *g = s->sweep->setting.grid;
    write_setting(setting, sizeof setting, s->sweep);
    document_start(
        d, "lnstab theorem1: the setting of Xiong 2020, W_Q = W_K = 0, W_emb ~ N(0, 1/d)", setting);
    report_figures(d, f);
    report_gradients(d, s);
    report_gaps(d);
    report_states(d, s);
    report_fits(d, &f->fits, g, ALONG_DEPTH);
    report_fits(d, &f->fits, g, ALONG_WIDTH);
    if (s->sweep->text)
        report_repetition(d, s);
    report_verdicts(d, &f->verdicts);
    report_method(d, &f->verdicts);
    document_appendix(d);
    bool good = report_configuration(d, s->sweep);
    document_origin(d, origin);
    return good;
}
