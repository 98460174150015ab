#include "check_verdicts.h"

#include "not_finite.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* One verdict in the making. */
struct line {
    char measured[64], predicted[64], words[256];
    char written[64]; /* what the design as written has, "" where it is not measured */
    bool warning, violated;
};

static void say(struct line *line, bool warning, const char *format, ...) PRINTF_LIKE(3, 4);

static void say(struct line *line, bool warning, const char *format, ...) {
    int used = snprintf(line->words, sizeof line->words, "%s", warning ? "warning: " : "");
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line->words + used, sizeof line->words - (size_t)used, format, arguments);
    va_end(arguments);
    line->warning = warning;
}

/* Sets measured and predicted of a property; the value to judge is what was predicted, or, where nothing
 * is, measured. */
static double take(struct line *line, const struct checked *c, enum property_name p) {
    double predicted = property_predicted(c->small, p);
    struct estimate e = property_measured(c->small, c->seeds, p);
    if (!isnan(predicted))
        snprintf(line->predicted, sizeof line->predicted, "%.3g", predicted);
    if (e.seeds)
        snprintf(line->measured, sizeof line->measured, "%.3g +-%.2g", shown(e.mean),
                 shown(half_width(e, 0.05)));
    if (c->written && c->seeds)
        snprintf(line->written, sizeof line->written, "; as written %.3g",
                 shown(property_measured(c->written, c->seeds, p).mean));
    return isnan(predicted) ? e.mean : predicted;
}

/* Two digits behind the point, without the sign of a zero. */
static double hundredths(double value) {
    return round(100 * value) / 100 + 0.0;
}

static void judge_growth(struct line *line, const struct checked *c) {
    const struct growth *g = &c->scaling.growth;
    double last = take(line, c, LAST_STATE);
    if (!c->scaling.covered) {
        say(line, false, "not covered");
        return;
    }
    char words[64];
    growth_words(*g, words, sizeof words);
    if (last < FADED_STATE) {
        say(line, true, "%s, and the states fade: ||x||^2/d is 1 at the input", words);
        return;
    }
    bool steep =
        g->class == GROWTH_EXPONENTIAL || (g->class == GROWTH_POWER && g->power > STEEP_GROWTH);
    say(line, steep, "%s%s", words,
        steep                            ? ": deeper models leave the range of their numbers"
        : g->class == GROWTH_BOUNDED     ? ": the states keep their size at any depth"
        : g->class == GROWTH_LOGARITHMIC ? ": late layers still count"
                                         : ": the part of one layer in the state falls like 1/l");
}

/* The first layer whose tokens are alike, 0 if none. */
static int64_t collapse_layer(const struct study *s, bool measured) {
    for (int64_t l = 1; l <= s->layers; l++) {
        int64_t k = 2 * l - 1;
        double cosine = measured ? study_measured(s, PROFILE_COSINE, k).mean
                                 : study_predicted(s, PROFILE_COSINE, k);
        if (cosine > COLLAPSED_COSINE)
            return l;
    }
    return 0;
}

static void judge_tokens(struct line *line, const struct checked *c) {
    double cosine = take(line, c, LAST_COSINE);
    int64_t layer = collapse_layer(c->small, isnan(property_predicted(c->small, LAST_COSINE)));
    if (isnan(cosine))
        say(line, false, "not covered");
    else if (layer)
        say(line, true, "rank collapse: the tokens' cosine is above %g from layer %" PRId64 " on",
            COLLAPSED_COSINE, layer);
    else
        say(line, false, "the tokens stay apart");
}

static void judge_gradients(struct line *line, const struct checked *c) {
    double ratio = take(line, c, TOKEN_GRADIENT_RATIO);
    if (isnan(ratio))
        say(line, false, "not covered");
    else if (!isfinite(ratio))
        say(line, true, "the last layer's gradient is 0");
    else if (ratio > UNEVEN_GRADIENTS || ratio < 1 / UNEVEN_GRADIENTS)
        say(line, true,
            "the gradient %s towards the input by a factor of %.3g over %" PRId64 " layers",
            ratio > 1 ? "grows" : "fades", ratio > 1 ? ratio : 1 / ratio, c->small->layers);
    else
        say(line, false, "even: within a factor of %g", UNEVEN_GRADIENTS);
}

