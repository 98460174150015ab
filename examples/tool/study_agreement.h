/* Is what was measured what the mean field predicts? For a group of quantities of one study. */
#ifndef TOOL_STUDY_AGREEMENT_H
#define TOOL_STUDY_AGREEMENT_H

#include "study.h"

enum study_group { GROUP_STATES, GROUP_COSTATES, GROUP_GRADIENTS, STUDY_GROUPS };

struct study_agreement {
    int compared, outside, not_finite;
    double allowed; /* the largest of what finite width may add */
    double
        worst; /* largest departure of those outside: of a square relative, of a cosine absolute */
    enum profile_quantity worst_quantity;
    int64_t worst_layer;
};

/* Where finite width may add more, nothing is decided. */
#define DECIDING_ALLOWANCE 0.5

/* How many values of all groups have a prediction. */
int study_comparisons(const struct study *s);

/* What finite width may add to measured/predicted, or of a cosine to measured - predicted: measured in
 * doc/theory.md, section 12. */
struct study_allowance {
    double below, above;
};

struct study_allowance study_allow(const struct study *s, enum profile_quantity q);

/* Each comparison takes an interval that misses with probability miss. */
struct study_agreement study_agree(const struct study *s, enum study_group group, double miss);

/* "agrees, all of 48", "differs, 3 of 48, by up to 0.12 (W_V, layer 4)", "not covered". */
void study_agreement_words(const struct study_agreement *a, char *words, size_t size);

#endif
