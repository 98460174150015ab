#include "report.h"

#include "agreement.h"
#include "allowance.h"
#include "not_finite.h"
#include "report_parts.h"

#include <inttypes.h>
#include <string.h>

/* "n = 32, V = 1000, 16 seeds from 1, inputs i.i.d. N(0, I)". */
static void write_setting(char *text, size_t size, const struct sweep *s) {
    const struct setting *set = &s->setting;
    snprintf(text, size,
             "n = %" PRId64 ", V = %" PRId64 ", %d seeds from %" PRIu64 ", inputs %s%s%s",
             set->tokens, set->vocab, s->seeds, s->first_seed,
             set->from_text ? "the bytes of a text" : "i.i.d. N(0, I)",
             *set->assignments ? ", " : "", set->assignments);
}

static int widest_label(const struct verdicts *v) {
    size_t widest = 0;
    for (int i = 0; i < v->count; i++)
        if (strlen(v->list[i].placement) > widest)
            widest = strlen(v->list[i].placement);
    return (int)widest;
}

static void print_verdict(FILE *out, const struct verdict *v, int width) {
    fprintf(out, "  %-*s", width, v->placement);
    if (strcmp(v->measured, "-") != 0)
        fprintf(out, "  %15s %14s", v->measured, v->predicted);
    fprintf(out, "  %s\n", v->words);
}

static void print_verdicts(FILE *out, const struct verdicts *v) {
    int width = widest_label(v);
    fputs("\nVerdicts\n", out);
    for (int i = 0; i < v->count; i++) {
        const struct verdict *one = &v->list[i];
        if (i == 0 || one->claim != v->list[i - 1].claim)
            fprintf(out, "\n%s: %s\n", one->source, one->claim);
        print_verdict(out, one, width);
    }
}

/* How the verdicts were reached. */
static void print_method(FILE *out, const struct verdicts *v) {
    fprintf(
        out,
        "\nColumns: measured, mean and 95 %% interval or range over the grid; predicted; verdict. "
        "A verdict on a\nprediction takes intervals at %.5g %% each, so that all %d are right "
        "together with 95 %%, widened by %g/d for\nfinite width; \"undecided\" if they are wider "
        "than +-%g. A loose bound is a finding, not a failure.\n",
        100 * (1 - v->miss), v->comparisons, ALLOWANCE_FACTOR, DECIDING_WIDTH);
}

/* C_0 of the text; it hardly depends on the cell. */
static void print_repetition(FILE *out, const struct summary *s) {
    struct estimate cosine = s->cells[0].of[INPUT_COSINE];
    fprintf(
        out,
        "\nRepetition: the mean cosine between two tokens' inputs is C_0 = %.3f +- %.3f; the "
        "predictions are for\n"
        "i.i.d. inputs, C_0 = 0. A larger C_0 makes the average of attention longer, so that "
        "pre's states grow faster\n"
        "and its ratio falls (peri's states do not, N_out fixes their steps), and hidden vectors "
        "are more alike, so\n"
        "that raw norms grow. Bounds and Lemma 2 hold for these inputs too.\n",
        shown(cosine.mean), shown(half_width(cosine, 0.05)));
}

void report_print(FILE *out, const struct summary *s, const struct fits *f,
                  const struct verdicts *v) {
    char setting[512];
    const struct grid *g = s->sweep->setting.grid;
    write_setting(setting, sizeof setting, s->sweep);
    fprintf(out,
            "lnstab theorem1: the setting of Xiong 2020, W_Q = W_K = 0, W_emb ~ N(0, 1/d)\n%s\n",
            setting);
    print_gradients(out, s);
    print_gaps(out);
    print_states(out, s);
    print_fits(out, f, g, ALONG_DEPTH);
    print_fits(out, f, g, ALONG_WIDTH);
    if (s->sweep->text)
        print_repetition(out, s);
    print_verdicts(out, v);
    print_method(out, v);
}
