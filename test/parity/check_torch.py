"""The library against PyTorch: every state, loss, gradient and costate.

    check_torch.py [-q] [NAME...]       all sections, or some; -q: faults only

A line is: comparison, type, arrays compared, worst error over tolerance,
where. The run ends with the first section that has a ratio above 1: the
rest would only repeat it.
"""
import os
import sys
import time

for variable in ('OPENBLAS_NUM_THREADS', 'OMP_NUM_THREADS'):
    os.environ.setdefault(variable, '1')

import numpy as np                                          # noqa: E402
import torch                                                # noqa: E402
from torch import nn                                        # noqa: E402
from torch.nn import functional                             # noqa: E402

import compare                                              # noqa: E402
import lnstab                                               # noqa: E402
import torch_model                                          # noqa: E402
import weights                                              # noqa: E402
from compare import Scene, Worst, array, largest            # noqa: E402

SMALL = ('layers=2 width=12 ffn_width=17 heads=3 vocab=11 max_batch=3 '
         'max_tokens=7 keep_states=2 ')
PLACEMENTS = ('none', 'post', 'pre', 'peri', 'output-norm', 'deepnorm',
              'ln-scaling', 'mix', 'custom')
CUSTOM = ('norm_in=1 norm_out=1 norm_res=1 final_norm=1 alpha=0.8 '
          'beta=0.7*L^-0.5*l^0.25 kappa=1.3 ')
OPTIONS = (
    'activation=gelu', 'activation=gelu_tanh', 'activation=silu',
    'gated=1', 'gated=1 activation=silu', 'gated=1 activation=gelu_tanh',
    'gated=1 bias=0', 'bias=0', 'out_proj=0', 'causal=1', 'heads=12',
    'heads=1', 'heads=6 kv_heads=1', 'heads=6 kv_heads=2',
    'heads=6 kv_heads=3', 'qk_norm=head', 'qk_norm=full',
    'qk_norm=head kv_heads=1', 'qk_norm=full kv_heads=1', 'soft_cap=0.5',
    'soft_cap=50', 'soft_cap=1000000', 'positions=learned',
    'positions=sinusoidal', 'positions=rotary',
    'positions=rotary rotary_base=500000', 'positions=rotary rotary_base=1',
    'positions=rotary qk_norm=head kv_heads=1', 'input=embedded',
    'input=embedded positions=learned', 'input=embedded embed_norm=1',
    'input=embedded positions=sinusoidal width=9', 'embed_norm=1',
    'embed_scale=3.7', 'embed_scale=3.7 positions=learned head=tied',
    'embed_scale=0', 'final_norm=0', 'final_norm=1', 'head=tied',
    'head=none', 'label_smoothing=0.1', 'label_smoothing=1',
    'ignore_index=3', 'ignore_index=3 label_smoothing=0.3', 'eps=0.1',
    'kappa=0.7', 'alpha=1.5', 'beta=0.3*L^-0.5', 'gain_qk=0', 'init=gpt2',
    'init=bert embed_init=bert', 'init=olmo2 head_init=olmo2',
    'max_tokens=1', 'max_batch=1', 'vocab=1', 'ffn_width=1', 'layers=1')


QUIET = '-q' in sys.argv


def report(name, dtype, worst):
    if not (QUIET and worst.ratio <= 1):
        print(f'{name:58.58s} {dtype:7s} {worst.count:5d} {worst.ratio:9.2e} '
              f' {worst.where}', flush=True)
    return worst.ratio


def both(text, name=None, **scene):
    """A configuration in the two types."""
    for seed, dtype in enumerate(compare.TOLERANCE, 5):
        worst = compare.compare(Scene(f'{text} dtype={dtype}', seed, **scene))
        yield report(name or text, dtype, worst)


def with_last(words):
    """Words of which the last of a key counts."""
    return ' '.join({w.split('=')[0]: w for w in words.split()}.values())


# ---- the model of the formulas

