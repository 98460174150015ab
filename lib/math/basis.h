#ifndef LNSTAB_MATH_BASIS_H
#define LNSTAB_MATH_BASIS_H

#include <stddef.h>

/* Orthonormal vectors, a row each, of n entries. */

enum { LNSTAB__BASIS_PANEL = 64 };

/* Also where the squares are out of the range of a double, though ||x|| is not. */
double lnstab__vector_norm(size_t n, const double *x);
void lnstab__vector_scale(size_t n, double factor, double *x);

/* Takes from w what it has of a basis of count vectors, whose shares are added to h[count]; returns the norm of
 * what is left, 0 where that is rounding only: what passes keep taking from. room: count doubles. */
double lnstab__basis_orthogonalise(const double *basis, size_t count, size_t n, double *w,
                                   double *h, double *room);

/* The first kept rows of a basis of count become turn[kept, count] times it. room: count x
 * LNSTAB__BASIS_PANEL. */
void lnstab__basis_rotate(const double *turn, size_t kept, size_t count, size_t n, double *basis,
                          double *room);

#endif
