#include "predict.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* The claim's value if it is finite, or NaN with the reason in why (NULL: not wanted). */
static double claim(lnstab_config *c, const char *name, const char *arguments, char *why) {
    double value;
    bool known = lnstab_claim_predict(c, name, arguments, &value) == LNSTAB_OK;
    if (known && isfinite(value))
        return value;
    if (why && known)
        snprintf(why, MESSAGE_SIZE, "%s: the value is not finite", name);
    else if (why)
        snprintf(why, MESSAGE_SIZE, "%s", lnstab_config_message(c));
    return NAN;
}

static void predict_bounds(lnstab_config *c, int64_t tokens, struct prediction *p) {
    char all[48];
    snprintf(all, sizeof all, "tokens=%" PRId64, tokens);
    p->printed = claim(c, "theorem1.printed", "tokens=1", p->bound_missing);
    if (isnan(p->printed))
        p->rigorous_token = NAN;
    else
        p->rigorous_token = claim(c, "theorem1.rigorous", "tokens=1", p->bound_missing);
    p->printed = isnan(p->rigorous_token) ? NAN : p->printed;
    p->rigorous = claim(c, "theorem1.rigorous", all, NULL);
}

static void predict_lemma(lnstab_config *c, const char *layer, struct prediction *p) {
    p->lower = claim(c, "lemma2.lower", layer, p->lemma_missing);
    p->upper = isnan(p->lower) ? NAN : claim(c, "lemma2.upper", layer, p->lemma_missing);
    p->lower = isnan(p->upper) ? NAN : p->lower;
}

/* The last norms remove k of d directions. */
static void predict_ratio(lnstab_config *c, int64_t width, const char *all, struct prediction *p) {
    int removed = setting_removed_directions(c);
    p->ratio =
        claim(c, "rankone.w_2", all, p->ratio_missing) * sqrt(fmax(0, 1 - removed / (double)width));
    if (p->ratio > 0)
        return;
    if (!isnan(p->ratio))
        snprintf(p->ratio_missing, MESSAGE_SIZE, "rankone.w_2: the predicted ratio is 0");
    p->ratio = NAN;
}

/* Z is the state before N_res in a post-like layer, where Lemma 2 is an equality; without N_res it is
 * the layer's output, which the recursion gives. */
static double predicted_state(lnstab_config *c, const struct prediction *p,
                              const char *layer_tokens) {
    int64_t norm_res = 0;
    lnstab_config_get_i64(c, "norm_res", &norm_res);
    if (!norm_res)
        return claim(c, "meanfield.q", layer_tokens, NULL);
    return p->upper - p->lower < 1e-12 ? p->upper : NAN;
}

static void predict_all(lnstab_config *c, int64_t layers, int64_t width, int64_t tokens,
                        struct prediction *p) {
    char layer[32], layer_tokens[80], all[48];
    snprintf(layer, sizeof layer, "layer=%" PRId64, layers);
    snprintf(all, sizeof all, "tokens=%" PRId64, tokens);
    snprintf(layer_tokens, sizeof layer_tokens, "%s %s", layer, all);
    predict_bounds(c, tokens, p);
    predict_lemma(c, layer, p);
    p->state = predicted_state(c, p, layer_tokens);
    p->cosine_hidden = claim(c, "meanfield.hidden_cosine", layer_tokens, NULL);
    predict_ratio(c, width, all, p);
}

bool predict_cell(const struct setting *s, struct cell at, struct prediction *out) {
    char message[MESSAGE_SIZE];
    lnstab_config *c;
    *out = (struct prediction){0};
    if (!setting_config(s, at, PREDICTED, NULL, &c, message)) {
        usage_error("%s", message);
        return false;
    }
    predict_all(c, s->grid->depth[at.depth], s->grid->width[at.width], s->tokens, out);
    lnstab_config_destroy(c);
    return true;
}

bool predict_probability(const struct setting *s, struct cell at, double epsilon, double delta,
                         double tau, double *published, double *repaired_one,
                         double *repaired_all) {
    char message[MESSAGE_SIZE], arguments[128];
    lnstab_config *c;
    if (!setting_config(s, at, PREDICTED, NULL, &c, message)) {
        usage_error("%s", message);
        return false;
    }
    snprintf(arguments, sizeof arguments, "epsilon=%.17g delta=%.17g", epsilon, delta);
    *published = claim(c, "theorem1.probability_published", arguments, NULL);
    snprintf(arguments, sizeof arguments, "epsilon=%.17g tau=%.17g tokens=1", epsilon, tau);
    *repaired_one = claim(c, "theorem1.probability_repaired", arguments, NULL);
    snprintf(arguments, sizeof arguments, "epsilon=%.17g tau=%.17g tokens=%" PRId64, epsilon, tau,
             s->tokens);
    *repaired_all = claim(c, "theorem1.probability_repaired", arguments, NULL);
    lnstab_config_destroy(c);
    return true;
}
