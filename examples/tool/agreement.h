/* Is a mean-field prediction met? One placement, all its cells or fits, and their mean. */
#ifndef TOOL_AGREEMENT_H
#define TOOL_AGREEMENT_H

#include "fits.h"
#include "summary.h"

/* An interval that is wider than this to either side (0.25 of a level, 0.25 in an exponent) is too wide
 * to decide. */
#define DECIDING_WIDTH 0.25

struct agreement {
    int compared;   /* cells or fits that have a prediction                       */
    int not_finite; /* those whose mean is infinite or NaN                        */
    int outside;    /* the others whose widened interval misses the prediction    */
    double worst;   /* largest |departure| of the others                          */
    struct cell worst_at;
    struct estimate pooled; /* mean over the cells, or the pooled fit                     */
    double predicted;       /* 1 for a level; the pooled slope for an exponent            */
    double bound;           /* slope of the printed bound, exponents only                 */
    double allowance;       /* of the pooled departure                                    */
    bool pooled_outside;
    bool decided; /* the pooled interval is narrow enough                       */
};

/* quantity is measured/predicted. */
struct agreement agreement_of_level(const struct summary *s, int placement, enum quantity quantity,
                                    double miss);
struct agreement agreement_of_slope(const struct fits *f, int placement, enum fit_axis axis,
                                    enum quantity quantity, double miss);

/* Says that count of all are not finite: behind what words hold, or, if they are empty, as the reason why
 * nothing is decided. Nothing if count is 0. */
void not_finite_words(int count, int all, char *words, size_t size);

/* "agrees", "differs ...", "undecided ...". A text's inputs are not what is predicted for, so there a
 * departure is told and not judged. A run may be not finite: without eps, N_out of a branch whose hidden
 * units are all off is 0/0, which small widths meet. */
void agreement_words(const struct agreement *a, const struct sweep *s, char *words, size_t size);

#endif
