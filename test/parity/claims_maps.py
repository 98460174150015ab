"""Claims of section 5: how far a change at one place gets at another."""
import numpy as np

import rng
from claims_branches import branch
from claims_meanfield import refuse_unless
from claims_scene import lengths, spectral
from claims_table import CERTIFIED, LANCZOS, claim


def local(s, sub, whole=False):
    """A bound of sublayer sub's slope, at this point or between the halves
    of the batch."""
    def slope(n):
        return n.slope() if n else 1.0

    n_in, n_out, n_res = map(sub.norm, ('in', 'out', 'res'))
    r = lengths(sub.rows('f_in')).max()
    inner = branch(sub).lipschitz(r, whole) * abs(sub.kappa) * slope(n_in)
    return slope(n_res) * (abs(sub.alpha)
                           + abs(sub.beta) * slope(n_out) * inner)


def covered(s):
    refuse_unless(not s.cfg['gated'], s.cfg['qk_norm'] == 'none')


def at_the_end(s):
    return s.final_norm().slope() if s.final else 1.0


def product(s, k, whole=False):
    covered(s)
    slopes = [local(s, sub, whole) for sub in s.subs[:k]]
    if k > s.last:
        slopes.append(at_the_end(s))
    return np.prod(slopes)


def dense(s, start, end):
    """The Jacobian of each sequence, [T d, T d] transposed."""
    size = s.tokens * s.d
    columns = []
    for j in range(size):
        v = np.zeros((s.batch, size))
        v[:, j] = 1
        shape = s.batch, s.tokens, s.d
        columns.append(s.model.jvp(start, end, v.reshape(shape))
                       .reshape(s.batch, size).astype(np.float64))
    return np.array(columns).swapaxes(0, 1)


def jacobian_norm(s, start, end):
    key = start, end
    if key not in s.cache:
        s.cache[key] = np.max(
            [spectral(j) for j in dense(s, start, end)])
    return s.cache[key]


@claim('local.jacobian', 'sublayer', 'inequality', '<=', CERTIFIED, LANCZOS)
def local_jacobian(s, k):
    covered(s)
    stated = local(s, s.sub(k)) if k <= s.last else at_the_end(s)
    return stated, jacobian_norm(s, s.stream(k - 1), s.stream(k))


@claim('product.jacobian', 'sublayer', 'inequality', '<=', CERTIFIED, LANCZOS)
def product_jacobian(s, k):
    stated = product(s, k)
    return stated, jacobian_norm(s, 'embed.out', s.stream(k))


# ---- two samples, the halves of the batch

def halves(s, k):
    x = s.data[s.stream(k)].reshape(s.batch, -1)
    return np.split(x, 2)


def paired_distance(s, k):
    a, b = halves(s, k)
    return np.sqrt(((a - b)**2).sum(-1).mean())


def transported(s, k):
    return product(s, k, whole=True) * paired_distance(s, 0)


@claim('transport.paired', 'sublayer', 'inequality', '<=', CERTIFIED)
def paired(s, k):
    return transported(s, k), paired_distance(s, k)


DIRECTIONS = 16


@claim('transport.sliced', 'sublayer', 'inequality', '<=', CERTIFIED)
def sliced(s, k):
    a, b = halves(s, k)
    distances = []
    for stream in range(DIRECTIONS):
        u = rng.normals(a.shape[1], 0, 0, stream)
        apart = np.sort(a @ u) - np.sort(b @ u)
        distances.append(np.sqrt((apart**2).mean()) / lengths(u))
    return transported(s, k), np.max(distances)
