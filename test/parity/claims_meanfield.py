"""Claims of mean field: what the recursions predict, what a model has."""
import numpy as np

import costates
import theory
from claims_scene import Unavailable, lengths
from claims_table import alias, claim

XAVIER = ('xavier_normal', 'xavier_uniform')


def refuse_unless(*conditions):
    if not all(conditions):
        raise Unavailable('outside the assumptions')


def mean_field(s):
    """The setting: plain averages, Xavier weights, ReLU, N(0, I)."""
    cfg = s.cfg
    gains = [sub.rule['gain_qk'] for sub in s.subs if sub.kind == 'attn']
    refuse_unless(
        not any(gains), not cfg['causal'], cfg['init'] in XAVIER,
        cfg['eps'] <= 1e-5, cfg['activation'] == 'relu', not cfg['gated'],
        cfg['kv_heads'] == cfg['heads'],
        cfg['positions'] in ('none', 'rotary'),
        cfg['input'] == 'embedded' or cfg['embed_norm']
        or (cfg['embed_init'] == 'unit_normal'
            and float(cfg['gain_embed']) * float(cfg['embed_scale']) == 1))


def steps(s):
    mean_field(s)
    return theory.mean_field(s.cfg, s.rho, s.tokens)


def square(rows):
    """E||x||^2/d of rows."""
    return (rows * rows).mean()


@claim('meanfield.q', 'layer', 'limit', '=')
def q(s, layer):
    step = steps(s)[2 * layer - 1]
    return step['q'], square(s.ffn(layer).rows('out'))


@claim('meanfield.cosine', 'layer', 'limit', '=')
def cosine(s, layer):
    step = steps(s)[2 * layer - 1]
    return step['C'] / step['q'], s.cosine(s.ffn(layer).rows('out'))


@claim('meanfield.hidden', 'layer', 'limit', '=')
def hidden(s, layer):
    step = steps(s)[2 * layer - 1]
    stated = step['gain_w1']**2 * step['iq'] / (1 + s.rho)
    return stated, square(s.ffn(layer).rows('hidden'))


@claim('meanfield.hidden_cosine', 'layer', 'limit', '=')
def hidden_cosine(s, layer):
    step = steps(s)[2 * layer - 1]
    stated = 2 * theory.kap(step['iC'] / step['iq'])
    return stated, s.cosine(s.ffn(layer).rows('hidden'))


@claim('meanfield.state', 'sublayer', 'limit', '=')
def state(s, k):
    all_of = steps(s)
    stated = all_of[min(k, s.last) - 1]['q']
    if k > s.last and s.final:
        stated = 1
    return stated, square(s.rows(s.stream(k)))


@claim('meanfield.state_cosine', 'sublayer', 'limit', '=')
def state_cosine(s, k):
    step = steps(s)[min(k, s.last) - 1]
    return step['C'] / step['q'], s.cosine(s.rows(s.stream(k)))


@claim('meanfield.input', 'sublayer', 'limit', '=')
def entering(s, k):
    all_of = steps(s)
    if k > s.last:
        return 0, 0
    return all_of[k - 1]['iq'], square(s.sub(k).rows('f_in'))


@claim('meanfield.branch', 'sublayer', 'limit', '=')
def branch(s, k):
    all_of = steps(s)
    if k > s.last:
        return 0, 0
    return all_of[k - 1]['bq'], square(s.sub(k).rows('branch'))


@claim('meanfield.sum', 'sublayer', 'limit', '=')
def before_norm(s, k):
    all_of = steps(s)
    if k > s.last:
        return all_of[-1]['q'], square(s.rows(s.stream(s.last)))
    return all_of[k - 1]['uq'], square(s.sub(k).rows('sum'))


@claim('meanfield.update_ratio', 'sublayer', 'limit', '=')
def update_ratio(s, k):
    all_of = steps(s)
    if k > s.last:
        return 0, 0
    sub, step = s.sub(k), all_of[k - 1]
    stated = np.sqrt(step['beta']**2 * step['oq']
                     / (step['alpha']**2 * step['q_in']))
    moved, kept = sub.beta * sub.rows('f_out'), sub.alpha * sub.rows('in')
    return stated, np.sqrt(square(moved) / square(kept))


