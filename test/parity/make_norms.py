"""Write test/data/norms.txt: norms, their Jacobians and backward vectors."""
import os

import jacobian
import rng

ONES = [1.0]
C1 = [40000.0, 40001.0, 40002.0, 40003.0]
PAGE = (([-2, 4, 1], [2, 1, 0], 0), ([3, -3, .5, -.5], [2, -1, 0, 0], 0),
        ([1, 2, 4, 8], [1, 2, 2, -3], 1e-5), ([7, 7, 7], [1, 2, 3], 1e-5))


def rows():
    """(name, x, gamma, eps) for both kinds of norm."""
    yield 'C1', C1, ONES * 4, 1e-5
    yield 'C2', [1234.0] * 256, ONES * 256, 1e-5
    yield 'C3-one', [3.5], ONES, 1e-5
    yield 'C3-two', [1.0, 3.0], ONES * 2, 1e-5
    yield 'C3-two-close', [1.0, 1.001], ONES * 2, 1e-5
    yield 'C3-two-gamma', [-0.25, 4.0], [2.0, -3.0], 1e-3
    for i, (x, gamma, eps) in enumerate(PAGE):
        yield f'page-{i + 1}', x, gamma, eps
    for d in (3, 4, 5, 7, 8, 13, 16, 33):
        for k, eps in enumerate((0.0, 1e-5, 0.1)):
            x = rng.normals(d, 100 + d, 0, k)
            yield f'unit-{d}-{k}', x, ONES * d, eps
            yield f'normal-{d}-{k}', x, rng.normals(d, 100 + d, 0, 10 + k), eps
            # Round and repeated gammas put eigenvalues on the poles.
            yield (f'round-{d}-{k}', x,
                   [float(int(3 * g))
                    for g in rng.normals(d, 100 + d, 0, 20 + k)],
                   eps)
    wide = rng.normals(64, 1, 0, 0)
    yield 'far-mean', 1e6 + wide, ONES * 64, 1e-5
    yield 'tiny', 1e-8 * wide, ONES * 64, 1e-5
    yield 'huge', 1e10 * wide, ONES * 64, 1e-5
    yield 'spike', [1e4] + [0.0] * 31, ONES * 32, 1e-5
    yield 'spread-gamma', wide[:20], [10.0**-k for k in range(20)], 1e-5
    # Frobenius cancels here: entry 0 carries the whole variance.
    yield 'hard-spike', [1e4] + [0.0] * 31, ONES + [0.0] * 31, 1e-5
    yield 'one-gamma', wide[:6], [0, 0, 0, 5, 0, 0], 1e-5
    yield 'zero-gamma', wide[:6], [0.0] * 6, 1e-5
    yield 'flat-zeros', [2.5] * 6, [1, -2, 0, 4, 0, 6], 1e-5
    yield 'zero-x', [0.0] * 6, [1, 2, 3, 4, 5, 6], 1e-5
    yield from spectra()
    yield from far()
    yield 'gpt-like', 20 * wide + 3, 0.5 + 0.1 * rng.normals(64, 1, 0, 1), 1e-6


