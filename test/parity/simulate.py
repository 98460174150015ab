"""Simulations behind the theory's claims: simulate.py rank|sequence|backward|head.

Slow compared with the tests; it prints measured / predicted.
"""
import sys

import numpy as np

import costates
import oracle
import theory
from make_theory import setting


def cosine(a, b=None):
    """(mean square norm, mean cosine between different rows)."""
    n = len(a)
    own = (a * a).sum() / n
    return own, ((a.sum(0)**2).sum() / n - own) / (n - 1) / own


def sample(cfg, rng, n, d, rho, vocab, gradients=True, out_proj=0,
           batch=1):
    """One random model in the theory setting; its states and parameters."""
    cfg = dict(cfg, width=d, ffn_width=int(rho * d), vocab=vocab, heads=1,
               bias=0, out_proj=out_proj, eps=0.0, input='embedded',
               gain_qk='0')
    params = {}
    for name, shape in oracle.shapes(cfg).items():
        last = name.split('.')[-1]
        if last == 'gamma':
            params[name] = np.ones(shape)
        elif last == 'bias' or last in ('w_q', 'w_k'):
            params[name] = np.zeros(shape)
        else:
            std = np.sqrt(1 / d if name == 'head.w' else 2 / sum(shape))
            key = {'w_v': 'gain_v', 'w_o': 'gain_o', 'w_1': 'gain_w1',
                   'w_2': 'gain_w2'}
            gain = 1 if name == 'head.w' else oracle.row(
                cfg, int(name.split('.')[1]))[key[last]]
            params[name] = gain * std * rng.standard_normal(shape)
    x = rng.standard_normal((batch, n, d))
    targets = rng.integers(vocab, size=(batch, n))
    states, p, loss, _ = oracle.forward(cfg, params, x, targets)
    if gradients:
        oracle.backward(loss)
    return states, p


def rank(seeds=20, d=128, n=32, depth=6, rho=1):
    for name in ('none', 'post', 'pre', 'peri', 'output-norm', 'deepnorm',
                 'ln-scaling', 'mix', 'custom'):
        cfg = setting(name, depth)
        ratios = []
        for seed in range(seeds):
            s, _ = sample(cfg, np.random.default_rng(seed), n, d, rho, 1000)
            h = s[f'layer.{depth}.ffn.hidden'].value[0]
            v = s[f'layer.{depth}.ffn.branch'].grad[0]
            g = s['output'].grad[0]
            size = [np.sqrt((a * a).sum(-1)) for a in (h, v, g)]
            ratios.append(np.mean(size[0] * size[1] / size[2]))
        want = float(theory.rank_one(cfg, rho, n, d))
        k = theory.removed(cfg)
        print(f'{name:12s} predicted {want / d**.5:.5f} sqrt d, '
              f'measured/predicted {np.mean(ratios) / want:.4f} +- '
              f'{np.std(ratios) / want:.4f}, with '
              f'sqrt(1-{k}/d) {np.mean(ratios) / want / (1 - k / d)**.5:.4f}')


def last_update(cfg, states, depth, head, targets):
    """Redo the last residual update with another head: (branch, output)."""
    r, last = oracle.row(cfg, depth), f'layer.{depth}.ffn.'
    one = {'n.gamma': oracle.Var(np.ones(1)),
           'n.bias': oracle.Var(np.zeros(1))}
    y = branch = oracle.Var(states[last + 'branch'].value)
    y = oracle.normalise(cfg, one, 'n', y) if r['norm_out'] else y
    x = oracle.Var(states[last + 'in'].value) * r['alpha'] + y * r['beta']
    for on in (r['norm_res'], oracle.final_norm(cfg)):
        x = oracle.normalise(cfg, one, 'n', x) if on else x
    loss, _ = oracle.cross_entropy(x @ oracle.Var(head.T), targets)
    oracle.backward(loss)
    return branch, x