def placements():
    """Every placement with both norms; 24 layers."""
    for placement in PLACEMENTS:
        custom = CUSTOM if placement == 'custom' else ''
        for norm in ('layer', 'rms'):
            text = f'{SMALL} {custom} placement={placement} norm={norm}'
            for masked in (False, True):
                yield from both(text, f'{placement} {norm}'
                                + ' masked' * masked, batch=2, tokens=6,
                                masked=masked, ignore=True)
    for placement in ('post', 'pre', 'peri'):
        for options in ('', 'activation=gelu', 'norm=rms gated=1 causal=1'):
            yield from both(with_last(f'{SMALL} layers=24 {options} '
                                      f'placement={placement}'),
                            f'{placement} 24 layers {options}', batch=2)


def options():
    """Each option alone, with and without what hides keys."""
    for k, option in enumerate(OPTIONS):
        placement = ('post', 'pre', 'peri')[k % 3]
        text = with_last(f'placement={placement} {SMALL} {option}')
        yield from both(text, f'{placement} {option}', ignore=True)
        yield from both(with_last(f'{text} causal=1'),
                        f'{placement} {option} causal masked', masked=True)


def some_rule(random):
    return (f'{0.5 + random.random():.3f}*L^{random.choice([0, -0.5])}'
            f'*l^{random.choice([0, 0.25, -0.5])}')


def random_words(random):
    """A configuration that the table of keys allows."""
    def one(*values):
        return values[random.integers(len(values))]
    heads, size = one(1, 2, 3, 4, 6), one(2, 3, 4, 5, 6, 7, 8)
    positions = one('none', 'learned', 'sinusoidal', 'rotary')
    size += size % 2 if positions == 'rotary' else 0
    given = one('tokens', 'tokens', 'embedded')
    head = one('none', 'separate', 'tied', 'tied')
    recompute = one('none', 'none', 'attention', 'nonlinear', 'blocks')
    placement = one(*PLACEMENTS)
    words = dict(
        placement=placement, layers=one(1, 2, 3), width=heads * size,
        heads=heads, ffn_width=one(1, 5, 13, 31),
        kv_heads=one(*(k for k in range(1, heads + 1) if heads % k == 0)),
        vocab=one(2, 7, 19), max_batch=one(1, 2, 3, 5),
        max_tokens=one(1, 2, 5, 9), norm=one('layer', 'rms'),
        eps=one('1e-5', '1e-6', '0.1'), embed_norm=one(0, 1), bias=one(0, 1),
        out_proj=one(0, 1), causal=one(0, 1),
        qk_norm=one('none', 'head', 'full'), soft_cap=one(0, 0, 1.5, 30),
        activation=one('relu', 'gelu', 'gelu_tanh', 'silu'), gated=one(0, 1),
        positions=positions, rotary_base=one(10000, 500, 1), input=given,
        head='separate' if (head, given) == ('tied', 'embedded') else head,
        embed_scale=one(1, 2.5), label_smoothing=one(0, 0.1, 0.6),
        ignore_index=one(-100, -1, 1), recompute=recompute,
        keep_states=one(2, 2, 1, 0) if recompute == 'none' else 0,
        init=one('xavier_normal', 'xavier_uniform', 'lecun_normal'))
    if placement == 'custom' or random.random() < 0.2:
        for key in torch_model.NORM_KEYS + ('final_norm',):
            words[key] = one(0, 1)
    for key in ('kappa', 'alpha', 'beta', 'gain_v', 'gain_qk', 'gain_w2'):
        if random.random() < 0.25:
            words[key] = some_rule(random)
    if placement == 'mix':
        words['mix_fraction'] = one(0, 0.34, 0.67, 1)
    return words


def combinations(count=150):
    """Random combinations; B and T below the maxima; kept or made anew."""
    random = np.random.default_rng(20201117)
    for k in range(count):
        words = random_words(random)
        scene = dict(batch=int(random.integers(1, words['max_batch'] + 1)),
                     tokens=int(random.integers(1, words['max_tokens'] + 1)))
        for key in ('masked', 'ignore', 'dout'):
            scene[key] = bool(random.integers(2))
        for dtype in compare.TOLERANCE:
            text = ' '.join(f'{key}={value}' for key, value in words.items())
            worst = compare.compare(Scene(f'{text} dtype={dtype}', k,
                                          **scene))
            ratio = report(f'combination {k}: {text}', dtype, worst)
            if ratio > 1:
                print(f'    {text} seed={k} {scene}')
            yield ratio


