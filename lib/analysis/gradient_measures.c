#include "analysis/gradient_measures.h"

typedef const struct lnstab__scene *scene_t;
typedef const struct lnstab__claim_arguments *arguments_t;

static const void *costates_before(scene_t s, arguments_t a) {
    return lnstab__scene_stream(s, (int64_t)a->sublayer - 1)->grad;
}

double lnstab__measure_costate(scene_t s, arguments_t a) {
    return sqrt(lnstab__scene_total(s, costates_before(s, a), s->width) /
                lnstab__scene_total(s, s->m->output.grad, s->width));
}

double lnstab__measure_costate_cosine(scene_t s, arguments_t a) {
    return lnstab__scene_cosine(s, costates_before(s, a), s->width);
}

/* sum ||g_i||^2 = counted^2 sum ||c_i||^2, over counted tokens. */
double lnstab__measure_loss_gradient(scene_t s, arguments_t a) {
    (void)a;
    return sqrt((double)s->m->batch.counted * lnstab__scene_total(s, s->m->output.grad, s->width));
}

static double matrix(scene_t s, arguments_t a, const struct lnstab__linear *w) {
    return lnstab__scene_frobenius(s, w->weight.grad, w->out, w->in) /
           lnstab__measure_loss_gradient(s, a);
}

static const struct lnstab__attention *attention(scene_t s, arguments_t a) {
    return &lnstab__scene_sublayer(s, 2 * (int64_t)a->layer - 1)->of.attention;
}

static const struct lnstab__ffn *ffn(scene_t s, arguments_t a) {
    return &lnstab__scene_sublayer(s, 2 * (int64_t)a->layer)->of.ffn;
}

double lnstab__measure_w_v(scene_t s, arguments_t a) {
    return matrix(s, a, &attention(s, a)->w_v);
}

double lnstab__measure_w_o(scene_t s, arguments_t a) {
    return matrix(s, a, &attention(s, a)->w_o);
}

double lnstab__measure_w_1(scene_t s, arguments_t a) {
    return matrix(s, a, &ffn(s, a)->w_1);
}

double lnstab__measure_w_2(scene_t s, arguments_t a) {
    return matrix(s, a, &ffn(s, a)->w_2);
}

double lnstab__measure_rank_one(scene_t s, arguments_t a) {
    const struct lnstab__sublayer *last = lnstab__scene_sublayer(s, 2 * s->spec->layers);
    double sum = 0.0, count = 0.0;
    (void)a;
    for (size_t i = 0; i < s->rows; ++i) {
        const double c = lnstab__scene_square(s, s->m->output.grad, s->width, i);
        const double b = lnstab__scene_square(s, last->branch.grad, s->width, i);
        const double h =
            lnstab__scene_square(s, last->of.ffn.hidden.data, (size_t)s->spec->ffn_width, i);
        sum += c == 0.0 ? 0.0 : h * b / c;
        count += c != 0.0;
    }
    return sqrt(sum / count);
}

double lnstab__measure_coherence(scene_t s, arguments_t a) {
    (void)a;
    return lnstab__scene_coherence(s);
}
