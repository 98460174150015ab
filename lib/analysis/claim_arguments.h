#ifndef LNSTAB_ANALYSIS_CLAIM_ARGUMENTS_H
#define LNSTAB_ANALYSIS_CLAIM_ARGUMENTS_H

#include "model/config.h"

/* What a claim is asked about, "layer=6 tokens=32"; 0 where a claim does not take it. */
struct lnstab__claim_arguments {
    double layer, sublayer, tokens, coherence, start, epsilon, level, delta, tau;
};

/* Who gives an argument: the caller always, or the model where there is one. */
enum lnstab__teller { LNSTAB__CALLER, LNSTAB__MODEL };

/* wanted: the words that a claim takes. All of those are needed that the model, if it is the teller, does
 * not tell itself. */
int32_t lnstab__claim_arguments_parse(struct lnstab__message *message, const char *claim,
                                      const char *wanted, enum lnstab__teller teller,
                                      const char *text, struct lnstab__claim_arguments *out);

#endif
