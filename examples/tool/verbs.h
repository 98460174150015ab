/* The verbs of the program, one file each. */
#ifndef TOOL_VERBS_H
#define TOOL_VERBS_H

#include "options.h"

struct verb {
    const char *name, *summary;
    int (*run)(int argc, char **argv); /* the words after the verb; an exit status */
    const struct option *options;
    const char *notes; /* more for help, or NULL */
};

extern const struct verb verbs[]; /* ends with a row whose name is NULL */

const struct verb *verb_find(const char *name);

int verb_theorem1(int argc, char **argv);
int verb_compare(int argc, char **argv);
int verb_check(int argc, char **argv);
int verb_sensitivity(int argc, char **argv);
int verb_verify(int argc, char **argv);
int verb_placements(int argc, char **argv);
int verb_keys(int argc, char **argv);
int verb_presets(int argc, char **argv);
int verb_claims(int argc, char **argv);
int verb_describe(int argc, char **argv);
int verb_help(int argc, char **argv);

extern const struct option theorem1_options[], compare_options[], check_options[],
    sensitivity_options[], verify_options[], describe_options[], plain_options[];
extern const char theorem1_notes[], compare_notes[], check_notes[], sensitivity_notes[],
    verify_notes[];

/* Help on one verb, on stdout. Returns STATUS_GOOD. */
int verb_print_help(const char *name);

#endif
