"""Claims after Xiong 2020: its lemmas, Theorem 1, and what lies beside it."""
import numpy as np

import theory
from claims_meanfield import XAVIER, refuse_unless, square, token_gradients
from claims_scene import Unavailable, lengths, spectral
from claims_table import claim

OTHERS = ('gain_v', 'gain_w1', 'gain_w2', 'kappa', 'alpha', 'beta')


def placement_of(s):
    """post or pre, by where the norms are."""
    rows = {tuple(bool(sub.rule['norm_' + w]) for w in ('in', 'out', 'res'))
            for sub in s.subs}
    found = {'post': ((False, False, True), False),
             'pre': ((True, False, False), True)}
    for name, (row, final) in found.items():
        if rows == {row} and s.final == final:
            return name
    raise Unavailable('neither post nor pre')


def paper(s):
    """The paper's setting; which of its two placements."""
    cfg, placement = s.cfg, placement_of(s)
    refuse_unless(
        cfg['heads'] == 1, not cfg['bias'],
        not cfg['out_proj'], not cfg['causal'], cfg['eps'] == 0,
        cfg['init'] in XAVIER, cfg['activation'] == 'relu',
        not cfg['gated'], cfg['positions'] in ('none', 'rotary'),
        all(sub.rule['gain_qk'] == 0 for sub in s.subs),
        all(sub.rule[key] == 1 for sub in s.subs for key in OTHERS))
    return placement


def lemma2(s, layer, side):
    placement = paper(s)
    stated = theory.lemma2(placement, s.rho, layer)[side]
    at = 'sum' if placement == 'post' else 'out'
    return stated, square(s.ffn(layer).rows(at))


@claim('lemma2.lower', 'layer', 'expectation', '>=')
def lemma2_lower(s, layer):
    return lemma2(s, layer, 0)


@claim('lemma2.upper', 'layer', 'expectation', '<=')
def lemma2_upper(s, layer):
    return lemma2(s, layer, 1)


@claim('lemma1.hidden', 'layer', 'expectation', '=')
def lemma1(s, layer):
    sub, cfg = s.ffn(layer), s.cfg
    refuse_unless(cfg['init'] in XAVIER, cfg['activation'] == 'relu',
                  not cfg['gated'])
    stated = sub.rule['gain_w1']**2 / (1 + s.rho) * square(sub.rows('f_in'))
    return stated, square(sub.rows('hidden'))


def jacobian_norms(s, k, factor):
    """max over norms and tokens of ||J||_2 times a factor of both."""
    return np.max([spectral(n.jacobian(i)) * factor(n, i)
                   for n in s.some_norms(k) for i in range(len(n.x))])


@claim('lemma3.exact', 'sublayer', 'inequality', '<=')
def lemma3_exact(s, k):
    return 1, jacobian_norms(s, k, lambda n, i: n.s[i] / (n.largest or 1))


@claim('lemma3.printed', 'sublayer', 'published', '<=')
def lemma3_printed(s, k):
    root = np.sqrt(s.d)
    return 1, jacobian_norms(s, k, lambda n, i: lengths(n.x[i]) / root)


@claim('lemma4.projection', 'sublayer', 'identity', '=')
def lemma4(s, k):
    refuse_unless(s.d >= 2)
    x = s.rows(s.stream(k))
    a = x / lengths(x)[:, None]
    return 1, np.max([spectral(np.eye(s.d) - np.outer(u, u)) for u in a])


@claim('lemma5.markov', 'level', 'inequality', '<=')
def lemma5(s, level):
    y = lengths(s.sub(s.last).rows('sum'))**2
    a = level * y.mean()
    return (y.max() - y.mean()) / (y.max() - a), share(y <= a, y)


# ---- Definition 1

def share(events, x):
    """That of tokens; none, if a token is not finite."""
    return events.mean() if np.isfinite(x).all() else np.nan


def above(x, limit):
    return share(lengths(x)**2 > limit, x)


