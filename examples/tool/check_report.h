/* The page on one design: what is found, the design beside the known placements, sublayer by sublayer. */
#ifndef TOOL_CHECK_REPORT_H
#define TOOL_CHECK_REPORT_H

#include "check_verdicts.h"
#include "design.h"
#include "study_verb.h"
#include "twin.h"

#define CHECK_PEERS 6
#define CHECK_LAYERS 1000

/* Everything about one design. small[1] is the design as it is written, if it is not its own twin. */
struct check {
    struct design design;
    struct twin twin;
    struct study whole, peer[CHECK_PEERS], small[2];
    int measured; /* of small */
    double eps;
    struct checked found;
};

/* The tables and figures of the page; ends with NULL. */
extern const char *const check_names[];

/* False after one line on stderr. */
bool check_report(struct document *d, const struct check *k, const struct study_verb *v,
                  struct check_result *result);

#endif