static void judge_exponents(struct line *line, const struct checked *c) {
    double depth = c->scaling.exponent_depth;
    take(line, c, LAST_GRADIENT);
    if (isnan(depth))
        say(line, false, "not covered");
    else if (depth > FLAT_EXPONENT)
        say(line, true, "grows like L^%.2f: deeper models start with larger gradients", depth);
    else if (depth < -STEEP_EXPONENT)
        say(line, true, "falls like L^%.2f: the last layer of deeper models does not learn", depth);
    else if (depth > -FLAT_EXPONENT)
        say(line, false, "L^%.2f, d^%.2f: flat in depth, as in post", hundredths(depth),
            c->scaling.exponent_width);
    else
        say(line, false, "L^%.2f, d^%.2f: falls with depth, as in pre", depth,
            c->scaling.exponent_width);
}

static void judge_updates(struct line *line, const struct checked *c) {
    double most = take(line, c, LARGEST_UPDATE),
           least = property_predicted(c->small, SMALLEST_UPDATE);
    if (isnan(least))
        least = property_measured(c->small, c->seeds, SMALLEST_UPDATE).mean;
    if (isnan(most))
        say(line, false, "not covered");
    else if (!isfinite(most))
        say(line, true, "the stream is cut: alpha is 0");
    else if (most > LOUD_UPDATE)
        say(line, true, "a branch outweighs the stream: %.3g to %.3g of it", least, most);
    else if (least < SILENT_UPDATE)
        say(line, true, "a sublayer adds next to nothing: %.3g to %.3g of the stream", least, most);
    else
        say(line, false, "%.3g to %.3g of the stream", least, most);
}

static void judge_bound(struct line *line, const struct checked *c) {
    const struct study *s = c->small;
    double bound = study_bound(s, 2 * s->layers - 1, 1), share = study_share_of_bound(s, c->seeds);
    if (isfinite(bound))
        snprintf(line->predicted, sizeof line->predicted, "%.3g", bound);
    if (isfinite(bound) && share > 0)
        snprintf(line->measured, sizeof line->measured, "at most %.3g of it", share);
    line->violated = share > STUDY_BOUND_ROUNDING;
    if (line->violated)
        say(line, true, "the bound does not hold");
    else if (isfinite(bound))
        say(line, false, "||x_L||/sqrt d stays below this for any weights of the branches");
    else
        say(line, false, "none: only the weights bound the states");
}

static void judge_identity(struct line *line, const struct checked *c) {
    const struct probes *p = &c->probes;
    snprintf(line->predicted, sizeof line->predicted, "%s", p->identity_predicted ? "yes" : "no");
    if (c->seeds)
        snprintf(line->measured, sizeof line->measured, "%s", p->identity ? "yes" : "no");
    if (c->seeds && p->identity != p->identity_predicted)
        say(line, true, "the design and what was built differ");
    else
        say(line, false, "%s",
            p->identity_predicted ? "branches that start at 0 leave the input as it is"
                                  : "branches that start at 0 do not give the identity");
}

/* The least ||F||^2/d and the largest update ratio of a part's sublayers, as measured. */
static void measured_branches(const struct study *s, int part, double *branch, double *update) {
    *branch = INFINITY, *update = 0;
    for (int64_t k = part; k < 2 * s->layers; k += 2) {
        *branch = least_of(*branch, study_measured(s, PROFILE_BRANCH, k).mean);
        *update = largest_of(*update, study_measured(s, PROFILE_UPDATE, k).mean);
    }
}

static void judge_scale(struct line *line, const struct checked *c, int part) {
    const struct probes *p = &c->probes;
    double branch = 1, update = 1, moved = p->scale_change[part];
    bool predicted = p->scale_predicted[part];
    snprintf(line->predicted, sizeof line->predicted, "%s", predicted ? "yes" : "no");
    if (c->seeds) {
        snprintf(line->measured, sizeof line->measured, "x_L by %.2g %%", 100 * shown(moved));
        measured_branches(c->small, part, &branch, &update);
    }
    /* eps in N_out lets through its share of the branch's variance; what adds next to nothing moves little */
    bool held = moved < PROBES_NO_CHANGE + 3 * c->eps / branch;
    if (c->seeds && held != predicted && (predicted || update > SILENT_UPDATE))
        say(line, true, "the design and what was built differ");
    else
        say(line, false, "%s",
            predicted ? "the size of the last matrix does not matter: N_out removes it"
            : c->seeds && update <= SILENT_UPDATE ? "these branches add next to nothing"
                                                  : "the size of the last matrix matters");
}

static void judge_attention_scale(struct line *line, const struct checked *c) {
    judge_scale(line, c, 0);
}

static void judge_ffn_scale(struct line *line, const struct checked *c) {
    judge_scale(line, c, 1);
}