def sequence(seeds=60, draws=40, d=256, n=32, depth=6, vocab=1000, rho=1,
             variance=1.0, first=0):
    """Two-term formula and a priori prediction, several heads a model."""
    for name in ('post', 'pre', 'peri', 'output-norm', 'ln-scaling',
                 'deepnorm', 'mix'):
        cfg = dict(setting(name, depth), eps=0.0)
        rows = []
        for seed in range(seeds):
            rng = np.random.default_rng(first + seed)
            s, _ = sample(cfg, rng, n, d, rho, vocab, gradients=False)
            h = s[f'layer.{depth}.ffn.hidden'].value[0]
            h2, rho_h = cosine(h)
            for _ in range(draws):
                head = (variance / d)**.5 * rng.standard_normal((vocab, d))
                branch, out = last_update(cfg, s, depth, head,
                                          rng.integers(vocab, size=(1, n)))
                v2, rho_v = cosine(n * branch.grad[0])
                g2, rho_g = cosine(n * out.grad[0])
                dw2 = ((h.T @ branch.grad[0])**2).sum()
                rows.append((dw2, h2, v2, g2, rho_h, rho_v, rho_g, *(
                    h2 * v2 / n * (1 + (n - 1) * rho_h * r)
                    for r in (rho_v, rho_g))))
        # Heads of one model are not independent: the error is over models.
        rows = np.array(rows).reshape(seeds, draws, -1).mean(1)
        m, error = rows.mean(0), rows.std(0) / seeds**.5
        norm, g2, rho_v = theory.sequence_loss(cfg, rho, n, d, vocab, variance)
        hid = theory.hidden_cosine(cfg, rho, n)
        print(f'{name:12s} dW {m[0]**.5:.5f} (+-{error[0] / m[0] / 2:.2%}) '
              f'over: two-term with v {np.sqrt(m[0] / m[7]):.4f}, with g '
              f'{np.sqrt(m[0] / m[8]):.4f}, a priori '
              f'{m[0]**.5 / float(norm):.4f} | g2 {m[3]:.5f}/{float(g2):.5f} '
              f'rho_h {m[4]:.4f}/{float(hid):.4f} rho_v {m[5]:.3e}+-'
              f'{error[5]:.1e}/{float(rho_v):.3e} rho_g {m[6]:.3e}',
              flush=True)


def backward(seeds=16, d=128, n=32, depth=6, vocab=1000, rho=1):
    """Every matrix under a real loss, from size and coherence of the g_i J."""
    for name in ('none', 'post', 'pre', 'peri', 'output-norm', 'deepnorm',
                 'ln-scaling', 'mix', 'custom'):
        cfg = setting(name, depth)
        norms, tops = {}, []
        row = oracle.row(cfg, depth)
        for seed in range(seeds):
            s, p = sample(cfg, np.random.default_rng(seed), n, d, rho, vocab)
            last = s[f'layer.{depth}.ffn.'
                     + ('sum' if row['norm_res'] else 'out')]
            g2, c = cosine(n * last.grad[0])
            tops.append((g2, c * g2))
            for k, v in p.items():
                if k.endswith(('w_1', 'w_2', 'w_v')):
                    norms.setdefault(k, []).append((v.grad**2).sum())
        field = theory.mean_field(cfg, rho, n)[-1]
        passed = ((field['uq'] if row['norm_res'] else 1)
                  * (field['q'] if oracle.final_norm(cfg) else 1))
        square, product = np.mean(tops, 0) * float(passed)
        _, want = costates.of_sequence(cfg, rho, n, d, product / square)
        got = {k: np.sqrt(np.mean(v) / square) / float(
            want[int(k.split('.')[1]) - 1][k[-3:]]) for k, v in norms.items()}
        print(f'{name:12s}', *(' '.join([w] + ['%.3f' % got[k] for k in
                                               sorted(got) if k.endswith(w)])
                               for w in ('w_2', 'w_1', 'w_v')))


def head(models=400, pairs=16, d=256):
    """Gradients of a random head: (E||g||^2, coherence) over the formulas.

    vocab is the least that the claims allow for each variance of a logit.
    """
    rng = np.random.default_rng(1)
    for variance in (0.1, 0.5, 1.0, 1.5, 2.0, 2.5):
        vocab = int(np.ceil(10 * np.exp(2 * variance)))
        for c in (0.3, 0.9):
            rows = []
            for _ in range(models):
                w = (variance / d)**.5 * rng.standard_normal((vocab, d))
                x = (c**.5 * rng.standard_normal((1, d))
                     + (1 - c)**.5 * rng.standard_normal((pairs, d)))
                x *= (d / (x * x).sum(1, keepdims=True))**.5
                p = np.exp(x @ w.T)
                p /= p.sum(1, keepdims=True)
                p[np.arange(pairs), rng.integers(vocab, size=pairs)] -= 1
                g = p @ w
                off, cos = cosine(g - x * (g * x).sum(1, keepdims=True) / d)
                rows.append(((g * g).sum() / pairs, off, off * cos))
            rows = np.array(rows)
            mean, error = rows.mean(0), rows.std(0) / models**.5
            g2, _, rho = theory.head_statistics(c, d, vocab, variance)
            print(f'variance {variance} vocab {vocab} cosine {c}: '
                  f'{mean[0] / g2:.4f} +- {error[0] / g2:.4f}, '
                  f'{mean[2] / mean[1] / rho:.3f} +- '
                  f'{error[2] / mean[1] / rho:.3f} of {rho:.4f}', flush=True)


if __name__ == '__main__':
    jobs = {'rank': rank, 'sequence': sequence, 'backward': backward,
            'head': head}
    pairs = [word.split('=') for word in sys.argv[2:]]
    jobs[sys.argv[1]](**{k: float(v) if '.' in v else int(v)
                         for k, v in pairs})
