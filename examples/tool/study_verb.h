/* What the verbs about whole designs, check, compare and sensitivity, have in common: their options, and how they run. */
#ifndef TOOL_STUDY_VERB_H
#define TOOL_STUDY_VERB_H

#include "outputs.h"
#include "run_options.h"
#include "study.h"

struct study_verb {
    struct options options;
    struct outputs outputs;
    struct origin origin;
    struct progress progress;
    struct run_options run;
    struct measuring how;
    const char *const *names; /* of tables and figures */
    int64_t tokens;
    const char *set; /* of --set; "" for none */
};

/* The rows of their options. */
#define STUDY_OPTIONS                                                                              \
    {"--seeds", "N", "8", "seeds that are measured; 0 for the predictions alone, else 2 or more",  \
     false},                                                                                       \
        STUDY_OPTIONS_BUT_SEEDS
#define STUDY_OPTIONS_BUT_SEEDS                                                                    \
    {"--seed", "FIRST", "1", "the first seed", false},                                             \
        {"--tokens", "N", "32", "n, tokens of a sequence", false},                                 \
        {"--set", "KEY=VALUE", NULL,                                                               \
         "set a configuration key of every design (lnstab keys lists them); may be repeated",      \
         true},                                                                                    \
        {"--json", "FILE", NULL, "all numbers; - is standard output, instead of the tables",       \
         false},                                                                                   \
        REPORT_OPTIONS, RUN_OPTIONS, {                                                             \
        "--help", NULL, NULL, "this text", false                                                   \
    }

/* Runs a verb: reads its options and calls work, which reads the designs, calls study_verb_open, and gives an
 * exit status. names are the tables and figures of its report. */
int study_verb_run(const char *verb, const struct option *table, const char *const *names, int argc,
                   char **argv, int (*work)(struct study_verb *v));

/* Opens what the options name: nothing is made before the designs are known to be good. False after one
 * line on stderr. */
bool study_verb_open(struct study_verb *v);

/* "8 seeds from 1", or that nothing is measured. */
const char *study_verb_seeds(const struct study_verb *v, struct pool *pool);

/* Measures, with the progress shown; STATUS_GOOD at once if no seeds are wanted. */
int study_verb_measure(struct study_verb *v, struct study *studies, int count);

#endif