def presets():
    """At full width, but for vocabulary and length; states only."""
    listed = lnstab.table('presets', 'name')
    if listed and {name for name, in listed} != set(torch_model.PRESETS):
        print('presets:', *listed)
        yield float('inf')
    for name in torch_model.PRESETS:
        if name != 'none':
            wide = torch_model.PRESETS[name]['width'] > 1024
            text = (f'preset={name} layers={1 if wide else 2} vocab=29 '
                    'max_tokens=6 max_batch=2 gradients=0 keep_states=1 '
                    'dtype=float64')
            worst = compare.compare(Scene(text, 3, noise=0, masked=True))
            yield report(f'preset {name}', 'float64', worst)


def starts():
    """Initial weights, and every key of the presets' initialisation."""
    schemes = ('xavier_normal', 'xavier_uniform', 'lecun_normal',
               'unit_normal', 'gpt2', 'bert', 'olmo2')
    texts = [f'{SMALL} kv_heads=1 gated=1 positions=learned gain_embed=0.7 '
             f'init={s} head_init={s} embed_init={s}' for s in schemes]
    texts += [f'preset={name} layers=2 width=24 heads=2 kv_heads=1 '
              'ffn_width=10 vocab=7 max_tokens=5'
              for name in torch_model.PRESETS]
    texts += [f'{SMALL} gated=1 placement=deepnorm init=gpt2',
              f'{SMALL} gain_qk=0 gain_v=0.5*l^1 gain_o=2 gain_w1=3*L^1 '
              'gain_w2=0.1*L^-0.5']
    for text in texts:
        worst = Worst(1e-13)
        text = with_last(text + ' dtype=float64')
        with lnstab.Model(text) as model:
            model.init((3 << 32) + 11)
            held = {n: t.data.copy()
                    for n, t in model.tensors('parameter').items()}
        wanted = weights.initial(torch_model.configuration(text),
                                 (3 << 32) + 11)
        if set(held) != set(wanted):
            worst.fault('only one side has '
                        + ' '.join(set(held) ^ set(wanted)))
        else:
            for name, p in wanted.items():
                worst.add(name, held[name], p)
        yield report('start ' + text, 'float64', worst)


# ---- PyTorch's own modules

def encoder_layer(cfg, layer, params):
    """The library's layer as nn.TransformerEncoderLayer."""
    first = cfg['placement'] == 'pre'
    module = nn.TransformerEncoderLayer(
        cfg['width'], cfg['heads'], cfg['ffn_width'], dropout=0.0,
        activation=cfg['activation'], layer_norm_eps=cfg['eps'],
        batch_first=True, norm_first=first)
    place = 'norm_in' if first else 'norm_res'
    attn, ffn = (f'layer.{layer}.{name}.' for name in ('attn', 'ffn'))
    names = {
        'self_attn.in_proj_weight': [attn + 'w_' + key for key in 'qkv'],
        'self_attn.in_proj_bias': [attn + 'b_' + key for key in 'qkv'],
        'self_attn.out_proj.weight': [attn + 'w_o'],
        'self_attn.out_proj.bias': [attn + 'b_o'],
        'linear1.weight': [ffn + 'w_1'], 'linear1.bias': [ffn + 'b_1'],
        'linear2.weight': [ffn + 'w_2'], 'linear2.bias': [ffn + 'b_2'],
        'norm1.weight': [f'{attn}{place}.gamma'],
        'norm1.bias': [f'{attn}{place}.bias'],
        'norm2.weight': [f'{ffn}{place}.gamma'],
        'norm2.bias': [f'{ffn}{place}.bias']}
    module.load_state_dict({
        own: torch.tensor(np.concatenate([params[n] for n in theirs]))
        for own, theirs in names.items()})
    return module.double(), names


