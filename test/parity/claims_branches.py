"""Bounds of the branches: how far F can take a vector, and a difference."""
import math

import numpy as np

from claims_scene import Unavailable, lengths, spectral


def erf_slope(u):
    """Of u Phi(u)."""
    phi = math.exp(-u * u / 2) / math.sqrt(2 * math.pi)
    return math.erfc(-u / math.sqrt(2)) / 2 + u * phi


def tanh_slope(u):
    root = math.sqrt(2 / math.pi)
    t = math.tanh(root * (u + 0.044715 * u**3))
    inner = root * (1 + 3 * 0.044715 * u**2)
    return (1 + t) / 2 + u * (1 - t * t) * inner / 2


def sigmoid_slope(u):
    p = 1 / (1 + math.exp(-u))
    return p + u * p * (1 - p)


def steepest(slope):
    """The largest slope; it lies in (0, 4), and there is one hill."""
    low, high = 0.0, 4.0
    for _ in range(200):
        a, b = low + (high - low) / 3, high - (high - low) / 3
        low, high = (a, high) if slope(a) < slope(b) else (low, b)
    return slope(low)


LIPSCHITZ = {'relu': 1.0, 'gelu': steepest(erf_slope),
             'gelu_tanh': steepest(tanh_slope),
             'silu': steepest(sigmoid_slope)}


def bias(sub, name, size):
    b = sub.param('b_' + name)
    return np.zeros(size) if b is None else b


class Ffn:
    """W_2 act(W_1 x + b_1) + b_2; |act(u)| <= |u|."""

    def __init__(self, sub):
        scene = sub.scene
        if scene.cfg['gated']:
            raise Unavailable('gated')
        self.b_1 = bias(sub, '1', scene.cfg['ffn_width'])
        self.b_2 = bias(sub, '2', scene.d)
        self.one, self.two = (spectral(sub.param(w)) for w in ('w_1', 'w_2'))
        self.slope = LIPSCHITZ[scene.cfg['activation']]

    def reach(self, r):
        """max ||F(x)|| over ||x|| <= r."""
        return (self.two * (self.one * r + lengths(self.b_1))
                + lengths(self.b_2))

    def spread(self, r):
        """max ||F(x) - F(0)||."""
        return self.slope * self.one * self.two * r

    def lipschitz(self, _radius, _whole):
        return self.slope * self.one * self.two


class Head:
    """One query head with the head of keys and values that it reads."""

    def __init__(self, sub, h, group, size):
        mine = slice(h * size, (h + 1) * size)
        kv = slice(h // group * size, (h // group + 1) * size)
        w_o = sub.param('w_o')
        self.w_v = sub.param('w_v')[kv]
        self.through = self.w_v if w_o is None else w_o[:, mine] @ self.w_v
        self.b_v = bias(sub, 'v', kv.stop)[kv]
        self.moved = self.b_v if w_o is None else w_o[:, mine] @ self.b_v
        self.w_q, self.w_k = sub.param('w_q')[mine], sub.param('w_k')[kv]
        self.b_q = bias(sub, 'q', mine.stop)[mine]
        self.b_k = bias(sub, 'k', kv.stop)[kv]
        self.root = math.sqrt(size)

    def paths(self, r, rotary, capped):
        """(query, key): what a change of x_i, x_j makes of the scores' row
        times sum a_j ||x_j - mean||, per unit of change, over max ||x|| = r.

        Query: dx_i W_Q (k_j - mean k) -- of k's bias only what differs from
        key to key: it turns under rotary, and under a cap each score has its
        own factor. Key: (x_i W_Q + b_Q) W_K^T dx_j.
        """
        if rotary:
            q, k = spectral(self.w_q), spectral(self.w_k)
            query = q * (k * r + lengths(self.b_k))
            key = (q * r + lengths(self.b_q)) * k
        else:
            m = spectral(self.w_q.T @ self.w_k)
            query = m * r
            if capped:
                query += lengths(self.w_q.T @ self.b_k)
            key = m * r + lengths(self.b_q @ self.w_k)
        return query * r / self.root, key * r / self.root


class Attention:
    def __init__(self, sub):
        self.sub, self.scene = sub, sub.scene
        cfg = self.scene.cfg
        self.rotary = cfg['positions'] == 'rotary'
        self.capped = cfg['soft_cap'] > 0
        group = cfg['heads'] // cfg['kv_heads']
        self.projected = bool(cfg['out_proj'])
        self.heads = [Head(sub, h, group, self.scene.d // cfg['heads'])
                      for h in range(cfg['heads'])]
        self.b_o = bias(sub, 'o', self.scene.d)

    def together(self, of_heads):
        """Norms of the heads' outputs: summed by W_O, or side by side."""
        return sum(of_heads) if self.projected else lengths(np.array(of_heads))

    def through(self):
        return self.together([spectral(h.through) for h in self.heads])

    def shift(self):
        """What the bias of the values becomes."""
        moved = [h.moved for h in self.heads]
        return sum(moved) if self.projected else np.concatenate(moved)

    def reach(self, r):
        """A query with a key gets an average of values; a blind one, b_O."""
        seen = self.through() * r + lengths(self.shift() + self.b_o)
        if self.scene.blind().any():
            return max(seen, lengths(self.b_o))
        return seen

    def spread(self, r):
        """max ||F(x) - (b_V W_O + b_O)||."""
        seen = self.through() * r
        if self.scene.blind().any():
            return max(seen, lengths(self.shift()))
        return seen

    def columns(self, h):
        """sqrt of the largest column sum of head h's weights."""
        a = self.scene.data[self.sub.prefix + 'weights'][:, h]
        return math.sqrt(a.sum(1).max())

    def lipschitz(self, r, whole):
        """Over all inputs with rows of length <= r if whole, else here."""
        if self.scene.cfg['qk_norm'] != 'none':
            raise Unavailable('qk_norm')
        each = []
        for h, head in enumerate(self.heads):
            query, key = head.paths(r, self.rotary, self.capped)
            c = self.columns(h)
            if whole and (query or key):    # else the weights stay as here
                c = math.sqrt(self.scene.tokens)
            each.append(spectral(head.through) * (c * (1 + key) + query))
        return self.together(each)


def branch(sub):
    return Ffn(sub) if sub.kind == 'ffn' else Attention(sub)
