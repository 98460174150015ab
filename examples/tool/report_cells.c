#include "report_parts.h"

#include <math.h>

#define CELL_COLUMNS                                                                               \
    {"placement", "placement", TABLE_TEXT}, {"rho", "rho", TABLE_NUMBER},                          \
        {"d", "d", TABLE_NUMBER}, {                                                                \
        "L", "L", TABLE_NUMBER                                                                     \
    }

static void put_cell(struct table *t, const struct grid *g, struct cell at) {
    table_text(t, "%s", g->placement[at.placement].label);
    table_significant(t, 6, g->ratio[at.ratio]);
    table_integer(t, g->width[at.width]);
    table_integer(t, g->depth[at.depth]);
}

static const struct table_column gradient_columns[] = {
    CELL_COLUMNS,
    {"raw_norm", "raw norm", TABLE_ESTIMATE},
    {"token_ratio", "ratio", TABLE_ESTIMATE},
    {"token_ratio_predicted", "rank one", TABLE_NUMBER},
    {"token_ratio_over_predicted", "ratio/pred", TABLE_ESTIMATE},
    {"raw_norm_over_predicted", "raw/pred", TABLE_ESTIMATE},
    {"printed_bound", "printed", TABLE_NUMBER},
    {"rigorous_bound", "rigorous", TABLE_NUMBER},
    {"raw_over_printed_bound", "of bound", TABLE_NUMBER},
    {NULL, NULL, TABLE_TEXT},
};

void report_gradients(struct document *d, const struct summary *s) {
    const struct grid *g = s->sweep->setting.grid;
    document_heading(d, "Gradient of W_2 in the last layer");
    struct table *t = document_table(d, "gradient", NULL, gradient_columns);
    for (int i = 0; i < grid_cells(g); i++) {
        const struct cell_summary *c = &s->cells[i];
        bool ratio = !isnan(c->prediction.ratio), bound = !isnan(c->prediction.printed);
        put_cell(t, g, grid_cell(g, i));
        put_mean(t, c->of[RAW]);
        put_mean(t, c->of[RATIO]);
        put_number(t, 3, c->prediction.ratio, ratio);
        put_interval(t, c->of[RATIO_OF_PREDICTED], ratio);
        put_interval(t, c->of[RAW_OF_PREDICTED], ratio);
        put_significant(t, c->of[PRINTED_BOUND].mean, bound);
        put_significant(t, c->of[RIGOROUS_BOUND].mean, bound);
        put_significant(t, c->of[RAW_OF_PRINTED].mean, bound);
    }
    document_paragraph(
        d,
        "raw norm ||dLoss/dW_2|| of the sequence's mean loss; ratio ||dL_i/dW_2||/||g_i||, "
        "mean over tokens; +- 95 %%\n"
        "of Student's t over seeds. rank one: predicted ratio times sqrt(1-k/d), k directions that "
        "the norms remove.\n"
        "raw/pred: given ||g_i|| and rho_v. printed: Theorem 1's bound for one token; rigorous: "
        "for "
        "all n at once, with\n"
        "the centred norm; C_g = max ||g_i|| of the seed. of bound: the raw norm over the printed "
        "bound.");
}

void report_gaps(struct document *d) {
    document_paragraph(
        d,
        "Gaps of the published proof (Xiong 2020, Theorem 1): (a) reverse Markov needs Y <= B "
        "surely, boundedness\n"
        "gives it with probability 1 - delta; repaired with tau = E[(Z-(1+epsilon)EZ)_+]/EZ. (b) "
        "The probability is for\n"
        "one token. (c) It is an upper bound: large gradients need the rank-one identity. (d) "
        "W_Q = W_K = 0 makes their\n"
        "gradients vanish. (e) LayerNorm's Jacobian has the centred norm: the rigorous form is a "
        "little larger.");
}

static const struct table_column state_columns[] = {
    CELL_COLUMNS,
    {"state_mean_square", "E Z/d", TABLE_ESTIMATE},
    {"lemma2", "Lemma 2", TABLE_RANGE},
    {"state_predicted", "q", TABLE_NUMBER},
    {"state_over_predicted", "measured/q", TABLE_ESTIMATE},
    {"delta", "delta [95 %]", TABLE_ESTIMATE},
    {"tau", "tau", TABLE_NUMBER},
    {"probability_published", "P", TABLE_NUMBER},
    {"probability_repaired_one_token", "P rep", TABLE_NUMBER},
    {"probability_repaired_all_tokens", "all n", TABLE_NUMBER},
    {NULL, NULL, TABLE_TEXT},
};

static void put_lemma(struct table *t, const struct prediction *p) {
    if (isnan(p->lower))
        table_missing(t);
    else
        table_range(t, p->lower, p->upper, 4);
}

static void put_state(struct table *t, const struct cell_summary *c) {
    const struct boundedness *b = &c->bounded;
    bool state = !isnan(c->prediction.state), bound = !isnan(c->prediction.printed);
    put_mean(t, c->of[STATE]);
    put_lemma(t, &c->prediction);
    put_number(t, 3, c->prediction.state, state);
    put_interval(t, c->of[STATE_OF_PREDICTED], state);
    table_fraction(t, b->delta.estimate, b->delta.lower, b->delta.upper);
    put_number(t, 4, b->tau, true);
    put_number(t, 3, b->published, bound);
    put_number(t, 3, b->repaired_one, bound);
    put_number(t, 2, b->repaired_all, bound);
}

void report_states(struct document *d, const struct summary *s) {
    const struct grid *g = s->sweep->setting.grid;
    document_heading(d,
                     "State before the last norm, and Definition 1 of Xiong 2020 at epsilon = %g",
                     BOUNDEDNESS_EPSILON);
    struct table *t = document_table(d, "state", NULL, state_columns);
    for (int i = 0; i < grid_cells(g); i++) {
        put_cell(t, g, grid_cell(g, i));
        put_state(t, &s->cells[i]);
    }
    document_paragraph(
        d, "Z = ||x5||^2 (post) or ||x_{L+1}||^2 (pre, peri) of a token; q is E Z/d by the "
           "mean-field recursion; delta\n"
           "= Pr[Z > 1.1 EZ], its interval by Clopper-Pearson with seeds, not tokens, as trials: "
           "the tokens of a sequence\n"
           "share its weights, so this is conservative. P, P rep: Theorem 1's probability for one "
           "token, as printed and\n"
           "with gap (a) repaired; all n: repaired, for n tokens at once; 0 or less says "
           "nothing.");
}
