"""Write test/data/theory.txt: the theory's numbers for the C test."""
import os

import numpy as np

import chi_square
import costates
import oracle
import theory

CUSTOM = ('norm_in=1 norm_out=1 norm_res=1 final_norm=1 alpha=0.8 '
          'beta=0.7*L^-0.5*l^0.25 kappa=1.3')
PLACEMENTS = ('none', 'post', 'pre', 'peri', 'output-norm', 'deepnorm',
              'deepnorm+wo', 'ln-scaling', 'mix', 'custom')
LD = theory.LD
DEPTHS, RATIOS, TOKENS = (1, 2, 6, 12, 24), (0.5, 1, 4), (1, 32)
HEADER = '''\
# See README.md beside make_theory.py. deepnorm+wo has an output projection;
# every other line is the theory setting without one, unless it says so.'''


def setting(placement, depth, extra=''):
    """placement may go on with keys, pre,ffn.beta=0.5."""
    placement, *keys = placement.split(',')
    name = placement.split('+')[0]
    text = (f'placement={name} layers={depth} '
            f'out_proj={int("+wo" in placement)} ')
    words = [CUSTOM if name == 'custom' else extra, *keys]
    return oracle.parse_config(text + ' '.join(words))


def random_rows(rng, count):
    """Placements with keys of random sublayers over them; depth 6."""
    def rule():
        c = '%.3g' % rng.uniform(0.4, 1.6)
        return c + rng.choice(['', '*L^-0.5', '*l^0.25', '*L^0.25*l^-0.5'])

    scopes = ('', 'attn.', 'ffn.', 'layer.2.', 'layer.L.ffn.',
              'layer.3-5.attn.', 'layer.4-L.', 'layer.1-2.ffn.')
    flags, factors = oracle.FLAGS[:3], [
        k for k in oracle.COEFFICIENTS if k != 'gain_qk']
    for _ in range(count):
        keys = {'out_proj': str(rng.integers(2))}
        for _ in range(rng.integers(3, 9)):
            if rng.integers(2):
                key, scope = rng.choice(factors), rng.choice(scopes)
                foreign = {'gain_w': 'attn', 'gain_v': 'ffn', 'gain_o': 'ffn'}
                if foreign.get(key[:6], 'none') not in scope:
                    keys[scope + key] = rule()
            else:
                # The library knows a placement's flags; the oracle, scopes.
                keys[rng.choice(scopes[1:]) + rng.choice(flags)] = str(
                    rng.integers(2))
        yield ','.join([rng.choice(PLACEMENTS)] + [
            f'{k}={v}' for k, v in keys.items()])


def sublayers(placement, depth, rho, n):
    cfg = setting(placement, depth)
    steps = theory.mean_field(cfg, rho, n)
    for k, s in enumerate(steps):
        step, stay = s['beta']**2 * s['oq'], s['alpha']**2 * s['q_in']
        yield ('sublayer', placement, depth, rho, n, k + 1, s['q'],
               s['C'] / s['q'], s['iq'], s['bq'], s['uq'],
               np.sqrt(step / stay))
        if s['sub'] == 'ffn':
            yield ('hidden', placement, depth, rho, n, s['layer'],
                   s['gain_w1']**2 * s['iq'] / (1 + LD(rho)))
    final = oracle.final_norm(cfg)
    s = steps[-1]
    yield ('sublayer', placement, depth, rho, n, len(steps) + 1,
           LD(1) if final else s['q'], s['C'] / s['q'], 0, 0, s['q'], 0)


def gradients(placement, depth, rho, n, d, coherence):
    cfg = setting(placement, depth)
    inputs, norms = costates.of_sequence(cfg, rho, n, d, coherence)
    own, tokens = costates.of_token(cfg, rho, n, d)
    for k, (size, cosine) in enumerate(inputs):
        yield ('costate', placement, depth, rho, n, coherence, k + 1, size,
               cosine, own[k])
    for layer in range(depth):
        for name in norms[layer]:
            yield ('matrix', placement, depth, rho, n, coherence, d, layer + 1,
                   name, norms[layer][name], tokens[layer][name])


def heads(placement, depth, n, d):
    cfg = setting(placement, depth)
    s = theory.mean_field(cfg, 1, n)[-1]
    for scheme, vocab in (('lecun_normal', 80), ('lecun_normal', 50000),
                          ('xavier_uniform', 1000), ('gpt2', 12)):
        variance = {'lecun_normal': LD(1), 'gpt2': d * LD('0.0004'),
                    'xavier_uniform': LD(2) * d / (d + vocab)}[scheme]
        g2, _, rho_v = theory.head_statistics(s['C'] / s['q'], d, vocab,
                                              variance)
        yield ('head', placement, depth, n, d, vocab, scheme, rho_v,
               np.sqrt(g2))


