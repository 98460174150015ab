#include "study_report.h"

#include "design.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Where value i lies on an axis of layers, the attention of a layer half-way: a state behind its sublayer, a
 * costate or Jacobian at its input. */
static double place(enum profile_quantity q, int64_t i) {
    bool at_input = q == PROFILE_COSTATE || q == PROFILE_JACOBIAN;
    return profile_rows[q].axis == PROFILE_LAYERS ? (double)(i + 1) : (double)(i + !at_input) / 2;
}

/* A panel has no room for a long name. */
static void start_panel(struct figure *f, const char *label) {
    enum { ROOM = 24 };
    figure_panel(f,
                 strlen(label) <= ROOM ? label : pool_print(f->pool, "%.*s...", ROOM - 3, label));
}

static void draw_predicted(struct figure *f, const struct study *s, enum profile_quantity q,
                           const char *label, enum figure_tone tone) {
    figure_series(f, label, FIGURE_LINE, tone);
    for (int64_t i = 0; i < profile_count(q, s->layers); i++) {
        double y = study_predicted(s, q, i);
        figure_point(f, place(q, i), y, y, y);
    }
}

static void draw_measured(struct figure *f, const struct study *s, enum profile_quantity q,
                          const char *label, enum figure_tone tone) {
    figure_series(f, label, FIGURE_POINTS, tone);
    for (int64_t i = 0; i < profile_count(q, s->layers); i++) {
        struct estimate e = study_measured(s, q, i);
        double half = half_width(e, 0.05);
        figure_point(f, place(q, i), e.mean, e.mean - half, e.mean + half);
    }
}

/* Lemma 2, as far as it covers the study. */
static void draw_lemma(struct figure *f, const struct study *s, lnstab_config *c, const char *name,
                       const char *label) {
    figure_series(f, label, FIGURE_DOTTED, FIGURE_MEDIUM);
    for (int64_t l = 1; l <= s->layers; l++) {
        char arguments[32];
        double y;
        snprintf(arguments, sizeof arguments, "layer=%" PRId64, l);
        if (lnstab_claim_predict(c, name, arguments, &y) == LNSTAB_OK)
            figure_point(f, (double)l, y, y, y);
    }
}

/* Before N_res only the weights bound what is drawn. */
static void draw_bound(struct figure *f, const struct study *s, lnstab_config *c) {
    figure_series(f, "any weights", FIGURE_DASHED, FIGURE_LIGHT);
    for (int64_t k = 0; k < 2 * s->layers; k++) {
        double bound = study_bound(s, k, 1), y = bound * bound;
        if (isfinite(y) && !design_flag(c, k, "norm_res"))
            figure_point(f, place(PROFILE_NORM, k), y, y, y);
    }
}

void study_draw_states(struct document *d, const struct study *studies, int count) {
    struct figure *f = document_figure(d, "states_by_layer", "Size of the states, before N_res",
                                       "layer", "||x||^2/d", FIGURE_LOG_Y);
    for (int i = 0; i < count; i++) {
        const struct study *s = &studies[i];
        lnstab_config *c;
        char message[MESSAGE_SIZE];
        start_panel(f, s->label);
        draw_predicted(f, s, PROFILE_SUM, "recursion", FIGURE_DARK);
        if (design_config(s->assignments, NULL, &c, message)) {
            draw_lemma(f, s, c, "lemma2.lower", "Lemma 2");
            draw_lemma(f, s, c, "lemma2.upper", "");
            draw_bound(f, s, c);
            lnstab_config_destroy(c);
        }
        draw_measured(f, s, PROFILE_SUM, "measured", FIGURE_ACCENT);
    }
}

static void draw_matrices(struct document *d, const char *name, const char *caption,
                          const char *y_label, const struct study *studies, int count,
                          const enum profile_quantity quantities[3]) {
    static const struct {
        const char *label;
        enum figure_tone tone;
    } matrices[3] = {{"W_1", FIGURE_DARK}, {"W_2", FIGURE_ACCENT}, {"W_V", FIGURE_MEDIUM}};
    struct figure *f = document_figure(d, name, caption, "layer", y_label, FIGURE_LOG_Y);
    for (int i = 0; i < count; i++) {
        start_panel(f, studies[i].label);
        for (int m = 0; m < 3; m++) {
            draw_predicted(f, &studies[i], quantities[m], "", matrices[m].tone);
            draw_measured(f, &studies[i], quantities[m], matrices[m].label, matrices[m].tone);
        }
    }
}

void study_draw_gradients(struct document *d, const struct study *studies, int count) {
    static const enum profile_quantity sequence[3] = {PROFILE_W_1, PROFILE_W_2, PROFILE_W_V};
    static const enum profile_quantity token[3] = {PROFILE_TOKEN_W_1, PROFILE_TOKEN_W_2,
                                                   PROFILE_TOKEN_W_V};
    draw_matrices(d, "gradients_by_layer",
                  "Gradient of the mean loss of all tokens: measured, and the backward mean field",
                  "||dLoss/dW||_F / rms ||g||", studies, count, sequence);
    draw_matrices(d, "token_gradients_by_layer",
                  "Gradient of one token's loss: measured, and the backward mean field",
                  "||dL_i/dW||_F / ||g_i||", studies, count, token);
}

void study_draw_jacobians(struct document *d, const struct study *studies, int count) {
    static const enum figure_tone tones[] = {FIGURE_ACCENT, FIGURE_DARK, FIGURE_MEDIUM,
                                             FIGURE_LIGHT};
    struct figure *f = document_figure(d, "jacobian_by_layer",
                                       "Jacobian of the stack from a layer's input to the output",
                                       "layer", "||J||_F / sqrt(n d)", FIGURE_LOG_Y);
    for (int i = 0; i < count; i++) {
        draw_predicted(f, &studies[i], PROFILE_JACOBIAN, "", tones[i % 4]);
        draw_measured(f, &studies[i], PROFILE_JACOBIAN, studies[i].label, tones[i % 4]);
    }
}
