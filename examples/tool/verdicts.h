/* What the measurement says about each claim, in plain words.
 *
 * Every comparison of a verdict uses an interval at the same level, chosen (Sidak) so that all of them
 * together are wrong with probability 0.05; the intervals that are printed are 95 % each. */
#ifndef TOOL_VERDICTS_H
#define TOOL_VERDICTS_H

#include "fits.h"
#include "summary.h"

struct verdict {
    const char *source, *claim; /* of a const table: equal claims are neighbours */
    const char *placement;
    char measured[64], predicted[64];
    char words[128];
    bool violated; /* a proved inequality does not hold */
};

struct verdicts {
    int count;
    struct verdict *list;
    double miss;     /* of one comparison                 */
    int comparisons; /* how many share the 0.05           */
    bool violated;   /* any of them                       */
};

/* False after one line on stderr; verdicts_free is needed in either case. */
bool verdicts_make(struct verdicts *out, const struct summary *s, const struct fits *f);
void verdicts_free(struct verdicts *v);

/* One claim for one placement: writes measured, predicted, words and violated. */
typedef void judge(struct verdict *v, const struct summary *s, const struct fits *f, int placement,
                   double miss);

/* Of proved statements. */
judge judge_lemma, judge_bound, judge_probability;
/* Of mean-field predictions. */
judge judge_state, judge_ratio, judge_raw, judge_ratio_depth, judge_raw_depth, judge_ratio_width;
/* Of the bound read as a rate. */
judge judge_rate_depth, judge_rate_width;

#endif
