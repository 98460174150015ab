"""The coefficients of lib/math/box_muller.h: polynomials that agree with the
series at Chebyshev's nodes, in rational arithmetic.

    make_box_muller.py          prints each in the header's order
"""
from fractions import Fraction
from math import cos, factorial, pi, sqrt

TERMS = 40      # the first term left out is below 2^-200


def atanh_rest(z):
    """(2 atanh(s)/s - 2)/z, z = s^2"""
    return sum(Fraction(2, 2 * k + 3) * z**k for k in range(TERMS))


def sine_rest(z):
    """(sin(x)/x - 1)/z, z = x^2"""
    return -sum((-z)**k / factorial(2 * k + 3) for k in range(TERMS))


def cosine_rest(z):
    """((cos(x) - 1)/z + 1/2)/z, z = x^2"""
    return sum((-z)**k / factorial(2 * k + 4) for k in range(TERMS))


def interpolate(f, end, count):
    """Coefficients, lowest first: Newton's differences, then powers."""
    nodes = [Fraction((1 + cos(pi * (2 * k + 1) / (2 * count))) / 2 * end)
             for k in range(count)]
    d = [f(z) for z in nodes]
    for j in range(1, count):
        for i in range(count - 1, j - 1, -1):
            d[i] = (d[i] - d[i - 1]) / (nodes[i] - nodes[i - j])
    c = []
    for node, difference in zip(reversed(nodes), reversed(d)):
        c = [low - node * high for low, high in zip([0] + c, c + [0])]
        c[0] += difference
    return [float(x) for x in c]


def main():
    for name, f, end, count in (
            ("atanh", atanh_rest, (3 - 2 * sqrt(2))**2, 7),
            ("sine", sine_rest, (pi / 4)**2, 6),
            ("cosine", cosine_rest, (pi / 4)**2, 6)):
        for coefficient in interpolate(f, end, count):
            print(name, coefficient.hex())


if __name__ == "__main__":
    main()
