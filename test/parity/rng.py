"""Philox4x32-10 and the initial values of lnstab, from their specification."""
import numpy as np

M0, M1 = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
W0, W1 = 0x9E3779B9, 0xBB67AE85
LOW = np.uint64(0xFFFFFFFF)
KINDS = {'host': 0, 'embed.token': 1, 'head.w': 2, 'w_q': 3, 'w_k': 4,
         'w_v': 5, 'w_o': 6, 'w_1': 7, 'w_2': 8, 'w_3': 9,
         'embed.position': 10}


def philox(counter, key):
    """Four words per counter; counter: four arrays (or numbers), key: two."""
    c = [np.atleast_1d(np.asarray(x, np.uint64)) for x in counter]
    k0, k1 = int(key[0]), int(key[1])
    for _ in range(10):
        p0, p1 = c[0] * M0, c[2] * M1   # 32 x 32 bits never overflow 64
        c = [(p1 >> np.uint64(32)) ^ c[1] ^ np.uint64(k0), p1 & LOW,
             (p0 >> np.uint64(32)) ^ c[3] ^ np.uint64(k1), p0 & LOW]
        k0, k1 = (k0 + W0) & 0xFFFFFFFF, (k1 + W1) & 0xFFFFFFFF
    return c


def words(count, seed, kind, layer):
    block = np.arange((count + 3) // 4, dtype=np.uint64)
    key = (seed & 0xFFFFFFFF, (seed >> 32) & 0xFFFFFFFF)
    out = philox((block & LOW, block >> np.uint64(32),
                  np.full_like(block, kind), np.full_like(block, layer)), key)
    return np.stack(out, -1)            # [block, 4]


def uniforms(count, seed, kind=0, layer=0):
    w = words(count, seed, kind, layer).astype(np.float64)
    return ((w + 0.5) / 2.0**32).reshape(-1)[:count]


def normals(count, seed, kind=0, layer=0):
    u = (words(count, seed, kind, layer).astype(np.float64) + 0.5) / 2.0**32
    r, t = np.sqrt(-2 * np.log(u[:, 0::2])), 2 * np.pi * u[:, 1::2]
    return np.stack([r * np.cos(t), r * np.sin(t)], -1).reshape(-1)[:count]


def fnv1a(name):
    h = 2166136261
    for byte in name.encode():
        h = (h ^ byte) * 16777619 & 0xFFFFFFFF
    return h


def truncated(count, seed, kind, layer):
    """Normals cut at 2: one beyond is drawn again, in streams of its own."""
    out, attempt = normals(count, seed, kind, layer), 0
    while (abs(out) > 2).any():
        attempt += 1
        again = normals(count, seed, kind | attempt << 8, layer)
        out = np.where(abs(out) > 2, again, out)
    return out


def matrix(shape, rule, gain, seed, kind, layer, branches=1):
    """An initial weight matrix, stored [out, in]; branches: those of the
    stack, if the matrix ends one."""
    fan_out, fan_in = shape
    count = fan_out * fan_in
    if rule == 'xavier_uniform':
        a = np.sqrt(6 / (fan_in + fan_out))
        w = a * (2 * uniforms(count, seed, kind, layer) - 1)
    elif rule == 'bert':
        w = 0.02 * truncated(count, seed, kind, layer)
    else:
        std = {'xavier_normal': np.sqrt(2 / (fan_in + fan_out)),
               'lecun_normal': 1 / np.sqrt(fan_in), 'unit': 1.0,
               'unit_normal': 1.0, 'olmo2': 0.02,
               'gpt2': 0.02 / np.sqrt(branches)}[rule]
        w = std * normals(count, seed, kind, layer)
    return gain * w.reshape(shape)
