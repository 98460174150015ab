"""The model of lnstab in numpy, independent of the C code.

    x' = N_res(alpha x + beta N_out(F(kappa N_in(x))))
"""
import numpy as np

import rng
from tape import Var, backward

DEFAULTS = dict(layers=1, width=8, ffn_width=8, heads=1, vocab=11,
                norm='layer', eps=1e-5, bias=1, out_proj=1, causal=0,
                input='tokens', init='xavier_normal',
                head_init='lecun_normal', embed_norm=0,
                mix_fraction=0.5, placement='post', dtype='float64',
                head='separate', max_batch=1, max_tokens=1)
ROWS = {  # norm_in, norm_out, norm_res, final_norm
    'none': (0, 0, 0, 0), 'post': (0, 0, 1, 0), 'pre': (1, 0, 0, 1),
    'peri': (1, 1, 0, 1), 'output-norm': (0, 1, 0, 1),
    'deepnorm': (0, 0, 1, 0), 'ln-scaling': (1, 0, 0, 1)}
RULES = {'deepnorm': dict(alpha=(2**0.25, 0.25, 0), **{
             'gain_' + g: (8**-0.25, -0.25, 0)
             for g in ('v', 'o', 'w1', 'w2')}),
         'ln-scaling': dict(kappa=(1, 0, -0.5))}
COEFFICIENTS = ('alpha', 'beta', 'kappa', 'gain_qk', 'gain_v', 'gain_o',
                'gain_w1', 'gain_w2')
FLAGS = ('norm_in', 'norm_out', 'norm_res', 'final_norm')


def parse_rule(text):
    """'c*L^p*l^q' -> (c, p, q); each factor may be absent."""
    c, p, q = 1.0, 0.0, 0.0
    for factor in str(text).split('*'):
        if factor.startswith('L'):
            p = float(factor[2:] or 1)
        elif factor.startswith('l'):
            q = float(factor[2:] or 1)
        else:
            c = float(factor)
    return c, p, q


def parse_config(text):
    cfg = dict(DEFAULTS)
    for item in text.split():
        key, value = item.split('=')
        if key.split('.')[-1] in COEFFICIENTS:
            cfg[key] = value
            continue
        try:
            cfg[key] = int(value)
        except ValueError:
            try:
                cfg[key] = float(value)
            except ValueError:
                cfg[key] = value
    return cfg


def row(cfg, layer):
    """What the placement says of one layer: flags and coefficients."""
    name, depth = cfg['placement'], cfg['layers']
    if name == 'mix':
        name = 'post' if layer <= int(cfg['mix_fraction'] * depth) else 'pre'
    flags = ROWS.get(name) or [cfg[f] for f in FLAGS]
    out = dict(zip(FLAGS, flags))
    for key in COEFFICIENTS:
        c, p, q = RULES.get(name, {}).get(key, (1, 0, 0))
        if key in cfg:
            c, p, q = parse_rule(cfg[key])
        out[key] = c * float(depth)**p * float(layer)**q
    return out


def final_norm(cfg):
    if cfg['placement'] == 'mix':
        return 1
    return row(cfg, 1)['final_norm']


def norm_names(cfg, name):
    return [name + '.gamma'] + [name + '.bias'] * (cfg['norm'] == 'layer')


def shapes(cfg):
    """Every parameter's name and shape, in order."""
    d, f, v = cfg['width'], cfg['ffn_width'], cfg['vocab']
    out = {}

    def norm(name, on):
        out.update({n: (d,) for n in norm_names(cfg, name) if on})

    def linear(prefix, key, rows, cols):
        out[prefix + 'w_' + key] = (rows, cols)
        if cfg['bias']:
            out[prefix + 'b_' + key] = (rows,)

    if cfg['input'] == 'tokens':
        out['embed.token'] = (v, d)
    norm('norm_embed', cfg['embed_norm'])
    for layer in range(1, cfg['layers'] + 1):
        r = row(cfg, layer)
        for sub, keys in (('attn', 'qkvo' if cfg['out_proj'] else 'qkv'),
                          ('ffn', '12')):
            prefix = f'layer.{layer}.{sub}.'
            norm(prefix + 'norm_in', r['norm_in'])
            for key in keys:
                linear(prefix, key, f if key == '1' else d,
                       f if key == '2' else d)
            norm(prefix + 'norm_out', r['norm_out'])
            norm(prefix + 'norm_res', r['norm_res'])
    norm('norm_final', final_norm(cfg))
    out['head.w'] = (v, d)
    return out


def init(cfg, seed, amplitude=0.0):
    """Initial parameters; amplitude adds normals drawn per tensor name."""
    gains = dict(w_q='qk', w_k='qk', w_v='v', w_o='o', w_1='w1', w_2='w2')
    params = {}
    for name, shape in shapes(cfg).items():
        last = name.split('.')[-1]
        if name in ('embed.token', 'head.w'):
            rule = 'unit' if name == 'embed.token' else cfg['head_init']
            p = rng.matrix(shape, rule, 1.0, seed, rng.KINDS[name], 0)
        elif last in gains:
            layer = int(name.split('.')[1])
            gain = row(cfg, layer)['gain_' + gains[last]]
            p = rng.matrix(shape, cfg['init'], gain, seed, rng.KINDS[last],
                           layer)
        else:
            p = np.ones(shape) if last == 'gamma' else np.zeros(shape)
        if amplitude:
            p = p + amplitude * rng.normals(p.size, seed + 1000, 0,
                                            rng.fnv1a(name)).reshape(shape)
        params[name] = p
    return params


