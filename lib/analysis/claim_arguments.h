#ifndef LNSTAB_ANALYSIS_CLAIM_ARGUMENTS_H
#define LNSTAB_ANALYSIS_CLAIM_ARGUMENTS_H

#include "model/config.h"

/* What a claim is asked about, "layer=6 tokens=32"; 0 where a claim does not take it. */
struct lnstab__claim_arguments {
    double layer, sublayer, tokens, coherence, start, epsilon, delta, tau;
};

/* wanted: the words that a claim takes, all of them needed. Messages go to the configuration. */
int32_t lnstab__claim_arguments_parse(lnstab_config *c, const char *claim, const char *wanted,
                                      const char *text, struct lnstab__claim_arguments *out);

#endif
