"""LayerNorm and RMSNorm of one row, and Jacobians, in 60 decimal digits."""
from decimal import Decimal as D, getcontext

import numpy as np

getcontext().prec = 60


def big(values):
    return [D(float(v)) for v in values]


def statistics(kind, x, eps):
    """(deviation from the mean, 1/s); x decimal."""
    d = len(x)
    mean = sum(x) / d if kind == 'layer' else D(0)
    y = [v - mean for v in x]
    return y, 1 / (sum(v * v for v in y) / d + D(float(eps))).sqrt()


def forward(kind, x, gamma, bias, eps):
    y, rstd = statistics(kind, big(x), eps)
    return [g * v * rstd + b for g, v, b in zip(big(gamma), y, big(bias))]


def dense(kind, x, gamma, eps):
    """Rows of d out / d x, by the quotient rule entry by entry."""
    x, gamma = big(x), big(gamma)
    d = len(x)
    y, rstd = statistics(kind, x, eps)
    share = D(1) / d if kind == 'layer' else D(0)
    # d(1/s)/dx_j = -y_j/(d s^3): the mean's part sums to zero.
    slope = [v * rstd**3 / d for v in y]
    return [[g * ((int(i == j) - share) * rstd - y[i] * slope[j])
             for j in range(d)] for i, g in enumerate(gamma)], rstd


def norms(kind, x, gamma, eps):
    """(1/s, spectral norm, Frobenius norm).

    The singular vectors come from a float64 SVD; the Rayleigh quotient in
    decimals squares their error away.
    """
    J, rstd = dense(kind, x, gamma, eps)
    frobenius = sum(v * v for r in J for v in r).sqrt()
    if not frobenius:
        return rstd, D(0), D(0)
    scaled = np.array([[float(v / frobenius) for v in r] for r in J])
    u, _, vt = np.linalg.svd(scaled)
    u, v = big(u[:, 0]), big(vt[0])
    size = (sum(a * a for a in u) * sum(a * a for a in v)).sqrt()
    value = sum(a * sum(p * q for p, q in zip(r, v)) for a, r in zip(u, J))
    return rstd, abs(value) / size, frobenius


def vjp(kind, x, gamma, eps, dy):
    J, _ = dense(kind, x, gamma, eps)
    dy = big(dy)
    return [sum(dy[i] * J[i][j] for i in range(len(J))) for j in range(len(J))]


def jvp(kind, x, gamma, eps, v):
    J, _ = dense(kind, x, gamma, eps)
    v = big(v)
    return [sum(a * b for a, b in zip(r, v)) for r in J]
