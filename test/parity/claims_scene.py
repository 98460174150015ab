"""A model after forward, loss and backward, read as arrays in double."""
import numpy as np

import oracle
import theory

DEFAULTS = dict(kv_heads=None, activation='relu', gated=0, soft_cap=0.0,
                qk_norm='none', positions='none', embed_init='unit_normal',
                gain_embed='1', embed_scale=1.0, label_smoothing=0.0,
                ignore_index=-100, norm_in=0, norm_out=0, norm_res=0,
                final_norm=0, dtype='float64')


class Unavailable(Exception):
    """There is no such value: outside the assumptions, or nothing there."""


def configuration(text):
    cfg = {**oracle.DEFAULTS, **DEFAULTS, **oracle.parse_config(text)}
    said = {word.split('=')[0] for word in text.split()}
    cfg.update({k: v for k, v in DEFAULTS.items() if k not in said})
    cfg['kv_heads'] = cfg['kv_heads'] or cfg['heads']
    return cfg


def spectral(matrix):
    finite = np.isfinite(matrix).all()
    return float(np.linalg.norm(matrix, 2)) if finite else np.nan


def lengths(rows):
    return np.sqrt((rows * rows).sum(-1))


class Norm:
    """One normalisation: its input rows x, its output rows v."""

    def __init__(self, scene, name, x, v):
        self.layer = scene.cfg['norm'] == 'layer'
        self.x, self.v, self.eps = x, v, scene.cfg['eps']
        self.gamma = scene.data[name + '.gamma']
        self.bias = scene.data.get(name + '.bias', np.zeros_like(self.gamma))
        self.y = self.centre(x)
        self.s = np.sqrt((self.y**2).mean(-1) + self.eps)
        self.largest = float(np.abs(self.gamma).max())

    def centre(self, rows):
        """What the norm ignores taken away: the mean, or nothing."""
        return rows - rows.mean(-1, keepdims=True) if self.layer else rows

    def slope(self):
        """A bound of the spectral norm over the tokens."""
        return self.largest / self.s.min()

    def jacobian(self, i):
        d, z = len(self.gamma), self.y[i] / self.s[i]
        inner = self.centre(np.eye(d)) - np.outer(z, z) / d
        return self.gamma[:, None] * inner / self.s[i]

    def whitened(self):
        """(v - b)/gamma, of the entries with a gamma."""
        on = self.gamma != 0
        return (self.v - self.bias)[:, on] / self.gamma[on]

    def reach(self, p):
        """sup <p_i, v - b> over the norm's outputs v, by token."""
        d = len(self.gamma)
        return np.sqrt(d) * lengths(self.centre(self.gamma * p))


class Sublayer:
    def __init__(self, scene, k):
        cfg = scene.cfg
        self.k, self.layer = k, (k + 1) // 2
        self.kind = 'attn' if k % 2 else 'ffn'
        self.prefix = f'layer.{self.layer}.{self.kind}.'
        rule = theory.coefficients(cfg, self.layer, self.kind)
        self.alpha, self.beta, self.kappa = (
            float(rule[key]) for key in ('alpha', 'beta', 'kappa'))
        self.rule, self.scene = rule, scene

    def rows(self, state):
        return self.scene.rows(self.prefix + state)

    def costates(self, state):
        return self.scene.costates(self.prefix + state)

    def norm(self, where):
        """The norm 'in', 'out' or 'res', or None."""
        if not self.rule['norm_' + where]:
            return None
        x, v = {'in': ('in', 'f_in'), 'out': ('branch', 'f_out'),
                'res': ('sum', 'out')}[where]
        v = self.rows(v)
        if where == 'in':
            v = v / self.kappa
        return Norm(self.scene, self.prefix + 'norm_' + where, self.rows(x), v)

    def norms(self):
        return [n for n in map(self.norm, ('in', 'out', 'res')) if n]

    def param(self, name):
        return self.scene.data.get(self.prefix + name)


