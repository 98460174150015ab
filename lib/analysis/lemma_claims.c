#include <math.h>

#include "analysis/assumptions.h"
#include "analysis/claims.h"
#include "analysis/lemma_measures.h"
#include "analysis/meanfield.h"
#include "math/chi_square.h"

typedef const struct lnstab__spec *spec_t;
typedef const struct lnstab__scene *scene_t;
typedef const struct lnstab__claim_arguments *arguments_t;

/* A unit of W_1 x has variance 2 g_1^2 (||x||^2/d)/(1 + rho), which ReLU halves. */
static double hidden(scene_t s, arguments_t a) {
    const int64_t layer = (int64_t)a->layer;
    const struct lnstab__placement_row row = lnstab__spec_row(s->spec, 2 * layer - 1);
    const double gain = lnstab__spec_value(s->spec, row.gain[LNSTAB__GAIN_W1], layer);
    const void *x = lnstab__scene_sublayer(s, 2 * layer)->f_in.data;
    return gain * gain * (1.0 - lnstab__meanfield_hidden_share(s->spec)) *
           lnstab__scene_total(s, x, s->width) / (double)s->rows / (double)s->width;
}

static int has_norm(spec_t spec, int64_t k) {
    if (k > 2 * spec->layers) {
        return spec->final_norm;
    }
    const struct lnstab__placement_row row = lnstab__spec_row(spec, k - 1);
    return row.norm_in || row.norm_out || row.norm_res;
}

static double norm_bound(spec_t spec, arguments_t a) {
    return has_norm(spec, (int64_t)a->sublayer) ? 1.0 : (double)NAN;
}

static double projection(spec_t spec, arguments_t a) {
    (void)a;
    return spec->width > 1 ? 1.0 : (double)NAN;
}

/* Lemma 5 for the largest Y of the tokens as B, and their mean as EY. As computed B can be less than EY: any
 * larger B will do, and is one with the doubt about both. Squares that underflow are as good as 0. */
static double reverse_markov(scene_t s, arguments_t a) {
    const void *x = lnstab__scene_sublayer(s, 2 * s->spec->layers)->sum.data;
    const double largest = lnstab__scene_largest(s, x, s->width),
                 most = largest * largest * (1.0 + lnstab__markov_doubt(s));
    const double mean = lnstab__scene_total(s, x, s->width) / (double)s->rows;
    return mean < 0x1p-900 ? (double)NAN : (most - mean) / (most - a->level * mean);
}

static double gaussian_tail(spec_t spec, arguments_t a) {
    return lnstab__chi_square_tail(spec->width, a->epsilon);
}

static double gaussian_bound(spec_t spec, arguments_t a) {
    return a->epsilon > 0.0 && a->epsilon < 1.0
               ? exp(-(double)spec->width * a->epsilon * a->epsilon / 8.0)
               : (double)NAN;
}

static double reported(spec_t spec, arguments_t a) {
    (void)spec;
    (void)a;
    return 0.125;
}

#define GAUSSIAN "inputs N(0, I), embed_norm=0"
#define LAST "x the state before the last N_res, else before the final norm"

static const struct lnstab__claim rows[] = {
    {"lemma1.hidden", "Xiong 2020, Lemma 1", "layer",
     "Xavier weights, activation=relu gated=0, biases 0", LNSTAB__EXPECTATION, "=",
     "E h_p^2 of a hidden unit of the FFN of layer l: g_1^2 ||f_in||^2/d /(1 + rho), of the inputs "
     "that there are",
     lnstab__breaks_xavier_relu, NULL, hidden, lnstab__measure_hidden, LNSTAB__STATES},
    {"lemma3.exact", "Xiong 2020, Lemma 3; with the norm about the mean: derived", "sublayer",
     "any weights, inputs, eps", LNSTAB__INEQUALITY, "<=",
     "||J||_2 s/max|gamma| of the norms of sublayer k, s^2 the variance (rms: the mean square) "
     "+ eps; 1 for gamma = 1, d >= 3; k = 2L + 1 is the final norm",
     lnstab__breaks_nothing, norm_bound, NULL, lnstab__measure_norm_exact, LNSTAB__STATES},
    {"lemma3.printed", "Xiong 2020, Lemma 3; constant of its proof", "sublayer",
     "gamma 1; any weights, inputs, eps", LNSTAB__PUBLISHED,
     "<=", "||J||_2 ||x||/sqrt d of the norms of sublayer k; k = 2L + 1 is the final norm",
     lnstab__breaks_nothing, norm_bound, NULL, lnstab__measure_norm_printed, LNSTAB__STATES},
    {"lemma4.projection", "Xiong 2020, Lemma 4", "sublayer", "width at least 2; x not 0",
     LNSTAB__IDENTITY, "=", "||I - a^T a||_2, a = x/||x|| of the state after sublayer k",
     lnstab__breaks_nothing, projection, NULL, lnstab__measure_projection, LNSTAB__STATES},
    {"lemma5.markov", "Xiong 2020, Lemma 5", "level", "any weights, inputs, eps",
     LNSTAB__INEQUALITY, "<=",
     "share of the tokens with Y <= a = level EY: (B - EY)/(B - a), Y = ||x||^2, B = max Y, " LAST,
     lnstab__breaks_nothing, NULL, reverse_markov, lnstab__measure_markov, LNSTAB__STATES},
    {"definition1.gaussian", "Xiong 2020, Definition 1; value: derived", "epsilon", GAUSSIAN,
     LNSTAB__PROBABILITY, "=",
     "delta of ||x||^2 at the input: Pr[chi^2_d > (1 + epsilon) d] = Q(d/2, (1 + epsilon) d/2)",
     lnstab__breaks_gaussian_inputs, gaussian_tail, NULL, lnstab__measure_input_tail,
     LNSTAB__STATES},
    {"definition1.bound", "Xiong 2020, Definition 1; value: derived", "epsilon", GAUSSIAN,
     LNSTAB__PROBABILITY,
     "<=", "delta of ||x||^2 at the input: exp(-d epsilon^2/8), 0 < epsilon < 1",
     lnstab__breaks_gaussian_inputs, gaussian_bound, NULL, lnstab__measure_input_tail,
     LNSTAB__STATES},
    {"definition1.reported", "Xiong 2020, of its Definition 1", "", "none", LNSTAB__PUBLISHED,
     "<=", "delta = 0.125 at epsilon = 0.1 of ||x||^2, " LAST, lnstab__breaks_nothing, reported,
     NULL, lnstab__measure_reported_tail, LNSTAB__STATES},
};

const struct lnstab__claim_list lnstab__lemma_claims = {rows, sizeof rows / sizeof *rows};
