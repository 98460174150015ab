"""What a finite width adds to the claims of mean field: c of 1 + c/d.

finite_width.py [widths=64,128,256 seeds=1500 depth=6 n=32 rho=1 norm=layer
coherence=0.1 placements=post,pre]: means over random models, with W_O, of every
size that a claim of doc/theory.md predicts, the gradients at the output drawn
at random. For every quantity and width the smallest and the largest c of the
places in the stack, with their standard errors; of a cosine, c of + c/d.
seeds: models at width 128, more at smaller ones; each runs SEQUENCES inputs.
"""
import sys

import numpy as np

import costates
import oracle
import theory
from make_theory import setting
from simulate import sample

PLACEMENTS = ('post', 'pre', 'pre beta=0.1', 'peri', 'deepnorm', 'ln-scaling',
              'output-norm', 'mix')
COSINES = ('state_cosine', 'costate_cosine')
SEQUENCES = 2


def both(name, place, x):
    """Mean square of x[sequence, token], and mean product of two tokens'."""
    n = x.shape[1]
    size = (x**2).sum(-1).mean()
    product = ((x.sum(1)**2).sum(-1).mean() / n - size) / (n - 1)
    return {(name, place): size, (name + '_cosine', place): product}


def forward_sizes(cfg, states):
    out = {}
    for k in range(2 * cfg['layers']):
        prefix = f'layer.{k // 2 + 1}.' + ('attn.', 'ffn.')[k % 2]
        x = {name: states[prefix + name].value
             for name in ('in', 'branch', 'sum', 'out')}
        row = oracle.row(cfg, k // 2 + 1)
        out.update(both('state', k, x['out']))
        out['branch', k] = (x['branch']**2).sum(-1).mean()
        out['sum', k] = (x['sum']**2).sum(-1).mean()
        step = x['sum'] - row['alpha'] * x['in']
        out['update_ratio', k] = (step**2).sum() / (
            (row['alpha'] * x['in'])**2).sum()
        if k % 2:
            out['hidden', k] = (states[prefix + 'hidden'].value**2).mean()
    return out


def backward_sizes(cfg, states, params, top, prefix):
    oracle.backward(states['output'], top)
    out = {}
    for k in range(2 * cfg['layers']):
        name = f'layer.{k // 2 + 1}.' + ('attn.', 'ffn.')[k % 2] + 'in'
        sizes = both('costate', k, states[name].grad)
        out.update({(prefix + a, b): v for (a, b), v in sizes.items()})
    for name, v in params.items():
        place, last = int(name.split('.')[1]) if name[0] == 'l' else 0, name[-3:]
        if last in ('w_v', 'w_o', 'w_1', 'w_2'):
            out[prefix + last, place] = (v.grad**2).sum()
    return out


def tops(rng, n, d, coherence):
    """Gradients at the output whose Gram matrix is no noise, turned about."""
    z = np.linalg.qr(rng.standard_normal((SEQUENCES, d, n + 1)))[0]
    z = z.swapaxes(1, 2)
    return coherence**.5 * z[:, :1] + (1 - coherence)**.5 * z[:, 1:]


def one_model(cfg, rng, n, d, rho, coherence):
    """Squares and products; those of different sequences do not correlate."""
    states, params = sample(cfg, rng, n, d, rho, 2, gradients=False,
                            out_proj=1, batch=SEQUENCES)
    top = tops(rng, n, d, coherence)
    out = forward_sizes(cfg, states)
    sums = backward_sizes(cfg, states, params, top, '')
    out.update({(a, b): v / n**2 / SEQUENCES if a.startswith('w_') else v
                for (a, b), v in sums.items()})
    own = top * (np.arange(n) == 0)[:, None]
    tokens = backward_sizes(cfg, states, params, own, 'token_')
    out.update({(a, b): v * n if a == 'token_costate' else v / SEQUENCES
                for (a, b), v in tokens.items() if 'cosine' not in a})
    return out


def predictions(cfg, rho, n, d, coherence):
    """Squares and products, as one_model measures them."""
    cfg, out = dict(cfg, out_proj=1), {}
    steps = theory.mean_field(cfg, rho, n)
    for k, s in enumerate(steps):
        out['state', k], out['state_cosine', k] = s['q'] * d, s['C'] * d
        out['branch', k], out['sum', k] = s['bq'] * d, s['uq'] * d
        out['update_ratio', k] = (s['beta']**2 * s['oq']
                                  / (s['alpha']**2 * s['q_in']))
        if k % 2:
            out['hidden', k] = s['gain_w1']**2 * s['iq'] / (1 + rho)
    inputs, squares = costates.of_sequence(cfg, rho, n, d, coherence)
    own, tokens = costates.of_token(cfg, rho, n, d)
    for k in range(len(steps)):
        size, c = inputs[k]
        out['costate', k] = size**2
        out['costate_cosine', k] = size**2 * c
        out['token_costate', k] = own[k]**2
    for i in range(cfg['layers']):
        for name in squares[i]:
            out[name, i + 1] = squares[i][name]**2
            out['token_' + name, i + 1] = tokens[i][name]**2
    return {k: float(v) for k, v in out.items()}


def measure(cfg, d, seeds, n, rho, coherence):
    """{(quantity, place): (c, its standard error)}."""
    want = predictions(cfg, rho, n, d, coherence)
    models = [one_model(cfg, np.random.default_rng(seed), n, d, rho, coherence)
              for seed in range(seeds)]
    out = {}
    for key in want:
        x = np.array([m[key] for m in models])
        mean, error = x.mean(), x.std() / seeds**.5
        name, place = key
        if name in COSINES:
            size = (name[:-len('_cosine')], place)
            y = np.array([m[size] for m in models])
            value = mean / y.mean()
            error = (x - value * y).std() / y.mean() / seeds**.5
            out[key] = d * (value - want[key] / want[size]), d * error
        else:
            size = np.sqrt(mean / want[key])
            out[key] = d * (size - 1), d * error / mean * size / 2
    return out


def pooled(cells):
    """One c for all widths, weighted by 1/error^2."""
    out = {}
    for key in next(iter(cells.values())):
        c, error = np.array([cell[key] for cell in cells.values()]).T
        weight = 1 / np.maximum(error, 1e-9)**2
        out[key] = (c * weight).sum() / weight.sum(), weight.sum()**-.5
    return out


def report(label, cells):
    """cells: {width: measure()}; one line for each quantity."""
    cells = dict(cells, all=pooled(cells))
    for name in sorted({name for name, _ in cells['all']}):
        words = []
        for d, cell in cells.items():
            rows = sorted(v for (a, _), v in cell.items() if a == name)
            words.append('d=%s %6.2f (%.2f) .. %5.2f (%.2f)' % (
                d, *rows[0], *rows[-1]))
        print(f'{label:12s} {name:14s}', '  '.join(words), flush=True)


def main(options):
    widths = [int(w) for w in options.get('widths', '64,128,256').split(',')]
    seeds, depth, n = (int(options.get(key, value)) for key, value in
                       (('seeds', 1500), ('depth', 6), ('n', 32)))
    rho, coherence = (float(options.get(key, value)) for key, value in
                      (('rho', 1), ('coherence', 0.1)))
    for label in options.get('placements', ','.join(PLACEMENTS)).split(','):
        name, _, extra = label.partition(' ')
        cfg = dict(setting(name, depth, extra), eps=0.0,
                   norm=options.get('norm', 'layer'))
        report(label, {d: measure(cfg, d, seeds * 128 // d, n, rho, coherence)
                       for d in widths})


if __name__ == '__main__':
    main(dict(word.split('=', 1) for word in sys.argv[1:]))