class Scene:
    """model, as its last calls left it; keep [B, T], counted [B, T]."""

    def __init__(self, model, text, keep, counted, of_loss):
        self.model, self.cfg = model, configuration(text)
        self.data, self.grad = {}, {}
        for name, t in model.tensors().items():
            if t.data is not None:
                self.data[name] = np.array(t.data, np.float64)
            if t.grad is not None:
                self.grad[name] = np.array(t.grad, np.float64)
        self.batch, self.tokens, self.d = self.data['embed.out'].shape
        self.keep, self.of_loss = keep, of_loss
        self.counted = counted.reshape(-1)
        self.depth = self.cfg['layers']
        self.last = 2 * self.depth
        self.rho = self.cfg['ffn_width'] / self.d
        self.subs = [Sublayer(self, k + 1) for k in range(self.last)]
        self.final = bool(oracle.final_norm(self.cfg))
        self.cache = {}

    def rows(self, name):
        x = self.data[name]
        return x.reshape(-1, x.shape[-1])

    def costates(self, name):
        x = self.grad[name]
        return x.reshape(-1, x.shape[-1])

    def sub(self, k):
        """Sublayer k = 1..2L."""
        if not 1 <= k <= self.last:
            raise Unavailable('no such sublayer')
        return self.subs[k - 1]

    def ffn(self, layer):
        return self.sub(2 * layer)

    def stream(self, k):
        """The name of the state behind sublayer k = 0..2L + 1."""
        if k == 0:
            return 'embed.out'
        return 'output' if k > self.last else self.sub(k).prefix + 'out'

    def before_last_norm(self):
        """The name of what the last norm of the stack reads."""
        last = self.sub(self.last).prefix
        return last + ('out' if self.final else 'sum')

    def final_norm(self):
        if not self.final:
            return None
        return Norm(self, 'norm_final', self.rows(self.stream(self.last)),
                    self.rows('output'))

    def norms(self, k):
        """Those of sublayer k; of k = 2L + 1, the final norm."""
        if k > self.last:
            return [self.final_norm()] if self.final else []
        return self.sub(k).norms()

    def some_norms(self, k):
        norms = self.norms(k)
        if not norms:
            raise Unavailable('no norm')
        return norms

    def cosine(self, rows):
        """Mean <x_i, x_j> of two tokens of a sequence over mean ||x_i||^2."""
        if self.tokens == 1:
            raise Unavailable('one token')
        x = rows.reshape(self.batch, self.tokens, -1)
        own = (x * x).sum()
        pairs = (x.sum(1)**2).sum() - own
        return pairs / ((self.tokens - 1) * own)

    def blind(self):
        """[B, T]: queries that no key is left for."""
        if self.keep is None:
            return np.zeros((self.batch, self.tokens), bool)
        seen = np.ones((self.tokens, self.tokens), bool)
        if self.cfg['causal']:
            seen = np.tril(seen)
        return ~(seen & self.keep[:, None, :]).any(-1)

    def same_map(self):
        """Did both halves of the batch go through one map, under one mask?"""
        return self.keep is None or bool(
            (self.keep[:self.batch // 2] == self.keep[self.batch // 2:]).all())

    def unmasked(self):
        return self.keep is None or bool(self.keep.all())

    def whole(self):
        """Is the loss, if there was one, that of every token?"""
        return not self.of_loss or bool(self.counted.all())

    def plain(self):
        """Has every norm of the stream and its branches gamma 1, bias 0?"""
        return all((v == name.endswith('gamma')).all()
                   for name, v in self.data.items()
                   if name.endswith(('.gamma', '.bias'))
                   and 'norm_q' not in name and 'norm_k' not in name)

    def bare(self):
        """Is there a branch that no norm bounds?"""
        return any(sub.beta and not sub.rule['norm_out']
                   and not sub.rule['norm_res'] for sub in self.subs)

    def misses(self, needs):
        """What the words of needs ask for and this scene has not."""
        has = {'states': True, 'costates': True, 'loss': self.of_loss,
               'one-sequence': self.batch == 1,
               'one-token': int(self.counted.sum()) == 1,
               'pairs': self.batch % 2 == 0 and self.same_map(),
               'unmasked': self.unmasked(),
               'all-tokens': self.unmasked() and self.whole(),
               'plain-norms': self.plain(),
               'krylov': self.cfg['krylov'] >= 2,
               'branches': self.cfg['krylov'] >= 2 or not self.bare()}
        return [word for word in needs.split() if not has[word]]
