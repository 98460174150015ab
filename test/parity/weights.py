"""Initial parameters of a configuration, by the library's rules of random
numbers and without the library."""
import numpy as np

import rng
import torch_model

GAINS = {'w_q': 'gain_qk', 'w_k': 'gain_qk', 'w_v': 'gain_v',
         'w_o': 'gain_o', 'w_1': 'gain_w1', 'w_3': 'gain_w1',
         'w_2': 'gain_w2'}


def shapes(cfg):
    """Every parameter's name and shape."""
    d, inner, vocab = cfg['width'], cfg['ffn_width'], cfg['vocab']
    size = d // cfg['heads']
    kv = cfg['kv_heads'] * size
    out = {}

    def norm(name, present, width=d):
        if present:
            out[name + '.gamma'] = (width,)
            if cfg['norm'] == 'layer':
                out[name + '.bias'] = (width,)

    def linear(prefix, key, rows, columns):
        out[prefix + 'w_' + key] = (rows, columns)
        if cfg['bias']:
            out[prefix + 'b_' + key] = (rows,)

    if cfg['input'] == 'tokens':
        out['embed.token'] = (vocab, d)
    if cfg['positions'] == 'learned':
        out['embed.position'] = (cfg['max_tokens'], d)
    norm('norm_embed', cfg['embed_norm'])
    for layer in range(1, cfg['layers'] + 1):
        row = torch_model.row(cfg, layer)
        for name in ('attn', 'ffn'):
            prefix = f'layer.{layer}.{name}.'
            norm(prefix + 'norm_in', row['norm_in'])
            if name == 'attn':
                linear(prefix, 'q', d, d)
                linear(prefix, 'k', kv, d)
                linear(prefix, 'v', kv, d)
                full = cfg['qk_norm'] == 'full'
                norm(prefix + 'norm_q', cfg['qk_norm'] != 'none',
                     d if full else size)
                norm(prefix + 'norm_k', cfg['qk_norm'] != 'none',
                     kv if full else size)
                if cfg['out_proj']:
                    linear(prefix, 'o', d, d)
            else:
                linear(prefix, '1', inner, d)
                linear(prefix, '2', d, inner)
                if cfg['gated']:
                    linear(prefix, '3', inner, d)
            norm(prefix + 'norm_out', row['norm_out'])
            norm(prefix + 'norm_res', row['norm_res'])
    norm('norm_final', cfg['final_norm'])
    if cfg['head'] == 'separate':
        out['head.w'] = (vocab, d)
    return out


def start(cfg, name, shape, seed):
    """One parameter."""
    last = name.split('.')[-1]
    if name.startswith('embed.'):
        gain = torch_model.rule_value(cfg['gain_embed'], cfg['layers'], 1)
        return rng.matrix(shape, cfg['embed_init'], gain, seed,
                          rng.KINDS[name], 0)
    if name == 'head.w':
        return rng.matrix(shape, cfg['head_init'], 1.0, seed,
                          rng.KINDS[name], 0)
    if last in GAINS:
        layer = int(name.split('.')[1])
        branches = 2 * cfg['layers'] if last in ('w_o', 'w_2') else 1
        return rng.matrix(shape, cfg['init'],
                          torch_model.row(cfg, layer)[GAINS[last]], seed,
                          rng.KINDS[last], layer, branches)
    return np.ones(shape) if last == 'gamma' else np.zeros(shape)


def initial(cfg, seed, amplitude=0.0):
    """All parameters; amplitude adds normals drawn by each one's name."""
    out = {}
    for name, shape in shapes(cfg).items():
        p = start(cfg, name, shape, seed)
        if amplitude:
            p = p + amplitude * rng.normals(
                p.size, seed + 1000, 0, rng.fnv1a(name)).reshape(shape)
        out[name] = p
    return out
