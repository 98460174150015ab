"""Write test/data/theory.txt: the theory's numbers for the C test."""
import os

import oracle
import theory

CUSTOM = ('norm_in=1 norm_out=1 norm_res=1 final_norm=1 alpha=0.8 '
          'beta=0.7*L^-0.5*l^0.25 kappa=1.3')
PLACEMENTS = ('none', 'post', 'pre', 'peri', 'output-norm', 'deepnorm',
              'deepnorm+wo', 'ln-scaling', 'mix', 'custom')
DEPTHS, RATIOS, TOKENS = (1, 2, 6, 12, 24), (0.5, 1, 4), (1, 32)
HEADER = '''\
# See README.md beside make_theory.py. deepnorm+wo has an output projection;
# every other line is the theory setting without one.'''


def setting(placement, depth, extra=''):
    name = placement.split('+')[0]
    text = (f'placement={name} layers={depth} '
            f'out_proj={int("+wo" in placement)} ')
    return oracle.parse_config(text + (CUSTOM if name == 'custom' else extra))


def grid():
    for placement in PLACEMENTS:
        for depth in DEPTHS:
            for rho in RATIOS:
                yield placement, depth, rho


def lines():
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


def text(v):
    return v if isinstance(v, str) else '%.17g' % v


def main():
    path = os.path.join(os.path.dirname(__file__), '..', 'data', 'theory.txt')
    with open(path, 'w') as f:
        f.write(HEADER + '\n')
        f.writelines(' '.join(map(text, line)) + '\n' for line in lines())


if __name__ == '__main__':
    main()
