"""The coefficients of lib/math/box_muller.h: polynomials that agree with the
series at Chebyshev's nodes, in rational arithmetic; and one number of all the
bits of 4096 normal numbers that are made with them, for philox_test.c.

    make_box_muller.py          prints each in the header's order, then the bits
"""
from fractions import Fraction
from math import cos, factorial, log, pi, sqrt

import numpy as np

import rng

LOG_2 = sum(Fraction(1, k * 2**k) for k in range(1, 120))
# sqrt 1/2 as the header cuts it: where exactly the binade ends changes bits
ROOT_HALF = float.fromhex("0x1.6a09ep-1")
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


def coefficients():
    return {name: interpolate(f, end, count) for name, f, end, count in (
        ("atanh", atanh_rest, (3 - 2 * sqrt(2))**2, 7),
        ("sine", sine_rest, (pi / 4)**2, 6),
        ("cosine", cosine_rest, (pi / 4)**2, 6))}


def horner(c, z):
    value = np.full_like(z, c[-1])
    for coefficient in c[-2::-1]:
        value = coefficient + z * value
    return value


def logs(c, words):
    """log((word + 1/2)/2^32), by frexp and the two parts of log 2."""
    high = int(log(2) * 2**44) / 2**44
    low = LOG_2 - Fraction(high)
    m, e = np.frexp((words + 0.5) / 2.0**32)
    below = m < ROOT_HALF
    m, e = np.where(below, 2 * m, m), e - below
    f = m - 1
    s = f / (2 + f)
    slope = s * (f - s * s * horner(c["atanh"], s * s))
    return e * high + (f + (e * float(low) - slope))


def turns(c, words):
    """cos and sin of 2 pi (word + 1/2)/2^32, by whole quarters."""
    quarter = (words + 2**29) // 2**30
    x = (words - quarter * 2.0**30 + 0.5) * (2 * pi / 2**32)
    z = x * x
    sine = x + x * z * horner(c["sine"], z)
    cosine = 1 - z * (0.5 - z * horner(c["cosine"], z))
    of_quarter = [(cosine, -sine, -cosine, sine), (sine, cosine, -sine, -cosine)]
    return [np.choose(quarter.astype(int) % 4, each) for each in of_quarter]


def normals(c, words):
    """[blocks, 4] words, as doubles, and as many numbers in a row."""
    radius = np.sqrt(-2 * logs(c, words[:, 0::2]))
    return np.stack([radius * turn for turn in turns(c, words[:, 1::2])],
                    -1).reshape(-1)


def main():
    c = coefficients()
    for name in c:
        for coefficient in c[name]:
            print(name, coefficient.hex())
    z = normals(c, rng.words(4096, 2024, 3, 1).astype(float))
    bits = 0
    for word in z.view(np.uint64):
        bits = (bits * 0x100000001B3 + int(word)) % 2**64
    print(f"bits {bits:#018x}")


if __name__ == "__main__":
    main()