def spectra():
    """Where the singular values are hard to tell apart, or from 0."""
    ulp, x = 2.0**-52, rng.normals(6, 2, 0, 0)
    near = [1, 1 + ulp, 1 + 2 * ulp, 1 + 1e-9, -1 + 1e-9, 1 + 1e-4]
    steps = [10.0**-k for k in range(6)]
    spike = [0, 0, 1e4, 0, 0, 0]
    for k, eps in enumerate((0.0, 1e-12, 1e-5, 1e3)):
        yield f'near-{k}', x, near, eps
        yield f'alike-{k}', [1, 1, 1, 1, 2, 3], near, eps
        yield f'signs-{k}', x, [2, -2, 2, -2, 2, -2], eps
        yield f'pairs-{k}', x, [3, 1, 2, 3, 1, -2], eps
        yield f'steps-{k}', x, steps, eps
        yield f'hard-steps-{k}', [v * g for v, g in zip(x, steps)], steps, eps
        yield f'hard-spike-top-{k}', spike, [1, 2, 3, 2, 2, 0.5], eps
        yield f'hard-spike-low-{k}', spike, [1, 2, 0.25, 2, 2, 0.5], eps
        yield f'hard-spike-only-{k}', spike, [0, 0, 3, 0, 0, 0], eps
        yield f'zeros-told-{k}', x, [0, 2, 0, 1, 0, -1], eps
        yield f'zeros-alike-{k}', [5, x[1], 5, x[3], 5, x[5]], [
            0, 2, 0, 1, 0, -1], eps
        yield f'zeros-empty-{k}', [0, x[1], 0, x[3], 0, x[5]], [
            0, 2, 0, 1, 0, -1], eps
        yield f'zero-one-{k}', x, [1, 2, 0, -2, 1, 3], eps
        yield f'hard-two-{k}', [1, 1.5], [3, -0.5], eps
        yield f'hard-two-zero-{k}', [1, 1.5], [3, 0], eps
        yield f'three-{k}', [1, 1.5, -7], [3, -0.5, 3], eps
    # the mean is one of the numbers that there are
    tiny = [5e-324 * k for k in range(1, 8)]
    yield 'subnormal', tiny, [1, 2, 3, 3, 2, 0, 1], 1e-5


def far():
    """Rows whose spread is a few ulps of their mean, up to 2^52 times it."""
    places = (2, 2.0**52), (3, -2.0**52), (7, 2.0**52), (33, 1e15), (64, 0.1)
    for k, (d, at) in enumerate(places):
        gamma, noise = rng.normals(d, 3, 0, k), rng.normals(d, 4, 0, k)
        x = at + abs(at) * 2.0**-51 * noise
        for j, eps in enumerate((0.0, 1e-5)):
            yield f'far-{k}-{j}', x, gamma, eps
            yield f'far-ones-{k}-{j}', x, ONES * d, eps
    yield 'far-one-ulp', [1.0] * 63 + [1 + 2.0**-52], rng.normals(
        64, 3, 0, 9), 0.0
    yield 'far-1e9', 1e9 + rng.normals(64, 4, 0, 9), rng.normals(
        64, 3, 0, 10), 1e-5


def line(key, values):
    return ' '.join([key] + ['%.17g' % (v + 0) for v in map(float, values)])


def record(kind, name, x, gamma, eps):
    """The lines of one row; case C2 wants dy = 0..255."""
    d = len(x)
    bias = [0.0 if kind == 'rms' else 0.5 - 0.25 * (i % 4) for i in range(d)]
    dy = range(d) if name == 'C2' else rng.normals(d, 55, 0, d)
    v = rng.normals(d, 56, 0, d)
    z = jacobian.forward(kind, x, ONES * d, [0] * d, eps)
    y = jacobian.forward(kind, x, gamma, bias, eps)
    dx = jacobian.vjp(kind, x, gamma, eps, dy)
    dgamma = [a * b for a, b in zip(jacobian.big(dy), z)]
    jv = jacobian.jvp(kind, x, gamma, eps, v)
    sizes = jacobian.norms(kind, x, gamma, eps)
    fields = dict(x=x, gamma=gamma, bias=bias, dy=dy, v=v, y=y, dx=dx,
                  dgamma=dgamma, jv=jv, rstd_spectral_frobenius_smallest=sizes)
    return ['norm %s %s %d %.17g' % (kind, name, d, eps)] + [
        line(key, values) for key, values in fields.items()]


def main():
    path = os.path.join(os.path.dirname(__file__), '..', 'data', 'norms.txt')
    out = []
    for name, x, gamma, eps in rows():
        for kind in ('layer', 'rms'):
            constant = len(set(x)) == 1 if kind == 'layer' else not any(x)
            if not (eps == 0 and constant):
                out += record(kind, name, x, gamma, eps)
    with open(path, 'w') as f:
        f.write('\n'.join(out) + '\n')


if __name__ == '__main__':
    main()
