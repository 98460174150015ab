"""Gradients in mean field, from the output down, in long double.

The costates p_i = dLoss/dx_i of n tokens, of which the first is told apart,
have four second moments, divided by the width: E|p_1|^2, E|p_j|^2, E<p_1, p_j>
and E<p_j, p_k>. Every loss that treats tokens 2..n alike is in there: the sum
of all tokens' losses starts with (1, 1, coherence, coherence), the first
token's own with (1, 0, 0, 0), per unit of E|g_i|^2.
"""
import numpy as np

import oracle
import theory

LD = theory.LD


def sequence(coherence):
    return np.array([1, 1, coherence, coherence], dtype=LD)


def token():
    return np.array([1, 0, 0, 0], dtype=LD)


def totals(moments, n):
    """Sums over tokens and over pairs of different ones."""
    own, other, mixed, others = moments
    return (own + (n - 1) * other,
            2 * (n - 1) * mixed + (n - 1) * (n - 2) * others)


def through(s, rho, n, moments, out_proj):
    """From the costates of a branch to those of what F reads."""
    if s['sub'] == 'attn':
        gain = (s['gain_v'] * (s['gain_o'] if out_proj else 1))**2
        return np.full(4, gain * sum(totals(moments, n)) / n**2)
    both = 2 * theory.kap1(s['iC'] / s['iq'])
    gain = theory.c_f(rho) * (s['gain_w1'] * s['gain_w2'])**2
    return gain * moments * np.array([1, 1, both, both])


def matrices(s, rho, n, d, moments, out_proj):
    """Squared norms, of a branch whose costates have these moments."""
    squares, products = totals(moments, n)
    if s['sub'] == 'attn':
        # Every token adds p_i^T mean(x) W_V^T W_O^T or its like.
        mean = (s['iq'] + (n - 1) * s['iC']) / n
        both = (squares + products) * mean * d
        out = {'w_v': both * (s['gain_o']**2 if out_proj else 1)}
        if out_proj:
            out['w_o'] = both * s['gain_v']**2
        return out
    p = s['iC'] / s['iq']
    units = s['iq'] * LD(rho) * d / (1 + LD(rho))
    return {'w_1': units * s['gain_w2']**2
            * (squares + 2 * p * theory.kap1(p) * products),
            'w_2': units * s['gain_w1']**2
            * (squares + 2 * theory.kap(p) * products)}


def down(cfg, rho, n, d, top):
    """(what each sublayer's input gets, first last; squared norms by layer)."""
    steps, moments = theory.mean_field(cfg, rho, n), np.array(top)
    inputs, squares = [], [{} for _ in range(cfg['layers'])]
    if oracle.final_norm(cfg):
        moments = moments / steps[-1]['q']
    inputs.append(moments)
    for s in reversed(steps):
        if s['norm_res']:
            moments = moments / s['uq']
        branch = s['beta']**2 * moments / (s['bq'] if s['norm_out'] else 1)
        squares[s['layer'] - 1].update(
            matrices(s, rho, n, d, branch, cfg['out_proj']))
        entering = through(s, rho, n, branch, cfg['out_proj'])
        entering *= s['kappa']**2 / (s['q_in'] if s['norm_in'] else 1)
        moments = s['alpha']**2 * moments + entering
        inputs.append(moments)
    return inputs[::-1], squares


def of_sequence(cfg, rho, n, d, coherence):
    """([(size, cosine) by sublayer], [norms of the mean loss by layer])."""
    inputs, squares = down(cfg, rho, n, d, sequence(coherence))
    return ([(np.sqrt(m[0]), m[2] / m[0]) for m in inputs],
            [{k: np.sqrt(v) / n for k, v in layer.items()}
             for layer in squares])


def of_token(cfg, rho, n, d):
    """([size over all tokens by sublayer], [norms by layer])."""
    inputs, squares = down(cfg, rho, n, d, token())
    return ([np.sqrt(totals(m, n)[0]) for m in inputs],
            [{k: np.sqrt(v) for k, v in layer.items()} for layer in squares])