@claim('definition1.gaussian', 'epsilon', 'probability', '=')
def gaussian(s, epsilon):
    refuse_unless(not s.cfg['embed_norm'])
    measured = above(s.rows('embed.out'), (1 + epsilon) * s.d)
    return theory.gaussian_tail(s.d, epsilon), measured


@claim('definition1.bound', 'epsilon', 'probability', '<=')
def gaussian_bound(s, epsilon):
    refuse_unless(0 < epsilon < 1)
    _, measured = gaussian(s, epsilon)
    return np.exp(-s.d * epsilon**2 / 8), measured


@claim('definition1.reported', None, 'published', '<=')
def reported(s):
    x = s.sub(s.last).rows('sum')
    return 0.125, above(x, 1.1 * (x * x).sum(-1).mean())


# ---- Theorem 1

def bound(s, tokens, rigorous):
    placement = paper(s)
    printed, centred = theory.theorem1(placement, s.depth, s.rho, s.d, tokens)
    return centred if rigorous and s.cfg['norm'] == 'layer' else printed


def token_norms(s):
    """(||dL_i/dW_2,L|| by token, C_g)"""
    last = s.ffn(s.depth)
    b = lengths(last.costates('branch')) * s.counted.sum()
    return lengths(last.rows('hidden')) * b, lengths(token_gradients(s)).max()


@claim('theorem1.printed', None, 'published', '<=')
def printed(s):
    norms, largest = token_norms(s)
    return bound(s, s.tokens, False), norms.max() / largest


@claim('theorem1.rigorous', None, 'published', '<=')
def rigorous(s):
    norms, largest = token_norms(s)
    return bound(s, s.tokens, True), norms.max() / largest


@claim('theorem1.probability_published', 'epsilon', 'published', '>=')
def published(s, epsilon):
    norms, largest = token_norms(s)
    y = lengths(s.rows(s.before_last_norm()))**2
    delta = (y > (1 + epsilon) * y.mean()).mean()
    within = norms <= bound(s, 1, False) * largest
    return (theory.probability('published', epsilon, delta),
            share(within, norms))


@claim('theorem1.probability_repaired', 'epsilon', 'probability', '>=')
def repaired(s, epsilon):
    norms, largest = token_norms(s)
    y = lengths(s.rows(s.before_last_norm()))**2
    tau = np.maximum(y - (1 + epsilon) * y.mean(), 0).mean() / y.mean()
    within = norms <= bound(s, s.tokens, True) * largest
    return (theory.probability('repaired', epsilon, tau, s.tokens),
            share(within, norms) == 1)


# ---- identities of the last matrix

@claim('rankone.identity', 'layer', 'identity', '=')
def rankone_identity(s, layer):
    sub = s.ffn(layer)
    h, b = sub.rows('hidden'), sub.costates('branch')
    size = (lengths(h) * lengths(b)).sum()**2
    return (((h @ h.T) * (b @ b.T)).sum() / size,
            (s.grad[sub.prefix + 'w_2']**2).sum() / size)


@claim('scale.euler', 'sublayer', 'identity', '=')
def euler(s, k):
    sub = s.sub(k)
    last = '2' if sub.kind == 'ffn' else 'o' if s.cfg['out_proj'] else 'v'
    w, dw = (store[f'{sub.prefix}w_{last}'] for store in (s.data, s.grad))
    total = (w * dw).sum()
    if s.cfg['bias']:
        total += s.data[f'{sub.prefix}b_{last}'] \
            @ s.grad[f'{sub.prefix}b_{last}']
    norm, moved = sub.norm('out'), sub.rows('branch')
    size = (lengths(moved) * lengths(sub.costates('branch'))).sum()
    if norm:
        moved = norm.gamma * norm.y * (norm.eps / norm.s**3)[:, None]
    stated = sub.beta * (sub.costates('sum') * moved).sum()
    return stated / size, total / size
