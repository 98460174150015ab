/* lnstab verify: the claims of the library's table, on models of every placement. */
#ifndef TOOL_VERIFY_H
#define TOOL_VERIFY_H

#include "grid.h"
#include "outputs.h"
#include "run_options.h"
#include "statistics.h"
#include "verify_variants.h"
#include "work.h"

/* Both sides of a claim at a place; stated is NaN where the claim is not about that place. */
struct side {
    double stated, measured;
};

/* One model: its sides, claim after claim (verify_side), and for each claim NULL or why it is not covered
 * at the first place that it is not covered at. */
struct sides {
    struct side *side; /* NULL of a model that a mean does without */
    char **reason;
    bool finite; /* its states and gradients */
};

/* Where a claim was asked. */
struct verify_place {
    int variant;
    struct cell cell;
    int64_t number; /* layer or sublayer, 0 of a claim about neither */
};

struct span {
    double low, high;
};

/* What became of a claim where it was asked: in one cell, or in several of them. */
struct outcome {
    int compared, not_finite, outside, undecided;
    struct span all_stated, all_measured, all_ratios; /* low > high: none is finite */
    /* Where it is furthest out: measured - stated over stated, or less than 0 by how far it is from it. */
    double worst;
    struct verify_place at;
    double stated, measured, low, high; /* there, with the interval of measured */
    const char *reason;                 /* if nothing is compared: why, or NULL */
};

struct verify {
    struct options options;
    struct outputs outputs;
    struct origin origin;
    struct progress progress;
    struct run_options run;
    struct pool pool;
    struct grid grid;
    int64_t tokens, vocab,
        weights; /* of the largest model that what is costly is asked of everywhere */
    int seeds, claims;
    struct claim *claim;
    struct sides *sides;     /* [runs, cells] */
    struct outcome *outcome; /* [claims, variants, cells] */
    int comparisons;         /* of means, which share a miss of 0.05 */
};

/* A run is a variant with a seed; those of a variant are neighbours. */
int verify_runs(const struct verify *v);
int verify_first_run(const struct verify *v, int variant);
int verify_runs_of(const struct verify *v, int variant);
int verify_variant(const struct verify *v, int run);

/* How many of the runs of a variant are made in a cell: of large models not all. */
int verify_models(const struct verify *v, int variant, struct cell at);

/* Of the branches of a cell's model: W_Q, W_K, W_V, W_O, W_1, W_2. */
int64_t verify_weights(const struct verify *v, struct cell at);

/* Where the sides of claim c of a model of L layers begin; c may be the number of claims. */
size_t verify_side(const struct verify *v, int c, int64_t layers);

static inline struct sides *verify_sides(const struct verify *v, int run, int cell) {
    return &v->sides[run * grid_cells(&v->grid) + cell];
}

static inline struct outcome *verify_outcome(const struct verify *v, int c, int variant, int cell) {
    return &v->outcome[(c * variants_count + variant) * grid_cells(&v->grid) + cell];
}

/* Measures all runs; STATUS_GOOD, STATUS_INTERRUPTED, or STATUS_USAGE after one line on stderr. */
int verify_measure(struct verify *v);

/* One model of a run: both sides of every claim that its variant asks. False with a message. */
bool verify_model(const struct verify *v, int run, struct cell at, lnstab_config *c,
                  lnstab_model *m, struct sides *out, char message[MESSAGE_SIZE]);

/* Fills in the outcomes. False after one line on stderr. */
bool verify_judge(struct verify *v);

/* That of nothing compared. */
struct outcome outcome_nothing(void);

/* Over the cells of a placement, of one variant or of all (-1). */
struct outcome verify_merged(const struct verify *v, int c, int placement, int variant);

enum verdict { VERDICT_HOLDS, VERDICT_UNDECIDED, VERDICT_DIFFERS, VERDICT_VIOLATED, VERDICT_NONE };

enum verdict verify_verdict(const struct claim *c, const struct outcome *o);
/* "holds", "VIOLATED", "does not reproduce", "undecided", "not covered". */
const char *verify_word(enum verdict verdict);
/* The same with how many, by how much and where, or why not. */
const char *verify_words(const struct verify *v, const struct claim *c, const struct outcome *o,
                         struct pool *pool);

/* How all comparisons ended. */
struct verify_count {
    int compared, violated, differ, undecided, not_finite;
    int silent; /* claims that are compared nowhere */
};

struct verify_count verify_counted(const struct verify *v);

void verify_csv(const struct verify *v, FILE *out);
void verify_json(const struct verify *v, FILE *out);
/* The tables of verify_report, for outputs.h. */
extern const char *const verify_names[];
void verify_report(const struct verify *v, struct document *d);

#endif
