"""Claims of section 4: forward bounds that hold for any weights."""
import numpy as np

from claims_branches import branch
from claims_meanfield import refuse_unless
from claims_scene import lengths
from claims_table import CERTIFIED, STATES, claim


def sizes(x):
    return lengths(x) / np.sqrt(x.shape[-1])


def radius(n):
    return np.sqrt(len(n.gamma)) * n.largest + lengths(n.bias)


def mean_reach(n):
    d = len(n.gamma)
    return lengths(n.gamma) / np.sqrt(d) + np.abs(n.bias).sum() / d


def deviation_reach(n):
    return n.largest + n.bias.std()


@claim('bound.state', 'sublayer', 'inequality', '<=')
def state(s, k):
    bound = 1 if s.cfg['embed_norm'] else sizes(s.rows('embed.out')).max()
    for sub in s.subs[:k]:
        if sub.rule['norm_res']:
            bound = 1
        elif sub.rule['norm_out']:
            bound = abs(sub.alpha) * bound + abs(sub.beta)
        else:
            bound = np.inf
    if k > s.last and s.final:
        bound = 1
    return bound, sizes(s.rows(s.stream(k))).max()


class Forward:
    """Bounds behind each sublayer, from those of embed.out.

    own: of a quantity at a norm's outputs; of_branch: of a branch without a
    norm, by what it reads, ||f_in|| <= r.
    """

    def __init__(self, s, start, own, of_branch):
        self.s, self.own, self.of_branch = s, own, of_branch
        self.root = np.sqrt(s.d)
        self.values, self.radii = [start], [sizes(s.rows('embed.out')).max()]
        for sub in s.subs:
            self.step(sub)
        final = s.final_norm()
        self.values.append(own(final) if final else self.values[-1])

    def step(self, sub):
        n_in, n_out, n_res = map(sub.norm, ('in', 'out', 'res'))
        x, size = self.values[-1], self.radii[-1]
        if n_res:
            x, size = self.own(n_res), radius(n_res) / self.root
        else:
            if n_out:
                added, longer = self.own(n_out), radius(n_out) / self.root
            else:
                read = radius(n_in) if n_in else size * self.root
                read *= abs(sub.kappa)
                f = branch(sub)
                added = self.of_branch(f, read) / self.root
                longer = f.reach(read) / self.root
            x = abs(sub.alpha) * x + abs(sub.beta) * added
            size = abs(sub.alpha) * size + abs(sub.beta) * longer
        self.values.append(x)
        self.radii.append(size)


def reach(f, r):
    return f.reach(r)


@claim('forward.norm', 'sublayer', 'inequality', '<=', stated=CERTIFIED)
def norm(s, k):
    root = np.sqrt(s.d)
    bounds = Forward(s, sizes(s.rows('embed.out')).max(),
                     lambda n: radius(n) / root, reach)
    return bounds.values[k], sizes(s.rows(s.stream(k))).max()


@claim('forward.mean', 'sublayer', 'inequality', '<=', stated=CERTIFIED)
def mean(s, k):
    bounds = Forward(s, np.abs(s.rows('embed.out')).mean(-1).max(),
                     mean_reach, reach)
    return bounds.values[k], np.abs(s.rows(s.stream(k))).mean(-1).max()


@claim('forward.deviation', 'sublayer', 'inequality', '<=', stated=CERTIFIED,
       measured=STATES)
def deviation(s, k):
    bounds = Forward(s, s.rows('embed.out').std(-1).max(), deviation_reach,
                     reach)
    return bounds.values[k], s.rows(s.stream(k)).std(-1).max()


def scatter(x):
    away = x - x.mean(0)
    return np.sqrt((away * away).mean())


@claim('forward.spread', 'sublayer', 'inequality', '<=', stated=CERTIFIED,
       measured=STATES)
def spread(s, k):
    bounds = Forward(s, scatter(s.rows('embed.out')), lambda n: n.largest,
                     lambda f, r: f.spread(r))
    return bounds.values[k], scatter(s.rows(s.stream(k)))


@claim('ellipsoid.norm', 'sublayer', 'inequality', '<=',
       measured=STATES)
def ellipsoid(s, k):
    return 1, np.max([(n.whitened()**2).sum(-1) / s.d
                      for n in s.some_norms(k)])


@claim('ellipsoid.sum', 'sublayer', 'identity', '=',
       measured=STATES)
def ellipsoid_sum(s, k):
    norms = [n for n in s.some_norms(k) if n.gamma.all()]
    refuse_unless(s.cfg['norm'] == 'layer', norms)
    return 0, np.max([np.abs(n.whitened().sum(-1)) / s.d for n in norms])


@claim('ellipsoid.entry', 'sublayer', 'inequality', '<=',
       measured=STATES)
def ellipsoid_entry(s, k):
    stated = np.sqrt(s.d - (s.cfg['norm'] == 'layer'))
    return stated, np.max([np.abs(n.whitened()).max(initial=0)
                           for n in s.some_norms(k)])


# ---- velocities and costates

def pushed(s, k):
    """(p, v, the norm behind the branch) of sublayer k."""
    sub = s.sub(k)
    norm_out = sub.norm('out')
    refuse_unless(norm_out)
    return sub.costates('sum'), sub.rows('f_out'), norm_out


@claim('support.velocity', 'sublayer', 'inequality', '<=',
       measured=STATES)
def support(s, k):
    p, v, n = pushed(s, k)
    far = n.reach(p)
    on = far != 0
    refuse_unless(on.any())
    along = (p * (v - n.bias)).sum(-1)
    return 1, (along[on] / far[on]).max()


def hamiltonian(s, k, sign):
    p, v, n = pushed(s, k)
    far = n.reach(p).sum()
    return (p @ n.bias).sum() / far + sign, (p * v).sum() / far


@claim('hamiltonian.largest', 'sublayer', 'inequality', '<=')
def largest(s, k):
    return hamiltonian(s, k, 1)


@claim('hamiltonian.smallest', 'sublayer', 'inequality', '>=')
def smallest(s, k):
    return hamiltonian(s, k, -1)


@claim('hamiltonian.alignment', 'sublayer', 'inequality', '<=',
       measured=STATES)
def alignment(s, k):
    p, v, n = pushed(s, k)
    return 1, -(p * (v - n.bias)).sum() / n.reach(p).sum()


@claim('peri.w_2', 'layer', 'inequality', '<=')
def peri(s, layer):
    sub = s.ffn(layer)
    p, _, n = pushed(s, 2 * layer)
    far = abs(sub.beta) * lengths(p) * n.largest * np.sqrt(s.d)
    on = far != 0
    refuse_unless(on.any())
    moved = lengths(sub.costates('branch')) * lengths(n.y)
    return 1, (moved[on] / far[on]).max()
