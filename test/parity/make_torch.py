"""Write test/data/torch.txt: what PyTorch has for each option of the model,
in the format of models.txt. Needs PyTorch; the C test that reads it does
not."""
import os

import numpy as np
import torch

import oracle
import torch_model
import weights
from make_models import summary

SIZE = dict(layers=2, width=12, ffn_width=10, heads=3, vocab=11)
DEEP = dict(layers=24, width=8, ffn_width=12, heads=2, activation='gelu')
COSTATES = ('embed.in', 'embed.out', 'output')
INSIDE = ('attn.q_hat', 'attn.k_hat', 'attn.weights', 'attn.branch',
          'attn.out', 'ffn.pre', 'ffn.hidden', 'ffn.out')


def cases():
    """(name, keys, fixture); each option alone, then together."""
    for activation in ('gelu', 'gelu_tanh', 'silu'):
        yield activation, dict(activation=activation), {}
    yield 'gated-silu', dict(activation='silu', gated=1), {}
    yield 'gated-relu', dict(gated=1, bias=0, placement='pre'), {}
    yield 'kv-heads', dict(heads=6, kv_heads=2), {}
    for kind in ('head', 'full'):
        for norm in ('layer', 'rms'):
            yield (f'qk-norm-{kind}-{norm}',
                   dict(qk_norm=kind, norm=norm, kv_heads=1), {})
    yield 'soft-cap', dict(soft_cap=0.8), {}
    yield 'rotary', dict(positions='rotary', rotary_base=50), {}
    yield 'learned', dict(positions='learned', max_tokens=7), {}
    yield 'sinusoidal', dict(positions='sinusoidal', max_tokens=7), {}
    yield 'tied', dict(head='tied', placement='pre'), {}
    yield 'label-smoothing', dict(label_smoothing=0.3), {}
    yield ('embed-scale', dict(embed_scale=3.5, embed_init='lecun_normal',
                               gain_embed='0.5', positions='learned',
                               head='tied'), dict(params=True))
    plain = dict(params=True, perturb=0)
    yield ('init-gpt2', dict(init='gpt2', embed_init='gpt2', gated=1,
                             head_init='gpt2', positions='learned',
                             layers=3, placement='pre'), plain)
    yield ('init-bert', dict(init='bert', embed_init='bert', gated=1,
                             head_init='bert', positions='learned'), plain)
    yield ('init-olmo2', dict(init='olmo2', embed_init='olmo2',
                              head_init='olmo2', gain_qk='2*l^-0.5'), plain)
    yield ('together', dict(causal=1, heads=6, kv_heads=3, bias=0,
                            positions='rotary', placement='peri',
                            norm='rms'), dict(masked=1))
    yield ('everything', dict(
        placement='custom', causal=1, heads=6, kv_heads=2, qk_norm='head',
        soft_cap=2, positions='rotary', head='tied', embed_norm=1,
        embed_scale=1.5, activation='gelu_tanh', gated=1,
        label_smoothing=0.2, norm_in=1, norm_out=1, norm_res=1,
        final_norm=1, alpha='0.8', beta='0.7*L^-0.5*l^0.25', kappa='1.3'),
        dict(masked=1))
    for placement in ('post', 'pre', 'peri'):
        yield (f'{placement}-deep', dict(DEEP, placement=placement),
               dict(batch=1, tokens=4, layers=(1, 12, 24)))
    yield ('odd-sizes', dict(layers=3, width=35, heads=5, ffn_width=17,
                             vocab=13, placement='output-norm',
                             activation='gelu', positions='sinusoidal',
                             qk_norm='full', max_batch=4, max_tokens=9),
           dict(batch=3, tokens=7))
    small = dict(SIZE, heads=2, max_tokens=6, placement=None)
    for preset in ('xiong2020-encoder', 'bert-base', 'gpt2-124m',
                   'olmo2-block', 'gemma2-block'):
        kv_heads = dict(kv_heads=1) if preset == 'gemma2-block' else {}
        yield (preset, dict(preset=preset, **small, **kv_heads),
               dict(params=True, perturb=0.05))


def complete(keys, fixture):
    fixture = dict(dict(batch=2, tokens=5, perturb=0.1, ignore=1, masked=0,
                        layers=None, params=False), **fixture)
    keys = {'placement': 'post', **SIZE, 'max_batch': fixture['batch'],
            'max_tokens': fixture['tokens'], 'dtype': 'float64', **keys}
    return ' '.join(f'{key}={value}' for key, value in keys.items()
                    if value is not None), fixture


def evaluate(cfg, seed, fixture):
    params = weights.initial(cfg, seed, fixture['perturb'])
    x, targets, keep = oracle.host_inputs(
        cfg, seed, fixture['batch'], fixture['tokens'], fixture['ignore'],
        fixture['masked'])
    run = torch_model.Run(cfg, {name: torch.tensor(p, requires_grad=True)
                                for name, p in params.items()})
    run.forward(torch.tensor(x),
                None if keep is None else torch.tensor(keep))
    loss, counted = run.loss(torch.tensor(targets))
    loss.backward()
    return params, run, float(loss.detach()), counted


def lines(name, keys, fixture, seed):
    text, fixture = complete(keys, fixture)
    cfg = torch_model.configuration(text)
    params, run, loss, counted = evaluate(cfg, seed, fixture)

    def shown(key):
        part = key.split('.')
        return (part[0] != 'layer' or fixture['layers'] is None
                or int(part[1]) in fixture['layers'])

    gradients = {key: np.zeros(p.shape) if p.grad is None
                 else p.grad.numpy() for key, p in run.p.items()}
    norm = np.sqrt(sum((g**2).sum() for g in gradients.values()))
    yield from (f'case {name}', f'config {text}', f'seed {seed}',
                f"perturb {fixture['perturb']}",
                f"batch {fixture['batch']} tokens {fixture['tokens']}",
                f"ignore {fixture['ignore']}", f"masked {fixture['masked']}",
                'loss %.17g counted %d' % (loss, counted),
                'grad_norm %.17g' % norm)
    for key, g in gradients.items():
        if shown(key):
            yield summary('grad', key, g)
    for key, p in params.items():
        if fixture['params'] and shown(key):
            yield summary('param', key, p)
    for key, x in run.states.items():
        inside = key.startswith('layer') and not key.endswith(INSIDE)
        if not shown(key) or inside:
            continue
        yield summary('state', key, x.detach().numpy())
        if key in COSTATES or key.endswith(INSIDE):
            yield summary('costate', key, x.grad.numpy())


def main():
    torch.set_num_threads(1)
    torch.set_default_dtype(torch.float64)
    path = os.path.join(os.path.dirname(__file__), '..', 'data', 'torch.txt')
    with open(path, 'w') as f:
        for count, (name, keys, fixture) in enumerate(cases(), 1):
            for line in lines(name, keys, fixture, 100 + count):
                f.write(line + '\n')
    print(f'{count} cases')


if __name__ == '__main__':
    main()
