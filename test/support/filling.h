#ifndef LNSTAB_TEST_FILLING_H
#define LNSTAB_TEST_FILLING_H

#include "support/handles.h"

/* Models whose parameters are set by formula so that they meet bounds, and the share of a bound that is met. */

enum { WIDTH = 8, LAYERS = 2 };

/* A model of two layers, width 8 and eps 0, and what words say; and placements of all kinds for it. */
lnstab_model *design(const char *words);
extern const char *const met_placements[];
enum { MET_PLACEMENTS = 7 };

/* Entry (row, column) of a matrix, column -1 of a vector; heads have head_width columns. */
typedef double entry_fn(int row, int column, int head_width);

double sign(int i); /* 1, -1, 1, ... */
double zero(int i, int j, int head_width);
double one(int i, int j, int head_width);
double ten(int i, int j, int head_width);
double identity(int i, int j, int head_width);
double signs(int i, int j, int head_width); /* of a matrix: on its diagonal */

struct filling {
    const char *suffix; /* of names */
    entry_fn *entry;
};

/* Sets every parameter whose name ends so; later rows count. */
void fill(lnstab_model *m, int heads, const struct filling *rows, int count);

#define FILL(m, heads, ...)                                                                        \
    fill(m, heads, (const struct filling[]){__VA_ARGS__},                                          \
         (int)(sizeof((const struct filling[]){__VA_ARGS__}) / sizeof(struct filling)))

/* measured/stated; place: "layer" or "sublayer". */
double share_of(lnstab_model *m, const char *claim, const char *place, int k);

/* The bound is met to within tolerance at sublayers 1..last. */
void assert_met(lnstab_model *m, const char *claim, int last, double tolerance);

void forward(lnstab_model *m, int B, int T, const double *x, const uint8_t *keep);

/* B = 1 or 2 sequences of one token, a and -a times the signs. */
void forward_signs(lnstab_model *m, int B, double a);

#endif
