"""Tails of the chi-square distribution, in 50 decimal digits."""
from decimal import MAX_EMAX, MIN_EMIN, Decimal as D, localcontext

PI = D('3.14159265358979323846264338327950288419716939937510582097494459')
DIGITS = 50


def gamma(a2):
    """Gamma(a2/2)."""
    a, value = D(a2 % 2 or 2) / 2, PI.sqrt() if a2 % 2 else D(1)
    while 2 * a < a2:
        value *= a
        a += 1
    return value


def fraction(a, x, depth):
    """Legendre's continued fraction of Gamma(a, x) e^x x^-a."""
    value = x + 2 * depth + 1 - a
    for n in range(depth, 0, -1):
        value = x + 2 * n - 1 - a - n * (n - a) / value
    return 1 / value


def tail(d, eps):
    """Pr[X > (1 + eps) d] of d degrees of freedom, eps as the float it is."""
    with localcontext() as context:
        context.prec, context.Emax, context.Emin = DIGITS, MAX_EMAX, MIN_EMIN
        a, x, depth = D(d) / 2, (1 + D(eps)) * d / 2, 64
        last, now = None, fraction(a, x, depth)
        while last is None or abs(now / last - 1) > D('1e-30'):
            depth *= 2
            last, now = now, fraction(a, x, depth)
        return (a * x.ln() - x).exp() / gamma(d) * now


def bound(d, eps):
    """exp(-d eps^2/8)."""
    return (-d * D(eps)**2 / 8).exp()