/* In the design's own sizes; what was measured stands in the table. */
static void judge_range(struct line *line, const struct checked *c, const char *format,
                        double largest_number, double smallest_number) {
    double largest = property_predicted(c->whole, LARGEST_ENTRY);
    if (c->written && c->seeds)
        largest = largest_of(largest, property_measured(c->written, c->seeds, LARGEST_ENTRY).mean);
    double smallest = property_predicted(c->whole, SMALLEST_GRADIENT);
    double above = log2(largest_number / largest), below = log2(smallest / smallest_number);
    const char *reason = study_reason(c->whole->missing_gradients);
    if (isnan(largest)) {
        say(line, false, "not covered");
        return;
    }
    if (above < 0)
        say(line, true, "states up to %.3g overflow %s, which ends at %.6g", largest, format,
            largest_number);
    else if (!(smallest > 0) && !isnan(smallest))
        say(line, true, "%.1f bits above states up to %.3g; a gradient is 0", above, largest);
    else if (below < 0)
        say(line, true, "room for states; gradients of rms %.2g want a loss scale of 2^%d",
            smallest, (int)ceil(-below));
    else if (isnan(smallest))
        say(line, false, "%.1f bits above states up to %.3g; gradients are not covered%s%s", above,
            largest, *reason ? ": " : "", reason);
    else
        say(line, false,
            "%.1f bits above states up to %.3g; gradients are %.1f bits above the smallest "
            "normal number",
            above, largest, below);
}

static void judge_float16(struct line *line, const struct checked *c) {
    judge_range(line, c, "float16", FLOAT16_LARGEST, FLOAT16_NORMAL);
}

static void judge_bfloat16(struct line *line, const struct checked *c) {
    judge_range(line, c, "bfloat16", BFLOAT16_LARGEST, BFLOAT16_NORMAL);
}

static void judge_group(struct line *line, const struct checked *c, enum study_group group) {
    char words[160];
    int comparisons = study_comparisons(c->small);
    struct study_agreement a =
        study_agree(c->small, group, shared_miss(0.05, comparisons ? comparisons : 1));
    study_agreement_words(&a, words, sizeof words);
    say(line, a.outside > 0 || a.not_finite > 0 || a.allowed > DECIDING_ALLOWANCE, "%s", words);
}

static void judge_states(struct line *line, const struct checked *c) {
    judge_group(line, c, GROUP_STATES);
}

static void judge_costates(struct line *line, const struct checked *c) {
    judge_group(line, c, GROUP_COSTATES);
}

static void judge_all_gradients(struct line *line, const struct checked *c) {
    judge_group(line, c, GROUP_GRADIENTS);
}

static const struct topic {
    const char *source, *statement;
    void (*judge)(struct line *line, const struct checked *c);
} topics[] = {
    {"mean field", "||x||^2/d of the last state, and its growth as the model gets deeper",
     judge_growth},
    {"mean field", "cosine between two tokens in the last layer", judge_tokens},
    {"mean field", "gradient of W_2, layer 1 over layer L, one token's loss", judge_gradients},
    {"rank one", "||dL_i/dW_2,L||/||g_i||/sqrt d, and its exponents in L and d", judge_exponents},
    {"mean field", "largest residual-update ratio RMS(beta N_out(F))/RMS(alpha x)", judge_updates},
    {"proved", "a bound on ||x_L||/sqrt d that holds for any weights", judge_bound},
    {"structure", "zeroed branches give the identity", judge_identity},
    {"structure", "the last matrix of attention times 4 does not move the last state",
     judge_attention_scale},
    {"structure", "the last matrix of the FFN times 4 does not move the last state",
     judge_ffn_scale},
    {"float16", "head-room of states and gradients", judge_float16},
    {"bfloat16", "head-room of states and gradients", judge_bfloat16},
    {"simulation", "states: measured/predicted in every sublayer", judge_states},
    {"simulation", "costates: measured/predicted in every sublayer", judge_costates},
    {"simulation", "gradients: measured/predicted in every layer", judge_all_gradients},
};

struct check_result check_judge(struct document *d, const struct checked *c) {
    struct check_result result = {0};
    for (size_t i = 0; i < sizeof topics / sizeof topics[0]; i++) {
        if (!c->seeds && strcmp(topics[i].source, "simulation") == 0)
            continue;
        struct line line = {"-", "-", "", "", false, false};
        topics[i].judge(&line, c);
        struct verdict_line v = {
            topics[i].source, topics[i].statement,
            c->small->label,  line.measured,
            line.predicted,   pool_print(&d->pool, "%s%s", line.words, line.written),
            line.violated};
        document_verdict(d, &v);
        result.warnings += line.warning;
        result.violated = result.violated || line.violated;
    }
    return result;
}
