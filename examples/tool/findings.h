/* What a finished sweep says. */
#ifndef TOOL_FINDINGS_H
#define TOOL_FINDINGS_H

#include "fits.h"
#include "summary.h"
#include "verdicts.h"

struct findings {
    struct summary summary;
    struct fits fits;
    struct verdicts verdicts;
    struct summary
        gaussian; /* of the same grid with Gaussian inputs, if a text is set against them */
};

/* gaussian may have no runs. False after one line on stderr; findings_free is needed in either case. */
bool findings_make(struct findings *f, const struct sweep *s, const struct sweep *gaussian);
void findings_free(struct findings *f);

#endif
