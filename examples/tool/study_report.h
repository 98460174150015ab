/* Studies as tables and figures: what a page on one design, or on several side by side, shows. */
#ifndef TOOL_STUDY_REPORT_H
#define TOOL_STUDY_REPORT_H

#include "document.h"
#include "study.h"

/* Where the tables by layer are, which the text format leaves out. */
void study_point_to_layers(struct document *d);

/* The names of the tables and figures by layer. */
#define STUDY_NAMES                                                                                \
    "states", "costates", "gradients", "token_gradients", "states_by_layer", "gradients_by_layer", \
        "token_gradients_by_layer", "jacobian_by_layer"

/* One row a sublayer, and one a layer. */
void study_states(struct document *d, const struct study *studies, int count);
void study_costates(struct document *d, const struct study *studies, int count);
void study_gradients(struct document *d, const struct study *studies, int count);

/* One panel a study: ||x||^2/d with the recursion, Lemma 2 and the bound that holds for any weights. */
void study_draw_states(struct document *d, const struct study *studies, int count);
/* Of W_1, W_2 and W_V, as measured and by the backward mean field; of the mean of all losses, and of one
 * token's. */
void study_draw_gradients(struct document *d, const struct study *studies, int count);
/* One panel, all studies: the Jacobian of the rest of the stack. */
void study_draw_jacobians(struct document *d, const struct study *studies, int count);

/* The keys, and what the library says they build. False after one line on stderr. */
bool study_describe(struct document *d, const struct study *s);

/* Numbers of a study in a table: "-" where nothing is predicted, or nothing measured. */
void put_predicted(struct table *t, double value);
void put_measured(struct table *t, struct estimate e);

#endif