def backward_lines():
    rng = np.random.default_rng(1)
    cases = [(name, depth, n) for name in PLACEMENTS for depth in (1, 4)
             for n in TOKENS]
    cases += [(name, 6, rng.choice((1, 2, 32)))
              for name in random_rows(rng, 24)]
    for name, depth, n in cases:
        rho, least = rng.choice(RATIOS), -1 / (n - 1) if n > 1 else -1
        coherence = float(rng.choice([0, 1, least / 2, rng.uniform()]))
        yield from sublayers(name, depth, rho, n)
        yield from gradients(name, depth, rho, n, 64, coherence)
    for name in PLACEMENTS:
        if name != 'none':
            yield from heads(name, 6, 32, 64)


def grid():
    for placement in PLACEMENTS:
        for depth in DEPTHS:
            for rho in RATIOS:
                yield placement, depth, rho


def lines():
    yield from backward_lines()
    for placement, depth, rho in grid():
        cfg = setting(placement, depth)
        for n in TOKENS:
            key = (placement, depth, rho, n)
            for s in theory.mean_field(cfg, rho, n)[1::2]:
                yield 'meanfield', *key, s['layer'], s['q'], s['C'] / s['q']
            yield 'hidden_cosine', *key, theory.hidden_cosine(cfg, rho, n)
        for d in (64, 128, 512):
            yield ('rankone', placement, depth, rho, d, 32,
                   theory.rank_one(cfg, rho, 32, d))
    for placement in ('post', 'pre', 'peri', 'output-norm', 'ln-scaling',
                      'none'):
        for depth in DEPTHS:
            for rho in RATIOS:
                for layer in sorted({1, depth // 2 or 1, depth}):
                    yield ('lemma2', placement, depth, rho, layer,
                           *theory.lemma2(placement, rho, layer))
    for placement in ('post', 'pre'):
        for depth in DEPTHS:
            for rho in RATIOS:
                for d in (64, 512):
                    for n in TOKENS:
                        yield ('theorem1', placement, depth, rho, d, n,
                               *theory.theorem1(placement, depth, rho, d, n))
    for placement in ('post', 'pre', 'peri', 'output-norm', 'ln-scaling',
                      'deepnorm', 'mix'):
        for depth in DEPTHS:
            for rho in (1, 4):
                cfg = setting(placement, depth)
                yield ('sequence', placement, depth, rho, 256, 32, 1000,
                       *theory.sequence_loss(cfg, rho, 32, 256, 1000, 1))
    for depth in (6, 12, 24):
        r = theory.coefficients(setting('deepnorm', depth), 1)
        yield 'deepnorm', depth, r['alpha'], r['gain_v']
    for d in (1, 2, 63, 64, 128, 512):
        for eps in (0.05, 0.1, 0.25, 0.5):
            yield ('gaussian_tail', d, eps, theory.gaussian_tail(d, eps),
                   theory.gaussian_tau(d, eps))
    tau = theory.discrete_tau((0, 1.1, 19), (.9045, .0455, .05), 0.1)
    yield 'counterexample_tau', 0.1, tau
    for eps, delta in ((0.1, 0.125), (0.05, 0.2), (0.5, 0)):
        yield ('probability', 'published', eps, delta, 1,
               theory.probability('published', eps, delta))
    for d in (64, 512):
        for n in TOKENS:
            for eps in (0.1, 0.25):
                tau = float(theory.gaussian_tau(d, eps))
                yield ('probability', 'repaired', eps, tau, n,
                       theory.probability('repaired', eps, tau, n))
    yield from chi_squares()


def chi_squares():
    for d in (1, 2, 3, 31, 32, 33, 64, 511, 512, 1000, 99999, 1000000):
        for eps in (0, 1e-6, 1e-3, 0.01, 0.05, 0.1, 0.499, 0.501, 1, 4, 100):
            value = chi_square.tail(d, eps)
            if value > 1e-300:
                yield 'chi_square', d, eps, value
    for d in (1, 64, 512):
        for eps in (0.01, 0.1, 0.25, 0.999):
            yield 'gaussian_bound', d, eps, chi_square.bound(d, eps)


def text(v):
    return v if isinstance(v, str) else '%.17g' % v


def main():
    path = os.path.join(os.path.dirname(__file__), '..', 'data', 'theory.txt')
    with open(path, 'w') as f:
        f.write(HEADER + '\n')
        f.writelines(' '.join(map(text, line)) + '\n' for line in lines())


if __name__ == '__main__':
    main()
