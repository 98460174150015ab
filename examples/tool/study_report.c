#include "study_report.h"

#include "description.h"
#include "design.h"

#include <math.h>

void study_point_to_layers(struct document *d) {
    document_paragraph(d,
                       "By layer: --html FILE, --tables DIR, --figures DIR, or --format markdown.");
}

void put_predicted(struct table *t, double value) {
    if (isnan(value))
        table_missing(t);
    else
        table_significant(t, 4, value);
}

void put_measured(struct table *t, struct estimate e) {
    if (e.seeds == 0)
        table_missing(t);
    else
        table_relative(t, e.mean, half_width(e, 0.05));
}

static void put_both(struct table *t, const struct study *s, enum profile_quantity q, int64_t i) {
    put_predicted(t, study_predicted(s, q, i));
    put_measured(t, study_measured(s, q, i));
}

static void put_sublayer(struct table *t, const struct study *s, int64_t k) {
    table_text(t, "%s", s->label);
    table_integer(t, k / 2 + 1);
    table_text(t, "%s", k % 2 ? "ffn" : "attn");
}

#define DESIGN                                                                                     \
    {"design", "design", TABLE_TEXT}, {                                                            \
        "layer", "layer", TABLE_NUMBER                                                             \
    }
#define SUBLAYER                                                                                   \
    DESIGN, {                                                                                      \
        "sublayer", "", TABLE_TEXT                                                                 \
    }
#define BOTH(name, heading)                                                                        \
    {name "_predicted", heading, TABLE_NUMBER}, {                                                  \
        name, "measured", TABLE_ESTIMATE                                                           \
    }
#define END                                                                                        \
    { NULL, NULL, TABLE_TEXT }

void study_states(struct document *d, const struct study *studies, int count) {
    static const struct table_column columns[] = {SUBLAYER,
                                                  BOTH("state", "||x||^2/d"),
                                                  BOTH("cosine", "cosine"),
                                                  BOTH("branch", "||F||^2/d"),
                                                  BOTH("update_ratio", "update"),
                                                  BOTH("largest", "max |x|"),
                                                  END};
    struct table *t = document_table(d, "states", NULL, columns);
    for (int s = 0; s < count; s++)
        for (int64_t k = 0; k < 2 * studies[s].layers; k++) {
            put_sublayer(t, &studies[s], k);
            put_both(t, &studies[s], PROFILE_STATE, k);
            put_both(t, &studies[s], PROFILE_COSINE, k);
            put_both(t, &studies[s], PROFILE_BRANCH, k);
            put_both(t, &studies[s], PROFILE_UPDATE, k);
            put_both(t, &studies[s], PROFILE_LARGEST, k);
        }
    document_paragraph(
        d, "||x||^2/d of the stream behind a sublayer, and the mean cosine of two tokens there; "
           "||F||^2/d of the branch\n"
           "before N_out; update: RMS(beta N_out(F))/RMS(alpha x); max |x|: the largest entry of "
           "anything in the sublayer,\n"
           "predicted as if all entries were Gaussian. Each column is followed by its "
           "measurement, with 95 %% over seeds.\n");
}

void study_costates(struct document *d, const struct study *studies, int count) {
    static const struct table_column columns[] = {SUBLAYER,
                                                  BOTH("costate", "costate"),
                                                  BOTH("jacobian", "||J||_F"),
                                                  {"norm_jacobian", "||J_N||_2", TABLE_ESTIMATE},
                                                  END};
    struct table *t = document_table(d, "costates", NULL, columns);
    for (int s = 0; s < count; s++)
        for (int64_t k = 0; k < 2 * studies[s].layers; k++) {
            put_sublayer(t, &studies[s], k);
            put_both(t, &studies[s], PROFILE_COSTATE, k);
            put_both(t, &studies[s], PROFILE_JACOBIAN, k);
            put_measured(t, study_measured(&studies[s], PROFILE_NORM_JACOBIAN, k));
        }
    document_paragraph(
        d, "costate: ||dLoss/dx|| at the input of a sublayer over that at the output of the stack, "
           "for the loss of all tokens;\n"
           "||J||_F: sqrt(||J||_F^2/(n d)) of the map from there to the output, which is also the "
           "costate of one token's loss;\n"
           "||J_N||_2: the largest spectral norm of the Jacobian of a norm in the sublayer, over "
           "the tokens; 0 without a norm.\n");
}

static void put_gradients(struct document *d, const char *name, const struct study *studies,
                          int count, enum profile_quantity first) {
    static const struct table_column columns[] = {
        DESIGN, BOTH("w_v", "W_V"), BOTH("w_o", "W_O"), BOTH("w_1", "W_1"), BOTH("w_2", "W_2"),
        END};
    struct table *t = document_table(d, name, NULL, columns);
    for (int s = 0; s < count; s++)
        for (int64_t l = 0; l < studies[s].layers; l++) {
            table_text(t, "%s", studies[s].label);
            table_integer(t, l + 1);
            for (int q = (int)first; q < (int)first + 4; q++)
                put_both(t, &studies[s], (enum profile_quantity)q, l);
        }
}

void study_gradients(struct document *d, const struct study *studies, int count) {
    put_gradients(d, "gradients", studies, count, PROFILE_W_V);
    document_paragraph(
        d, "||dLoss/dW||_F of the mean of all tokens' losses, over the root mean square of "
           "||g_i||, g_i the gradient of token\n"
           "i's loss at the output. Predicted by the backward mean field, with its own prediction "
           "of how alike the g_i are.\n");
    put_gradients(d, "token_gradients", studies, count, PROFILE_TOKEN_W_V);
    document_paragraph(d, "The same of one token's loss: ||dL_i/dW||_F/||g_i||.\n");
}

bool study_describe(struct document *d, const struct study *s) {
    char message[MESSAGE_SIZE];
    lnstab_config *c;
    if (!design_config(s->assignments, NULL, &c, message)) {
        usage_error("%s: %s", s->label, message);
        return false;
    }
    const char *json = description_of(&d->pool, c);
    document_code(d, pool_print(&d->pool, "%s: the keys", s->label), s->assignments);
    document_code(d, pool_print(&d->pool, "%s: what they build", s->label), json ? json : "");
    lnstab_config_destroy(c);
    return json != NULL;
}
