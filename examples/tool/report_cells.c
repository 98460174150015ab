#include "report_parts.h"

#include <inttypes.h>
#include <math.h>

static void put_cell(struct table *t, const struct grid *g, struct cell at) {
    table_put(t, "%s", g->placement[at.placement].label);
    table_put(t, "%g", g->ratio[at.ratio]);
    table_put(t, "%" PRId64, g->width[at.width]);
    table_put(t, "%" PRId64, g->depth[at.depth]);
}

void print_gradients(FILE *out, const struct summary *s) {
    const struct grid *g = s->sweep->setting.grid;
    struct table t;
    table_start(&t,
                "placement|rho|d|L|raw norm|ratio|rank one|ratio/pred|raw/pred|printed|rigorous|"
                "of bound");
    for (int i = 0; i < grid_cells(g); i++) {
        const struct cell_summary *c = &s->cells[i];
        bool ratio = !isnan(c->prediction.ratio), bound = !isnan(c->prediction.printed);
        put_cell(&t, g, grid_cell(g, i));
        put_mean(&t, c->of[RAW]);
        put_mean(&t, c->of[RATIO]);
        put_number(&t, 3, c->prediction.ratio, ratio);
        put_interval(&t, c->of[RATIO_OF_PREDICTED], ratio);
        put_interval(&t, c->of[RAW_OF_PREDICTED], ratio);
        put_significant(&t, c->of[PRINTED_BOUND].mean, bound);
        put_significant(&t, c->of[RIGOROUS_BOUND].mean, bound);
        put_significant(&t, c->of[RAW_OF_PRINTED].mean, bound);
    }
    fputs("\nGradient of W_2 in the last layer\n\n", out);
    table_print(&t, out);
    fputs(
        "\nraw norm ||dLoss/dW_2|| of the sequence's mean loss; ratio ||dL_i/dW_2||/||g_i||, "
        "mean over tokens; +- 95 %\n"
        "of Student's t over seeds. rank one: predicted ratio times sqrt(1-k/d), k directions that "
        "the norms remove.\n"
        "raw/pred: given ||g_i|| and rho_v. printed: Theorem 1's bound for one token; rigorous: "
        "for "
        "all n at once, with\n"
        "the centred norm; C_g = max ||g_i|| of the seed. of bound: the raw norm over the printed "
        "bound.\n",
        out);
}

void print_gaps(FILE *out) {
    fputs("\nGaps of the published proof (Xiong 2020, Theorem 1): (a) reverse Markov needs Y <= B "
          "surely, boundedness\n"
          "gives it with probability 1 - delta; repaired with tau = E[(Z-(1+epsilon)EZ)_+]/EZ. (b) "
          "The probability is for\n"
          "one token. (c) It is an upper bound: large gradients need the rank-one identity. (d) "
          "W_Q = W_K = 0 makes their\n"
          "gradients vanish. (e) LayerNorm's Jacobian has the centred norm: the rigorous form is a "
          "little larger.\n",
          out);
}

static void put_lemma(struct table *t, const struct prediction *p) {
    if (isnan(p->lower))
        table_put(t, "-");
    else if (p->upper - p->lower < 1e-12)
        table_put(t, "%.4g", p->upper);
    else
        table_put(t, "%.4g..%.4g", p->lower, p->upper);
}

void print_states(FILE *out, const struct summary *s) {
    const struct grid *g = s->sweep->setting.grid;
    struct table t;
    table_start(&t, "placement|rho|d|L|E Z/d|Lemma 2|q|measured/q|delta [95 %]|tau|P|P rep|all n");
    for (int i = 0; i < grid_cells(g); i++) {
        const struct cell_summary *c = &s->cells[i];
        const struct boundedness *b = &c->bounded;
        bool state = !isnan(c->prediction.state), bound = !isnan(c->prediction.printed);
        put_cell(&t, g, grid_cell(g, i));
        put_mean(&t, c->of[STATE]);
        put_lemma(&t, &c->prediction);
        put_number(&t, 3, c->prediction.state, state);
        put_interval(&t, c->of[STATE_OF_PREDICTED], state);
        put_fraction(&t, &b->delta);
        put_number(&t, 4, b->tau, true);
        put_number(&t, 3, b->published, bound);
        put_number(&t, 3, b->repaired_one, bound);
        put_number(&t, 2, b->repaired_all, bound);
    }
    fprintf(out, "\nState before the last norm, and Definition 1 of Xiong 2020 at epsilon = %g\n\n",
            BOUNDEDNESS_EPSILON);
    table_print(&t, out);
    fputs("\nZ = ||x5||^2 (post) or ||x_{L+1}||^2 (pre, peri) of a token; q is E Z/d by the "
          "mean-field recursion; delta\n"
          "= Pr[Z > 1.1 EZ], its interval by Clopper-Pearson with seeds, not tokens, as trials: "
          "the tokens of a sequence\n"
          "share its weights, so this is conservative. P, P rep: Theorem 1's probability for one "
          "token, as printed and\n"
          "with gap (a) repaired; all n: repaired, for n tokens at once; 0 or less says "
          "nothing.\n",
          out);
}
