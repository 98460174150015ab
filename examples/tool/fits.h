/* Exponents in depth and width: log-log slopes of each seed along one axis of the grid, the same seeds
 * all along, so that what a seed does at every depth cancels. */
#ifndef TOOL_FITS_H
#define TOOL_FITS_H

#include "summary.h"

enum fit_axis { ALONG_DEPTH, ALONG_WIDTH };

struct fit {
    enum fit_axis axis;
    enum quantity quantity; /* RATIO or RAW                                            */
    struct cell at;         /* its place on the fitted axis is 0                       */
    bool covered;           /* every cell has a prediction                             */
    struct estimate measured;
    double predicted;       /* the slope of rank one and mean field on the same grid   */
    struct estimate excess; /* measured - predicted, seed by seed                      */
    double bound;           /* the slope of the printed bound's coefficient            */
    double allowance;       /* what finite width may add to excess, see allowance.h    */
};

/* Their fits, and for each placement one more: the mean over ratios and the other axis, as far as
 * there are predictions. */
struct fits {
    int count;
    struct fit *fit;
    int pooled_count;
    struct fit *pooled; /* at holds the placement only */
};

/* False after one line on stderr; fits_free is needed in either case. An axis with one value has no
 * fits. */
bool fits_make(struct fits *out, const struct summary *s);
void fits_free(struct fits *f);

#endif
