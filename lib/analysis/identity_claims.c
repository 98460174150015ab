#include <math.h>

#include "analysis/assumptions.h"
#include "analysis/claims.h"
#include "analysis/norm_facts.h"
#include "math/basis.h"

typedef const struct lnstab__scene *scene_t;
typedef const struct lnstab__claim_arguments *arguments_t;

enum { ROUNDINGS = 4 };

/* Of products, and of vectors too: the model's type, and double of their squares, hold all digits. */
static double least_product(scene_t s) {
    return s->kernels->size < sizeof(double) ? 0x1p-78 : 0x1p-459;
}

/* (sum_i ||a_i|| ||b_i||)^2: as large as ||sum a_i^T b_i||_F^2 can be. NaN, as for 0, where it is so small
 * that the products are lost in underflow. */
static double most(scene_t s, const void *a, size_t width, const void *b) {
    double sum = 0.0;
    for (size_t i = 0; i < s->rows; ++i) {
        sum += lnstab__scene_norm(s, a, width, i) * lnstab__scene_norm(s, b, s->width, i);
    }
    const double least =
        fmin(lnstab__scene_largest(s, a, width), lnstab__scene_largest(s, b, s->width));
    return fmin(sum, least) < least_product(s) ? (double)NAN : sum * sum;
}

static const struct lnstab__sublayer *ffn_of(scene_t s, arguments_t a) {
    return lnstab__scene_sublayer(s, 2 * (int64_t)a->layer);
}

/* There is no room for the products of all tokens. */
static double rank_one(scene_t s, arguments_t a) {
    const struct lnstab__sublayer *at = ffn_of(s, a);
    const void *h = at->of.ffn.hidden.data, *b = at->branch.grad;
    const size_t width = at->of.ffn.w_2.in;
    double sum = 0.0;
    for (size_t i = 0; i < s->rows; ++i) {
        for (size_t j = 0; j <= i; ++j) {
            sum += (i == j ? 1.0 : 2.0) * lnstab__scene_dot(s, h, width, i, j) *
                   lnstab__scene_dot(s, b, s->width, i, j);
        }
    }
    return sum / most(s, h, width, b);
}

static double rank_one_of_gradient(scene_t s, arguments_t a) {
    const struct lnstab__sublayer *at = ffn_of(s, a);
    const struct lnstab__linear *w = &at->of.ffn.w_2;
    const double norm = lnstab__scene_frobenius(s, w->weight.grad, w->out, w->in);
    return norm * norm / most(s, at->of.ffn.hidden.data, w->in, at->branch.grad);
}

/* The matrix that F of a sublayer ends with, in which F is linear: W_2, W_O, or W_V without W_O. */
static const struct lnstab__linear *last_matrix(scene_t s, arguments_t a) {
    const struct lnstab__sublayer *at = lnstab__scene_sublayer(s, (int64_t)a->sublayer);
    return (int64_t)a->sublayer % 2 == 0 ? &at->of.ffn.w_2
           : s->spec->out_proj           ? &at->of.attention.w_o
                                         : &at->of.attention.w_v;
}

/* sum over an array of <x_i, y_i>. */
static double product(scene_t s, const struct lnstab__state *x, size_t rows, size_t width) {
    double *data = s->room, *grad = s->room + width, sum = 0.0;
    for (size_t i = 0; i < rows; ++i) {
        lnstab__scene_row(s, x->data, width, i, data);
        lnstab__scene_row(s, x->grad, width, i, grad);
        for (size_t j = 0; j < width; ++j) {
            sum += data[j] * grad[j];
        }
    }
    return sum;
}

/* What N_out, if there is one, leaves of its argument x: J x = gamma y eps/s^3, into x; y = x - mean,
 * rms: y = x. */
static void leave(const struct lnstab__norm_op *n, size_t width, double *x) {
    double mean = 0.0, square = 0.0;
    if (n->kind == LNSTAB__NORM_NONE) {
        return;
    }
    for (size_t j = 0; j < width && n->kind == LNSTAB__NORM_LAYER; ++j) {
        mean += x[j] / (double)width;
    }
    for (size_t j = 0; j < width; ++j) {
        x[j] -= mean;
        square += x[j] * x[j] / (double)width;
    }
    const double variance = square + n->eps, factor = n->eps / (variance * sqrt(variance));
    for (size_t j = 0; j < width; ++j) {
        x[j] *= factor;
    }
}

