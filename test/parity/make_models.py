"""Write test/data/models.txt: values of whole models for the C test."""
import os

import numpy as np

import oracle

SIZE = dict(layers=3, width=10, ffn_width=14, heads=2, vocab=11)
COMMON = dict(dtype='float64', norm='layer', eps='1e-05', bias=1, out_proj=1,
              input='tokens', head='separate')
CUSTOM = ('norm_in=1 norm_out=1 norm_res=1 final_norm=1 alpha=0.8 '
          'beta=0.7*L^-0.5*l^0.25 kappa=1.3')
PLACEMENTS = ('none', 'post', 'pre', 'peri', 'output-norm', 'deepnorm',
              'ln-scaling', 'mix', 'custom')
DEEP = dict(layers=24, width=8, ffn_width=12, heads=1)
SMALL = dict(layers=2, width=6, ffn_width=9, heads=3)
COSTATES = ('embed.out', 'output')


def cases():
    """(name, configuration, fixture) for every case."""
    for placement in PLACEMENTS:
        for norm in ('layer', 'rms'):
            config = dict(placement=placement, norm=norm)
            yield f'{placement}-{norm}', config, {}
    for placement in ('post', 'pre', 'peri'):
        yield (f'{placement}-deep', dict(placement=placement, **DEEP),
               dict(batch=1, tokens=4, layers=(1, 12, 24)))
        yield (f'{placement}-causal-masked',
               dict(placement=placement, causal=1, **SMALL), dict(masked=1))
        for width in (1, 2):
            size = dict(layers=2, width=width, ffn_width=3, heads=1)
            config = dict(placement=placement, **size)
            yield f'{placement}-width{width}', config, {}
    for placement in PLACEMENTS:
        config = dict(placement=placement, out_proj=0, bias=0, gain_qk=0,
                      eps=0, input='embedded', **dict(SMALL, heads=1))
        yield f'{placement}-theory', config, dict(perturb=0, ignore=0)
    yield 'pre-causal', dict(placement='pre', causal=1, **SMALL), {}
    yield 'post-masked', dict(placement='post', **SMALL), dict(masked=1)
    for placement in ('deepnorm', 'pre'):
        config = dict(placement=placement, init='xavier_uniform',
                      head_init='xavier_normal', **SMALL)
        yield f'{placement}-uniform', config, dict(params=True, perturb=0)
    yield ('peri-lecun', dict(placement='peri', init='lecun_normal',
                              head_init='xavier_uniform', **SMALL),
           dict(params=True, perturb=0))
    for placement in ('post', 'peri'):
        yield (f'{placement}-embed-norm',
               dict(placement=placement, embed_norm=1, **SMALL), {})
    yield ('peri-embed-norm-embedded', dict(
        placement='peri', embed_norm=1, input='embedded', norm='rms',
        **SMALL), {})
    yield ('pre-one-token', dict(placement='pre', **SMALL),
           dict(batch=1, tokens=1))
    yield ('mix-two-thirds', dict(placement='mix', mix_fraction=0.67,
                               **dict(SMALL, layers=3)), {})
    yield ('custom-one-head', dict(placement='custom', causal=1,
                                   **dict(SMALL, heads=1)), {})


def summary(kind, name, a):
    flat = np.asarray(a, np.longdouble).reshape(-1)
    picked = [np.sqrt((flat * flat).sum()), flat[0], flat[flat.size // 2],
              flat[-1]]
    return ' '.join([kind, name, str(flat.size)]
                    + ['%.17g' % v for v in picked])


def evaluate(config, seed, fixture):
    """Long double values: the file is then exact to the last digit printed."""
    cfg = oracle.parse_config(config)
    params = oracle.init(cfg, seed, fixture['perturb'])
    x, targets, keep = oracle.host_inputs(
        cfg, seed, fixture['batch'], fixture['tokens'], fixture['ignore'],
        fixture['masked'])
    return params, [oracle.run(cfg, params, x, targets, keep, dtype)
                    for dtype in (np.longdouble, np.float64)]


def deviation(exact, double):
    """float64 against long double, per largest entry: what C can reach."""
    worst = []
    for a, b in ((exact[0], double[0]), (exact[1], double[1])):
        for part in ('value', 'grad'):
            pairs = [(getattr(a[k], part), getattr(b[k], part)) for k in a]
            top = max(np.abs(u).max() for u, _ in pairs)
            worst.append(max(np.abs(u - w).max() for u, w in pairs)
                         / (top or 1))
    return max(worst)


def complete(settings, fixture):
    """Fill in what a case leaves to the defaults."""
    fixture = dict(dict(batch=2, tokens=5, perturb=0.1, ignore=1, masked=0,
                        layers=None, params=None), **fixture)
    return {'placement': settings['placement'], **SIZE,
            'max_batch': fixture['batch'], 'max_tokens': fixture['tokens'],
            **COMMON, **settings}, fixture


def config_text(settings):
    text = ' '.join(f'{k}={v}' for k, v in settings.items())
    return text + (' ' + CUSTOM if settings['placement'] == 'custom' else '')


def write_case(out, name, settings, fixture, seed):
    settings, fixture = complete(settings, fixture)
    config = config_text(settings)
    params, (exact, double) = evaluate(config, seed, fixture)
    states, p, loss, counted = exact

    def shown(key):
        part = key.split('.')
        return (fixture['layers'] is None or part[0] != 'layer'
                or int(part[1]) in fixture['layers'])
    out += [f'case {name}', f'config {config}', f'seed {seed}',
            f"perturb {fixture['perturb']}",
            f"batch {fixture['batch']} tokens {fixture['tokens']}",
            f"ignore {fixture['ignore']}", f"masked {fixture['masked']}",
            'loss %.17g counted %d' % (loss, counted), 'grad_norm %.17g' %
            np.sqrt(sum((v.grad**2).sum() for v in p.values()))]
    out += [summary('grad', k, v.grad) for k, v in p.items() if shown(k)]
    if fixture['params'] or settings['layers'] == SIZE['layers']:
        out += [summary('param', k, v) for k, v in params.items()]
    states = {k: v for k, v in states.items() if shown(k)}
    out += [summary('state', k, v.value) for k, v in states.items()]
    out += [summary('costate', k, v.grad) for k, v in states.items()
            if (k in COSTATES or k.endswith(('ffn.out', 'ffn.branch')))]
    return deviation(exact, double), loss


def main():
    out = []
    path = os.path.join(os.path.dirname(__file__), '..', 'data', 'models.txt')
    for number, (name, settings, fixture) in enumerate(cases()):
        worst, loss = write_case(out, name, settings, fixture, 7 + number)
        print(f'{name:28s} loss {loss:.6f} float64 deviation {worst:.1e}')
    # One seed uses the high word of the key.
    write_case(out, 'post-seed64', dict(placement='post', **SMALL),
               dict(params=True), (5 << 32) + 17)
    with open(path, 'w') as f:
        f.write('\n'.join(out) + '\n')


if __name__ == '__main__':
    main()