def run_encoder(model, scene, worst):
    """States between layers, gradients of input and parameters."""
    cfg, held = scene.cfg, model.tensors()
    params = {n: t.data for n, t in held.items() if t.role == 'parameter'}
    start = x = torch.tensor(scene.x).double().requires_grad_(True)
    hidden, layers = None, []
    if scene.keep is not None:
        hidden = ~torch.tensor(scene.keep)
    causal = None
    if cfg['causal']:
        causal = torch.triu(torch.ones(scene.tokens, scene.tokens,
                                       dtype=torch.bool), 1)
    for layer in range(1, cfg['layers'] + 1):
        module, names = encoder_layer(cfg, layer, params)
        x = module(x, src_mask=causal, src_key_padding_mask=hidden)
        worst.add(f'layer {layer}', held[f'layer.{layer}.ffn.out'].data,
                  array(x))
        layers.append((module, names))
    x.backward(torch.tensor(scene.dout).double())
    worst.add('d embed.in', held['embed.in'].grad, array(start.grad))
    pairs = [(theirs, array(module.get_parameter(own).grad))
             for module, names in layers for own, theirs in names.items()]
    top = largest(g for _, g in pairs)
    for theirs, g in pairs:
        worst.add('d ' + ' '.join(theirs),
                  np.concatenate([held[n].grad for n in theirs]), g, top)


def encoders():
    """nn.TransformerEncoderLayer, norm_first both ways."""
    for placement in ('post', 'pre'):
        for activation in ('relu', 'gelu'):
            for hides in ('', 'causal=1', 'padded', 'causal=1 padded'):
                for dtype, tolerance in compare.TOLERANCE.items():
                    text = (f'placement={placement} final_norm=0 '
                            f'activation={activation} layers=3 width=20 '
                            'heads=4 ffn_width=33 max_batch=3 max_tokens=8 '
                            'input=embedded head=none keep_states=2 '
                            f'dtype={dtype} '
                            + hides.replace('padded', ''))
                    scene = Scene(text, 9)
                    if 'padded' in hides:
                        # Padding stands at the end: every query sees a key.
                        lengths = np.array([[8], [3], [5]])
                        scene.keep = np.arange(8)[None, :] < lengths
                    worst = Worst(tolerance)
                    with lnstab.Model(text) as model:
                        model.init(9)
                        compare.disturb(model, scene)
                        compare.run_library(model, scene)
                        run_encoder(model, scene, worst)
                    yield report('nn.TransformerEncoderLayer '
                                 f'{placement} {activation} {hides}', dtype,
                                 worst)


def norm_case(width, eps, shift, dtype):
    """lnstab_norm against nn.LayerNorm, in rows further apart than width."""
    random = np.random.default_rng(width)
    kind = np.dtype(dtype)

    def rows(move=0.0):
        wide = (move + random.standard_normal((7, width + 3))).astype(kind)
        return wide[:, :width]
    x, dy, y, dx = rows(shift), rows(), rows(), rows()
    x[2] = 0.5
    gamma, bias, dgamma, dbias = random.standard_normal(
        (4, width)).astype(kind)
    before = dgamma.astype(np.float64), dbias.astype(np.float64)
    with lnstab.Norm(f'norm=layer width={width} eps={eps} dtype={dtype}',
                     gamma, bias) as norm:
        norm.forward(x, y)
        norm.backward(x, dy, dx, dgamma, dbias)
    module = nn.LayerNorm(width, eps)
    module.load_state_dict({'weight': torch.tensor(gamma),
                            'bias': torch.tensor(bias)})
    module = module.double()
    start = torch.tensor(x, dtype=torch.float64, requires_grad=True)
    output = module(start)
    output.backward(torch.tensor(dy, dtype=torch.float64))
    rstd = 1 / np.sqrt(x.astype(np.float64).var(1) + eps)
    unit = largest([gamma]) * largest([dy]) * rstd
    worst = Worst(compare.TOLERANCE[dtype])
    worst.add('y', y, array(output) if width > 1 else 0 * y + bias,
              largest([array(output)]))
    worst.add('dx in units of gamma dy/s', dx / unit[:, None],
              array(start.grad) / unit[:, None], 1.0)
    # A row of one entry is its own mean; PyTorch has rounding there.
    worst.add('dgamma', dgamma,
              before[0] + array(module.weight.grad) * (width > 1))
    worst.add('dbias', dbias, before[1] + array(module.bias.grad))
    return worst


