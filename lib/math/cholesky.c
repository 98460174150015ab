#include "math/cholesky.h"

#include <math.h>

#include "math/blas.h"

enum { BLOCK = 64 };

/* Row i of L from column first on, up to column last or the diagonal. */
static int finish_row(size_t n, double *c, size_t i, size_t first, size_t last) {
    double *row = c + i * n;
    for (size_t j = first; j < last && j <= i; ++j) {
        const double *other = c + j * n;
        double sum = row[j];
        for (size_t k = first; k < j; ++k) {
            sum -= row[k] * other[k];
        }
        if (i == j && !(sum > 0)) {
            return 0;
        }
        row[j] = i == j ? sqrt(sum) : sum / other[j];
    }
    return 1;
}

int lnstab__cholesky(size_t n, double *c) {
    for (size_t first = 0; first < n; first += BLOCK) {
        const size_t columns = n - first < BLOCK ? n - first : BLOCK;
        double *rows = c + first * n;
        if (first > 0) {
            lnstab__dgemm(0, 1, n - first, columns, first, -1, rows, n, rows, n, 1, rows + first,
                          n);
        }
        for (size_t i = first; i < n; ++i) {
            if (!finish_row(n, c, i, first, first + columns)) {
                return 0;
            }
        }
    }
    return 1;
}
