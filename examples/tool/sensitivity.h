/* The Jacobian of a stack, sublayer by sublayer: norms of the steps, and of the way from the input. */
#ifndef TOOL_SENSITIVITY_H
#define TOOL_SENSITIVITY_H

#include "design.h"
#include "document.h"
#include "statistics.h"
#include "study_verb.h"

/* What is known behind each sublayer, and behind the final norm. */
enum sensitivity_quantity {
    SENSITIVITY_LOCAL,     /* ||d out/d in||_2                                   */
    SENSITIVITY_PRODUCT,   /* of the local ones up to here                       */
    SENSITIVITY_WHOLE,     /* ||d out/d embed.out||_2                            */
    SENSITIVITY_RATIO,     /* product/whole                                      */
    SENSITIVITY_FROBENIUS, /* ||d out/d embed.out||_F by Hutchinson              */
    SENSITIVITY_ERROR,     /* its standard error                                 */
    SENSITIVITY_GROWTH,    /* ln(whole)/layers                                   */
    SENSITIVITY_QUANTITIES
};

/* A design to measure. A seed's values are [rows, QUANTITIES], sigma[k], residual[k], iterations, converged, and
 * the number of norms of the rows that did not converge. */
struct sensitivity {
    const char *label;
    char *assignments;
    int64_t layers, width, tokens, rows; /* rows: 2 L, and one for a final norm */
    int64_t token;                       /* 1..tokens, or 0: the whole sequence */
    int64_t k, probes;
    int seeds;
    double *values; /* [seeds, size] */
};

int64_t sensitivity_size(const struct sensitivity *s);
double sensitivity_value(const struct sensitivity *s, int seed, int64_t row,
                         enum sensitivity_quantity q);
/* Of value 0..k-1 of the stack; and of what follows them. */
double sensitivity_sigma(const struct sensitivity *s, int seed, int64_t i);
double sensitivity_residual(const struct sensitivity *s, int seed, int64_t i);
enum sensitivity_count { SENSITIVITY_ITERATIONS, SENSITIVITY_CONVERGED, SENSITIVITY_UNCONVERGED };
int64_t sensitivity_counted(const struct sensitivity *s, int seed, enum sensitivity_count what);

/* Measures every seed. STATUS_GOOD, STATUS_INTERRUPTED, or STATUS_USAGE after one line on stderr. */
int sensitivity_measure(struct sensitivity *s, const struct measuring *how);

/* Is the norm of the product above the product of the norms, which no rounding explains? Of whole sequences: a
 * token's block of a product is no product of its blocks. */
bool sensitivity_violated(const struct sensitivity *s);

/* The tables and figures of the report; ends with NULL. */
extern const char *const sensitivity_names[];
bool sensitivity_report(struct document *d, const struct sensitivity *s,
                        const struct study_verb *v);
void sensitivity_json(FILE *out, const struct sensitivity *s);

#endif