def norms():
    """nn.LayerNorm."""
    for width in (1, 2, 3, 7, 64, 1000):
        for eps in (1e-5, 1e-12, 0.3):
            for shift in (0, 100):
                for dtype in compare.TOLERANCE:
                    yield report(f'nn.LayerNorm {width} eps {eps} '
                                 f'mean {shift}', dtype,
                                 norm_case(width, eps, shift, dtype))


def softmaxes():
    """torch.softmax of the library's own queries and keys."""
    for gain in (0, 1, 10, 100):
        for causal in (0, 1):
            for dtype, tolerance in compare.TOLERANCE.items():
                text = (f'layers=1 width=15 heads=3 max_batch=2 max_tokens=9 '
                        f'input=embedded head=none gain_qk={gain} '
                        f'causal={causal} keep_states=2 dtype={dtype}')
                scene = Scene(text, 4)
                worst = Worst(tolerance)
                with lnstab.Model(text) as model:
                    model.init(4)
                    compare.run_library(model, scene)
                    held = model.tensors('state')
                    q, k = (torch.tensor(held['layer.1.attn.' + name].data)
                            .double().reshape(2, 9, 3, 5).transpose(1, 2)
                            for name in 'qk')
                    scores = q @ k.transpose(-1, -2) * (1 / np.sqrt(5.0))
                    if causal:
                        scores += torch.triu(torch.full(
                            (9, 9), -torch.inf), 1)
                    # float32 scores of this size have this error already.
                    size = max(1.0, float(scores[scores.isfinite()]
                                          .abs().max()) / 30)
                    worst.add('weights', held['layer.1.attn.weights'].data,
                              array(torch.softmax(scores, -1)), size)
                yield report(f'torch.softmax gain_qk {gain} causal {causal}',
                             dtype, worst)


def loss_case(text, seed, targets_of, dtype):
    scene = Scene(text, seed)
    cfg, worst = scene.cfg, Worst(compare.TOLERANCE[dtype])
    scene.targets = targets_of(scene)
    with lnstab.Model(text) as model:
        model.init(seed)
        loss, counted = compare.run_library(model, scene)
        held = model.tensors()
        output = torch.tensor(held['output'].data).double() \
            .requires_grad_(True)
        head = torch.tensor(held['head.w'].data).double() \
            .requires_grad_(True)
        logits = (output @ head.T).transpose(1, 2)
        targets = torch.tensor(scene.targets)
        said = dict(ignore_index=cfg['ignore_index'],
                    label_smoothing=float(cfg['label_smoothing']))
        each = functional.cross_entropy(logits, targets, reduction='none',
                                        **said)
        mean = functional.cross_entropy(logits, targets, **said)
        worst.add('token_loss', held['token_loss'].data, array(each))
        if counted:
            worst.add('loss', loss, array(mean))
            mean.backward()
            top = max(largest([array(head.grad)]),
                      largest([array(output.grad)]))
            worst.add('d head.w', held['head.w'].grad, array(head.grad), top)
            worst.add('d output', held['output'].grad, array(output.grad),
                      top)
        elif loss or held['head.w'].grad.any():
            # PyTorch's mean of nothing is NaN, the library's is 0.
            worst.fault(f'none counted, loss {loss}')
        if counted != int((targets != cfg['ignore_index']).sum()):
            worst.fault(f'counted {counted}')
    return worst


def losses():
    """cross_entropy with ignore_index and label_smoothing."""
    def some(scene):
        return np.where(scene.random.random(scene.targets.shape) < 0.4,
                        scene.cfg['ignore_index'], scene.targets)
    kinds = {'all': lambda scene: scene.targets, 'some': some,
             'none': lambda scene: np.full_like(scene.targets,
                                                scene.cfg['ignore_index'])}
    for smoothing in (0, 0.1, 0.9, 1):
        for ignore in (-100, 0, 3):
            for name, targets_of in kinds.items():
                for dtype in compare.TOLERANCE:
                    text = ('placement=pre layers=1 width=6 vocab=13 '
                            'max_batch=2 max_tokens=9 keep_states=2 '
                            f'ignore_index={ignore} dtype={dtype} '
                            f'label_smoothing={smoothing}')
                    worst = loss_case(text, 8, targets_of, dtype)
                    yield report(f'cross_entropy smoothing {smoothing} '
                                 f'ignore {ignore} counted {name}', dtype,
                                 worst)


