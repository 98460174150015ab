/* The claims of the library's table that a run verifies, and the places that each is asked at. */
#ifndef TOOL_VERIFY_CLAIMS_H
#define TOOL_VERIFY_CLAIMS_H

#include "pool.h"

#include <stdint.h>

/* What a difference between the two sides means. */
enum claim_kind {
    CLAIM_EXACT,       /* identity, inequality: of every model                         */
    CLAIM_EXPECTATION, /* of the mean over weights and inputs                          */
    CLAIM_LIMIT,       /* of that mean as the width grows                              */
    CLAIM_PROBABILITY, /* of how often something is so                                 */
    CLAIM_PUBLISHED    /* as a paper prints it: not proved, so that failing is a result */
};

struct claim {
    const char *name, *source, *arguments, *assumptions, *kind_name, *relation, *formula, *needs;
    enum claim_kind kind;
    bool costly;     /* norms of every matrix, or singular values of the whole stack        */
    bool few_places; /* that, or each place costs a run of its own                          */
    bool is_root;    /* it is of the root of a mean square, over models as over the entries */
    bool is_cosine;
};

/* Those whose name begins with one of the words of filter, parted by commas; all, if it is NULL. The count,
 * or 0 after one line on stderr. */
int claims_read(struct pool *pool, const char *filter, struct claim **out);

/* Is word one of the claim's needs, or of its arguments? */
bool claim_needs(const struct claim *c, const char *word);
bool claim_takes(const struct claim *c, const char *word);

/* Which layers, or sublayers, of L layers a claim is asked at: place i of so many is number claim_place. A
 * claim about no place has one, and its number is 0. */
int64_t claim_places(const struct claim *c, int64_t layers);
int64_t claim_place(const struct claim *c, int64_t layers, int64_t i);

#define CLAIM_ARGUMENTS 96
/* Its arguments there, as lnstab_claim_measure takes them. */
void claim_spell(const struct claim *c, int64_t place, char text[CLAIM_ARGUMENTS]);

#endif