def host_inputs(cfg, seed, batch, tokens, ignore=0, masked=0):
    """(tokens or embeddings, targets, keep mask) as fixtures define them."""
    count, v = batch * tokens, cfg['vocab']

    def ids(stream):
        u = rng.uniforms(count, seed, 0, stream)
        return np.floor(v * u).astype(int)
    if cfg['input'] == 'embedded':
        x = rng.normals(count * cfg['width'], seed, 0, 1)
        x = x.reshape(batch, tokens, cfg['width'])
    else:
        x = ids(2).reshape(batch, tokens)
    targets = ids(3)
    if ignore:
        targets[4::5] = -100
    keep = None
    if masked:
        keep = rng.uniforms(count, seed, 0, 4).reshape(batch, tokens) < 0.7
        keep[0] = False
    return x, targets.reshape(batch, tokens), keep


def normalise(cfg, p, name, x):
    y = x - x.mean() if cfg['norm'] == 'layer' else x
    y = y / ((y * y).mean() + cfg['eps']).sqrt() * p[name + '.gamma']
    return y + p[name + '.bias'] if cfg['norm'] == 'layer' else y


def linear(p, prefix, key, x):
    y = x @ p[prefix + 'w_' + key].swap()
    bias = p.get(prefix + 'b_' + key)
    return y if bias is None else y + bias


def attention(cfg, p, prefix, x, keep):
    batch, n, d = x.value.shape
    heads = cfg['heads']
    q, k, v = (linear(p, prefix, key, x).reshape(batch, n, heads, d // heads)
               .swap(1, 2) for key in 'qkv')
    seen = np.ones((batch, 1, n, n), bool)
    if cfg['causal']:
        seen = seen & np.tril(np.ones((n, n), bool))
    if keep is not None:
        seen = seen & keep[:, None, None, :]
    one = x.value.dtype.type(1)
    s = (q @ k.swap()) * (one / np.sqrt(one * (d // heads)))
    # A row without any key keeps weight 0: its denominator is set to 1.
    top = np.max(s.value, -1, keepdims=True, where=seen, initial=-np.inf)
    top = np.where(np.isfinite(top), top, 0) * seen
    e = (s * seen - top).exp() * seen
    total = e.total()
    a = e / (total + (total.value == 0))
    out = (a @ v).swap(1, 2).reshape(batch, n, d)
    return linear(p, prefix, 'o', out) if cfg['out_proj'] else out


def forward(cfg, params, x, targets=None, keep=None, dtype=np.float64):
    """States by name, the parameters as variables, and the loss."""
    p = {k: Var(v.astype(dtype)) for k, v in params.items()}
    states = {}
    x = p['embed.token'].rows(x) if cfg['input'] == 'tokens' \
        else Var(x.astype(dtype))
    if cfg['embed_norm']:
        x = normalise(cfg, p, 'norm_embed', x)
    states['embed.out'] = x
    for layer in range(1, cfg['layers'] + 1):
        r = row(cfg, layer)
        for sub in ('attn', 'ffn'):
            prefix = f'layer.{layer}.{sub}.'
            states[prefix + 'in'] = x
            y = normalise(cfg, p, prefix + 'norm_in', x) if r['norm_in'] else x
            y = y * r['kappa']
            if sub == 'attn':
                y = attention(cfg, p, prefix, y, keep)
            else:
                hidden = linear(p, prefix, '1', y).relu()
                states[prefix + 'hidden'] = hidden
                y = linear(p, prefix, '2', hidden)
            states[prefix + 'branch'] = y
            if r['norm_out']:
                y = normalise(cfg, p, prefix + 'norm_out', y)
            x = x * r['alpha'] + y * r['beta']
            states[prefix + 'sum'] = x
            if r['norm_res']:
                x = normalise(cfg, p, prefix + 'norm_res', x)
            states[prefix + 'out'] = x
    if final_norm(cfg):
        x = normalise(cfg, p, 'norm_final', x)
    states['output'] = x
    states['logits'] = logits = x @ p['head.w'].swap()
    if targets is None:
        return states, p, None, 0
    loss, counted = cross_entropy(logits, targets)
    return states, p, loss, counted


def cross_entropy(logits, targets):
    counted = targets != -100
    n = int(counted.sum())
    hot = np.eye(logits.value.shape[-1])[np.where(counted, targets, 0)]
    z = logits - logits.value.max(-1, keepdims=True)
    nll = (z.exp().total().log() - (z * hot).total()) * counted[..., None]
    one = logits.value.dtype.type(1)
    return nll.reshape(1, -1).total() * (one / max(n, 1)), n


def run(cfg, params, x, targets, keep=None, dtype=np.float64):
    """Forward and backward; returns (states, parameters, loss, counted)."""
    states, p, loss, counted = forward(cfg, params, x, targets, keep, dtype)
    backward(loss)
    return states, p, loss.value.item(), counted
