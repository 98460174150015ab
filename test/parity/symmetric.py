"""Eigenvalues of a symmetric matrix in 120 decimal digits.

Householder's reduction to a tridiagonal matrix, then bisection by Sturm's
count of the eigenvalues above a number.
"""
from decimal import Decimal as D, getcontext

import numpy as np

getcontext().prec = 120
DIGITS = D('1e-22')
FLOOR = D('1e-100')


def reflect(A, k):
    """Column k below the diagonal becomes one entry, whose square it is."""
    v = A[k + 1:, k].copy()
    square = sum(v * v)
    if not any(v[1:]):
        return square
    v[0] += square.sqrt().copy_sign(v[0])
    half = sum(v * v) / 2
    rest = A[k + 1:, k + 1:]
    p = rest.dot(v) / half
    q = p - v.dot(p) / (2 * half) * v
    rest -= np.outer(v, q) + np.outer(q, v)
    return square


class Spectrum:
    def __init__(self, rows):
        A = np.array(rows, dtype=object)
        self.squares = [D(0)] + [reflect(A, k) for k in range(len(A) - 1)]
        self.diagonal = list(A.diagonal())
        self.trace = sum(self.diagonal)

    def above(self, t):
        count, pivot = 0, D(1)
        for entry, square in zip(self.diagonal, self.squares):
            pivot = entry - t - square / pivot
            pivot = pivot or FLOOR**3
            count += pivot > 0
        return count

    def largest(self, j):
        """The j-th eigenvalue of a matrix that has none below 0."""
        low, high = FLOOR * self.trace, 2 * self.trace
        while high - low > DIGITS * high:
            far = high > 4 * low
            middle = (low * high).sqrt() if far else (low + high) / 2
            if self.above(middle) >= j:
                low = middle
            else:
                high = middle
        return (low + high) / 2