# ---- gradients

def coherence(s):
    """The cosine of the costates behind the last norm, on their way down."""
    return s.cosine(s.costates(s.before_last_norm()))


def token_gradients(s):
    """g_i: each counted token's own loss by the output."""
    return s.counted.sum() * s.costates('output')


def unit(s):
    """sqrt of the mean of ||g_i||^2 over the counted tokens."""
    g = token_gradients(s)
    return np.sqrt((g * g).sum() / s.counted.sum())


def down(s):
    mean_field(s)
    value = coherence(s) if s.tokens > 1 else 0
    refuse_unless(np.isfinite(value))
    return costates.of_sequence(s.cfg, s.rho, s.tokens, s.d, value)


def of_token(s):
    mean_field(s)
    return costates.of_token(s.cfg, s.rho, s.tokens, s.d)


def entrance(s, k):
    """The costates where sublayer k begins."""
    return s.costates(s.stream(k - 1))


@claim('meanfield.costate', 'sublayer', 'limit', '=')
def costate(s, k):
    stated = down(s)[0][k - 1][0]
    g = s.costates('output')
    return stated, np.sqrt(square(entrance(s, k)) / square(g))


@claim('meanfield.costate_cosine', 'sublayer', 'limit', '=')
def costate_cosine(s, k):
    return down(s)[0][k - 1][1], s.cosine(entrance(s, k))


@claim('meanfield.token_costate', 'sublayer', 'limit', '=')
def token_costate(s, k):
    g = s.costates('output')
    return of_token(s)[0][k - 1], np.sqrt(square(entrance(s, k)) / square(g))


def matrix(name):
    kind = 'ffn' if name[-1] in '12' else 'attn'

    def gradient(s, layer):
        mean_field(s)
        refuse_unless(name != 'w_o' or s.cfg['out_proj'])
        return np.linalg.norm(s.grad[f'layer.{layer}.{kind}.{name}'])

    def of_sequence(s, layer):
        measured = gradient(s, layer) / unit(s)
        return down(s)[1][layer - 1][name], measured

    def one_token(s, layer):
        measured = gradient(s, layer) / unit(s)
        return of_token(s)[1][layer - 1][name], measured

    alias('meanfield.' + name, 'layer', 'limit', '=', of_sequence)
    alias('meanfield.token_' + name, 'layer', 'limit', '=', one_token)


for key in ('w_v', 'w_o', 'w_1', 'w_2'):
    matrix(key)


@claim('rankone.w_2', None, 'limit', '=')
def rank_one(s):
    mean_field(s)
    last = s.ffn(s.depth)
    b, c = last.costates('branch'), s.costates('output')
    on = lengths(c) != 0
    each = (lengths(last.rows('hidden')) * lengths(b))[on] / lengths(c)[on]
    stated = theory.rank_one(s.cfg, s.rho, s.tokens, s.d)
    return stated, np.sqrt((each**2).mean())


def head(s):
    """(variance of a logit, coherence and size of the g_i)"""
    mean_field(s)
    cfg, d, vocab = s.cfg, s.d, s.cfg['vocab']
    last = s.sub(s.last).rule
    variance = {'lecun_normal': 1, 'unit_normal': d, 'gpt2': d * 0.0004}.get(
        cfg['head_init'], 2 * d / (d + vocab))
    refuse_unless(
        s.final or last['norm_res'], cfg['head'] == 'separate',
        not cfg['label_smoothing'], vocab >= 10 * np.exp(2 * variance))
    step = theory.mean_field(cfg, s.rho, s.tokens)[-1]
    return theory.head_statistics(step['C'] / step['q'], d, vocab,
                                  theory.LD(variance))


@claim('meanfield.coherence', None, 'limit', '=')
def coherence_at_head(s):
    return head(s)[2], coherence(s)


@claim('meanfield.loss_gradient', None, 'limit', '=')
def loss_gradient(s):
    return np.sqrt(head(s)[0]), unit(s)
