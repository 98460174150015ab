#include "study_agreement.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* The quantities of a group stand behind one another. */
static const struct {
    enum profile_quantity first, last;
} groups[STUDY_GROUPS] = {
    [GROUP_STATES] = {PROFILE_STATE, PROFILE_UPDATE},
    [GROUP_COSTATES] = {PROFILE_COSTATE, PROFILE_JACOBIAN},
    [GROUP_GRADIENTS] = {PROFILE_W_V, PROFILE_TOKEN_W_2},
};

int study_comparisons(const struct study *s) {
    int count = 0;
    for (int g = 0; g < STUDY_GROUPS; g++)
        for (int q = (int)groups[g].first; q <= (int)groups[g].last; q++)
            for (int64_t i = 0; i < profile_count((enum profile_quantity)q, s->layers); i++)
                count += !isnan(study_predicted(s, (enum profile_quantity)q, i));
    return count;
}

/* measured/predicted - 1, or measured - predicted of a cosine, and of what is predicted to be 0. */
static struct estimate departure(const struct study *s, enum profile_quantity q, int64_t i) {
    struct estimate e = study_measured(s, q, i);
    double predicted = study_predicted(s, q, i);
    double unit = q == PROFILE_COSINE || !(fabs(predicted) > 0) ? 1 : predicted;
    return (struct estimate){(e.mean - predicted) / unit, e.error / unit, e.seeds};
}

static void compare(struct study_agreement *a, const struct study *s, enum profile_quantity q,
                    int64_t i, double miss) {
    struct estimate e = departure(s, q, i);
    struct study_allowance allowed = study_allow(s, q);
    double half = half_width(e, miss);
    a->compared++;
    if (!isfinite(e.mean) || !isfinite(e.error)) {
        a->not_finite++;
        return;
    }
    a->allowed = allowed.above > a->allowed ? allowed.above : a->allowed;
    bool outside = e.mean > half + allowed.above || -e.mean > half + allowed.below;
    a->outside += outside;
    if (outside && fabs(e.mean) >= a->worst) {
        a->worst = fabs(e.mean);
        a->worst_quantity = q;
        a->worst_layer = profile_rows[q].axis == PROFILE_SUBLAYERS ? i / 2 + 1 : i + 1;
    }
}

struct study_agreement study_agree(const struct study *s, enum study_group group, double miss) {
    struct study_agreement a = {0};
    for (int q = (int)groups[group].first; q <= (int)groups[group].last; q++)
        for (int64_t i = 0; i < profile_count((enum profile_quantity)q, s->layers); i++)
            if (!isnan(study_predicted(s, (enum profile_quantity)q, i)))
                compare(&a, s, (enum profile_quantity)q, i, miss);
    return a;
}

void study_agreement_words(const struct study_agreement *a, char *words, size_t size) {
    if (!a->compared)
        snprintf(words, size, "not covered");
    else if (a->allowed > DECIDING_ALLOWANCE)
        snprintf(words, size, "undecided: at this width predictions may be off by %.0f %%",
                 100 * a->allowed);
    else if (a->outside)
        snprintf(words, size, "differs, %d of %d, by up to %.2g (%s, layer %" PRId64 ")",
                 a->outside, a->compared, a->worst, profile_rows[a->worst_quantity].heading,
                 a->worst_layer);
    else if (a->not_finite)
        snprintf(words, size, "undecided: not finite in %d of %d", a->not_finite, a->compared);
    else
        snprintf(words, size, "agrees, all of %d", a->compared);
}

struct study_allowance study_allow(const struct study *s, enum profile_quantity q) {
    double d = (double)s->width, L = (double)s->layers;
    if (q == PROFILE_COSINE)
        return (struct study_allowance){4 / d, 4 / d};
    return q <= PROFILE_UPDATE ? (struct study_allowance){3 / d, 3 / d}
                               : (struct study_allowance){2 / d, (3 + L) / d};
}
