#include "analysis/costate.h"

#include <math.h>

/* What is asked about is w.q E||p_i||^2 + w.c E<p_i, p_j> of the costates somewhere. Costates come from
 * the output down, but the states that their factors need come up from the input; so the weights w are
 * carried up, beside the states, and no layer is remembered. */

/* The weights above a sublayer that give what w gives below it: the transpose of the map of moments. */
static struct lnstab__moments carried(const struct lnstab__meanfield *m, double n,
                                      struct lnstab__moments w) {
    const double through = m->entered * m->gain * m->passed;
    const double both_open = 2.0 * lnstab__meanfield_kap1(lnstab__meanfield_cosine(m->f_in));
    const double all = w.q + w.c;
    const struct lnstab__moments branch =
        m->is_ffn ? (struct lnstab__moments){w.q, both_open * w.c}
                  : (struct lnstab__moments){all / n, all * (1.0 - 1.0 / n)};
    return (struct lnstab__moments){m->kept * w.q + through * branch.q,
                                    m->kept * w.c + through * branch.c};
}

/* w at the input of sublayer k, whose states have the moments in. */
static double at_output(const struct lnstab__spec *spec, int64_t k, double n,
                        struct lnstab__moments in, struct lnstab__moments w, double coherence) {
    for (; k <= 2 * spec->layers; ++k) {
        const struct lnstab__meanfield m = lnstab__meanfield_update(spec, k, n, in);
        w = carried(&m, n, w);
        in = m.out;
    }
    return w.q + coherence * w.c;
}

struct lnstab__moments lnstab__costate_at(const struct lnstab__spec *spec, int64_t k, double n,
                                          double coherence) {
    const struct lnstab__moments in = lnstab__meanfield_at(spec, k, n).in;
    const struct lnstab__moments square = {1.0, 0.0}, product = {0.0, 1.0};
    return (struct lnstab__moments){at_output(spec, k, n, in, square, coherence),
                                    at_output(spec, k, n, in, product, coherence)};
}

/* ||sum_i a_i^T b_i||^2 = sum_ij <a_i, a_j><b_i, b_j>, a matrix reading a_i and getting the costate b_i,
 * over n^2 d, as weights of the costates of the branch. */
static struct lnstab__moments weights_of(const struct lnstab__spec *spec, enum lnstab__gain matrix,
                                         const struct lnstab__meanfield *m, double n) {
    const double p = lnstab__meanfield_cosine(m->f_in);
    const double share = lnstab__meanfield_hidden_share(spec) * m->f_in.q / n;
    const double average = lnstab__meanfield_average(m->f_in, n) / n;
    double square = 0.0, alike = 1.0;
    switch (matrix) {
    case LNSTAB__GAIN_V:
        square = m->last * average;
        break;
    case LNSTAB__GAIN_O:
        square = m->first * average;
        break;
    case LNSTAB__GAIN_W1:
        square = m->last * share;
        alike = 2.0 * p * lnstab__meanfield_kap1(p);
        break;
    case LNSTAB__GAIN_W2:
        square = m->first * share;
        alike = 2.0 * lnstab__meanfield_kap(p);
        break;
    case LNSTAB__GAIN_QK: /* what uniform attention does not depend on */
    case LNSTAB__GAINS:
        break;
    }
    return (struct lnstab__moments){square, square * (n - 1.0) * alike};
}

double lnstab__costate_gradient(const struct lnstab__spec *spec, enum lnstab__gain matrix,
                                int64_t l, double n, double coherence) {
    const int is_ffn = matrix == LNSTAB__GAIN_W1 || matrix == LNSTAB__GAIN_W2;
    const int64_t k = 2 * (l - 1) + is_ffn;
    const struct lnstab__meanfield m = lnstab__meanfield_at(spec, k, n);
    const struct lnstab__moments w = weights_of(spec, matrix, &m, n);
    const struct lnstab__moments above = {m.passed * w.q, m.passed * w.c};
    return (double)spec->width * at_output(spec, k + 1, n, m.out, above, coherence);
}