/* p_i, with the gamma of N_out if there is one, in the room's second half. */
static double *pulled(scene_t s, const struct lnstab__sublayer *at, size_t i) {
    double *gamma = s->room, *p = s->room + s->width;
    const int has_norm = at->norm_out.kind != LNSTAB__NORM_NONE;
    if (has_norm) {
        lnstab__scene_row(s, at->norm_out.gamma.data, s->width, 0, gamma);
    }
    lnstab__scene_row(s, at->sum.grad, s->width, i, p);
    for (size_t j = 0; has_norm && j < s->width; ++j) {
        p[j] *= gamma[j];
    }
    return p;
}

/* <p_i, e_i>, the gamma of N_out taken to p_i. */
static double left_of(scene_t s, const struct lnstab__sublayer *at, size_t i) {
    double *x = s->room, sum = 0.0;
    const double *p = pulled(s, at, i);
    lnstab__scene_row(s, at->branch.data, s->width, i, x);
    leave(&at->norm_out, s->width, x);
    for (size_t j = 0; j < s->width; ++j) {
        sum += p[j] * x[j];
    }
    return sum;
}

/* beta sum_i ||gamma p_i||/s ||branch_i||: what <b_i, branch_i> is rounded to u of, however much of it N_out takes
 * away. */
static double size_before(scene_t s, const struct lnstab__sublayer *at) {
    const struct lnstab__norm_map map = {
        .kind = at->norm_out.kind, .width = s->width, .eps = at->norm_out.eps, .scale = 1.0};
    struct lnstab__row_jacobian row;
    double sum = 0.0;
    for (size_t i = 0; i < s->rows; ++i) {
        const void *branch = lnstab__at_const(s->kernels, at->branch.data, i * s->width);
        s->kernels->norm_jacobian(&map, branch, &row);
        const double p = lnstab__vector_norm(s->width, pulled(s, at, i));
        sum += p * row.rstd * lnstab__scene_norm(s, at->branch.data, s->width, i);
    }
    return fabs(at->beta) * sum;
}

/* Both sides are sum_i <b_i, branch_i>, b_i the costate of branch; this is as large as that can be. NaN where
 * N_out leaves so little of b_i that a third of its digits are gone. */
static double largest_product(scene_t s, arguments_t a) {
    const struct lnstab__sublayer *at = lnstab__scene_sublayer(s, (int64_t)a->sublayer);
    const double size = sqrt(most(s, at->branch.data, s->width, at->branch.grad));
    const double u = lnstab__unit_roundoff(s);
    const int is_lost = at->norm_out.kind != LNSTAB__NORM_NONE &&
                        ROUNDINGS * u * size_before(s, at) > pow(u, 2.0 / 3.0) * size;
    return is_lost ? (double)NAN : size;
}

static double euler(scene_t s, arguments_t a) {
    const struct lnstab__linear *w = last_matrix(s, a);
    const double bias = w->bias.data ? product(s, &w->bias, 1, w->out) : 0.0;
    return (product(s, &w->weight, w->out, w->in) + bias) / largest_product(s, a);
}

static double euler_of_states(scene_t s, arguments_t a) {
    double sum = 0.0;
    if (a->sublayer > 2.0 * (double)s->spec->layers) {
        return NAN;
    }
    const struct lnstab__sublayer *at = lnstab__scene_sublayer(s, (int64_t)a->sublayer);
    for (size_t i = 0; i < s->rows; ++i) {
        sum += left_of(s, at, i);
    }
    return at->beta * sum / largest_product(s, a);
}

static const struct lnstab__claim rows[] = {
    {"rankone.identity", "derived", "layer", "gradients 0 before the backward", LNSTAB__IDENTITY,
     "=",
     "||dLoss/dW_2,l||_F^2/(sum_i ||h_i|| ||b_i||)^2: sum_ij <h_i, h_j><b_i, b_j> over the same, "
     "h_i the hidden vectors, b_i the costates of the branch",
     lnstab__breaks_nothing, NULL, rank_one, rank_one_of_gradient, LNSTAB__COSTATES},
    {"scale.euler", "derived", "sublayer", "gradients 0 before the backward", LNSTAB__IDENTITY, "=",
     "(<W, dW> + <b, db>)/sum_i ||branch_i|| ||b_i||, W, b the last matrix of the branch and its "
     "bias, b_i the costate of branch: beta sum_i <p_i, e_i> over the same, p_i the costate of "
     "sum, e_i the branch, with N_out gamma (branch - mean) eps/s^3",
     lnstab__breaks_nothing, NULL, euler_of_states, euler, LNSTAB__COSTATES},
};

const struct lnstab__claim_list lnstab__identity_claims = {rows, sizeof rows / sizeof *rows};
