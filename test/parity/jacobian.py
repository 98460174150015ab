"""LayerNorm and RMSNorm of one row, and Jacobians, in 120 decimal digits."""
from decimal import Decimal as D

from symmetric import Spectrum


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


def rank(kind, x, gamma, eps):
    """The number of nonzero singular values, from the entries alone.

    The rows of P - (1 - k) u u^T at the zeros of gamma are gone. What the
    matrix sends to 0, the ones of LayerNorm and u without eps, counts
    unless it is seen in those rows.
    """
    layer = kind == 'layer'
    constant = len(set(x)) == 1 if layer else not any(x)
    gone = [v for v, g in zip(x, gamma) if g == 0]
    kept = len(x) - len(gone) - (1 if layer and not gone else 0)
    seen = len(set(gone)) > 1 if layer else any(gone)
    return kept - (1 if eps == 0 and not constant and not seen else 0)


def norms(kind, x, gamma, eps):
    """1/s, spectral norm, Frobenius norm, smallest nonzero singular value."""
    J, rstd = dense(kind, x, gamma, eps)
    frobenius = sum(v * v for r in J for v in r).sqrt()
    count = rank(kind, x, gamma, eps)
    if not count:
        return rstd, D(0), frobenius, D(0)
    squares = Spectrum([[sum(a * b for a, b in zip(p, q)) for q in J]
                        for p in J])
    return (rstd, squares.largest(1).sqrt(), frobenius,
            squares.largest(count).sqrt())


def vjp(kind, x, gamma, eps, dy):
    J, _ = dense(kind, x, gamma, eps)
    dy = big(dy)
    return [sum(dy[i] * J[i][j] for i in range(len(J))) for j in range(len(J))]


def jvp(kind, x, gamma, eps, v):
    J, _ = dense(kind, x, gamma, eps)
    v = big(v)
    return [sum(a * b for a, b in zip(r, v)) for r in J]