# ---- mistakes, which have to be found out

class UnbiasedVariance(torch_model.Run):
    def spread(self, x):
        square = (x * x).sum(-1, keepdim=True) / (x.shape[-1] - 1)
        return torch.sqrt(square + self.cfg['eps'])


class EpsOutside(torch_model.Run):
    def spread(self, x):
        return torch.sqrt((x * x).mean(-1, keepdim=True)) + self.cfg['eps']


class MissingResidual(torch_model.Run):
    @staticmethod
    def update(coefficient, x, y):
        return coefficient['beta'] * y + 0 * x


class SwappedCoefficients(torch_model.Run):
    @staticmethod
    def update(coefficient, x, y):
        return coefficient['beta'] * x + coefficient['alpha'] * y


class LastRowDropped(torch_model.Run):
    def loss(self, targets):
        mean, counted = super().loss(targets)
        return mean - self.states['token_loss'][-1, -1] / counted, counted


class PositionsOffByOne(torch_model.Run):
    def added_positions(self, count):
        return super().added_positions(count + 1)[1:]


class RotaryOffByOne(torch_model.Run):
    def times(self, count):
        return super().times(count) + 1


class MaskOffByOne(torch_model.Run):
    def visible(self, count, keep):
        return torch.tril(torch.ones(1, 1, count, count), 1).bool()


class TiedTwice(torch_model.Run):
    def head(self):
        table = super().head()
        return 2 * table - table.detach()


class HeadsInterleaved(torch_model.Run):
    def by_heads(self, x):
        size = self.cfg['width'] // self.cfg['heads']
        held = x.shape[-1] // size
        mine = [h % held for h in range(self.cfg['heads'])]
        return x.reshape(*x.shape[:2], held, size)[:, :, mine] \
            .transpose(1, 2)


MISTAKES = {
    UnbiasedVariance: '', EpsOutside: 'eps=0.1', MissingResidual: '',
    SwappedCoefficients: 'placement=deepnorm', LastRowDropped: '',
    PositionsOffByOne: 'positions=sinusoidal',
    RotaryOffByOne: 'positions=rotary', MaskOffByOne: 'causal=1',
    TiedTwice: 'head=tied', HeadsInterleaved: 'heads=6 kv_heads=2'}


def mistakes():
    """A comparison that cannot fail is none: each mistake, made on PyTorch's
    side, is seen, in float32 as well."""
    for kind, option in MISTAKES.items():
        for dtype in compare.TOLERANCE:
            text = with_last(f'{SMALL} {option} dtype={dtype}')
            worst = compare.compare(Scene(text, 6), kind=kind)
            seen = worst.ratio > 1
            if not (QUIET and seen):
                print(f'mistake {kind.__name__:50s} {dtype:7s} '
                      f'{worst.count:5d} {worst.ratio:9.2e}  '
                      + (worst.where if seen else 'was not caught'))
            yield 0.0 if seen else float('inf')


SECTIONS = (placements, options, combinations, encoders, norms, softmaxes,
            losses, starts, presets, mistakes)


def main():
    known = {section.__name__: section for section in SECTIONS}
    for name in [n for n in sys.argv[1:] if n != '-q'] or known:
        began = time.monotonic()
        ratios = list(known[name]())
        wrong = sum(not ratio <= 1 for ratio in ratios)
        print(f'{name}: {len(ratios)} comparisons, {wrong} beyond tolerance, '
              f'worst {max(ratios):.2e}, '
              f'{time.monotonic() - began:.1f} s', flush=True)
        if wrong:
            sys.exit(1)


if __name__ == '__main__':
    main()
