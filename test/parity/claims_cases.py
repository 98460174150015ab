"""What the claims are compared on: configurations, weights and batches."""
import numpy as np

import lnstab
from claims_scene import Scene, configuration


class Case:
    """What is done with a configuration."""

    def __init__(self, text, batch=1, tokens=8, weights='init', masked=None,
                 counted='all', dout=False, seed=1, given=None, x=None,
                 spoilt=False):
        size = f' max_batch={batch} max_tokens={tokens} keep_states=2'
        room = '' if 'krylov=' in text else ' krylov=64'
        self.text = text + size + room
        self.shape, self.weights, self.seed = (batch, tokens), weights, seed
        self.masked, self.counted, self.dout = masked, counted, dout
        self.given, self.x, self.spoilt = given or {}, x, spoilt

    def __str__(self):
        return (f'{self.text} B, T = {self.shape}, weights {self.weights}, '
                f'masked {self.masked}, seed {self.seed}')

    def weigh(self, model, random):
        """init, a factor on every matrix, or random gammas and biases."""
        for name, t in model.tensors('parameter').items():
            if name.split('.')[-1] in self.given:
                model.set(name, np.zeros(t.shape)
                          + self.given[name.split('.')[-1]])
                continue
            noise = random.standard_normal(t.shape)
            matrix = len(t.shape) == 2
            if self.weights == 'init':
                continue
            if self.weights != 'random':
                if matrix and name.startswith('layer.'):
                    model.set(name, t.data * float(self.weights))
            elif matrix:
                model.set(name, t.data + 0.2 * noise)
            else:
                values = noise if name.endswith('gamma') else 0.5 * noise
                if name.endswith('gamma') and 'norm_final' not in name:
                    values[1] = 0
                model.set(name, values)

    def spoil(self, model, random):
        """States and gradients of no model: claims that hold do not."""
        for t in model.tensors().values():
            for values in (t.data if t.role == 'state' else None, t.grad):
                if values is not None:
                    values += 0.3 * random.standard_normal(values.shape)

    def keep(self, random):
        if self.masked is None:
            return None
        keep = random.random(self.shape) < 0.7
        keep[..., -1] = True
        if self.masked == 'first':      # blind queries, under causal
            keep[:, 0] = False
        elif self.masked == 'none':     # one sequence without any key
            keep[-1] = False
        elif self.masked == 'paired':
            keep[len(keep) // 2:] = keep[:len(keep) // 2]
        return keep

    def run(self):
        model = lnstab.Model(self.text)
        cfg = configuration(self.text)
        random = np.random.default_rng(self.seed)
        model.init(self.seed)
        self.weigh(model, random)
        if self.x is not None:
            x = self.x
        elif cfg['input'] == 'embedded':
            x = random.standard_normal(self.shape + (cfg['width'],))
        else:
            x = random.integers(0, cfg['vocab'], self.shape)
        keep = self.keep(random)
        targets = random.integers(0, cfg['vocab'], self.shape)
        counted = np.ones(self.shape, bool)
        if self.counted == 'some':
            counted = random.random(self.shape) < 0.7
            counted[0, 0] = True
        elif self.counted == 'one':
            counted[:] = False
            counted[0, -1] = True
        model.forward(x, keep)
        model.loss(np.where(counted, targets, cfg['ignore_index']))
        dout = random.standard_normal(self.shape + (cfg['width'],))
        model.backward(dout if self.dout else None)
        if self.spoilt:
            self.spoil(model, random)
        return Scene(model, self.text, keep, counted, not self.dout)


SMALL = 'width=8 ffn_width=12 vocab=11 input=embedded dtype=float64 '
WIDE = 'width=12 ffn_width=20 vocab=11 input=embedded dtype=float64 '
THEORY = ('heads=1 bias=0 out_proj=0 gain_qk=0 eps=0 width=16 ffn_width=16 '
          'vocab=600 input=embedded dtype=float64 ')
CUSTOM = 'placement=custom '


def cases():
    yield from settings()
    yield from placements()
    yield from branches()
    yield from scores()
    yield from rows()
    yield from weights()
    yield from others()


def settings():
    """Where the theory holds."""
    for name in ('post', 'pre'):
        for norm in ('layer', 'rms'):
            yield Case(THEORY + f'placement={name} layers=2 norm={norm}')
    yield Case(THEORY + 'placement=pre layers=3', counted='some', seed=3)
    yield Case(THEORY + 'placement=post layers=1', counted='one')
    yield Case(THEORY + 'placement=pre layers=1', tokens=1)
    yield Case(THEORY + 'placement=post layers=2', batch=2, tokens=3)
    yield Case(THEORY + 'placement=pre layers=2', weights='10')
    for name in ('none', 'peri', 'output-norm', 'deepnorm', 'ln-scaling',
                 'mix'):
        for counted in ('all', 'some', 'one'):
            yield Case(f'placement={name} layers=2 gain_qk=0 heads=2 width=16 '
                       'ffn_width=24 vocab=600 input=embedded dtype=float64',
                       counted=counted)
    yield Case('placement=peri layers=2 gain_qk=0 width=16 ffn_width=32 '
               'vocab=600 heads=4 embed_norm=1 init=xavier_uniform eps=0 '
               'ffn.beta=0.5 layer.2.attn.norm_out=0 dtype=float64 bias=0')


def placements():
    """Each with random gammas and biases."""
    for name in ('none', 'post', 'pre', 'peri', 'output-norm', 'deepnorm',
                 'ln-scaling', 'mix'):
        for norm in ('layer', 'rms'):
            yield Case(SMALL + f'placement={name} layers=2 norm={norm} '
                       'heads=2 vocab=11', batch=2, tokens=3,
                       weights='random', seed=len(name))


def branches():
    pre, none, peri = (SMALL + f'placement={name} ' for name in
                       ('pre', 'none', 'peri'))
    yield Case(pre + 'layers=2 heads=4 kv_heads=2 causal=1', batch=2,
               masked='first', weights='random')
    yield Case(none + 'layers=2 heads=4 kv_heads=1 out_proj=0', batch=2,
               tokens=3, weights='0.1')
    yield Case(WIDE + 'placement=none layers=2 heads=2 out_proj=0 causal=1',
               batch=2, tokens=3, masked='first', weights='random')
    yield Case(pre + 'layers=1 heads=2 positions=rotary activation=gelu',
               batch=2, tokens=3, weights='random')
    yield Case(none + 'layers=1 heads=2 positions=rotary activation=silu '
               'soft_cap=2 causal=1', tokens=8, weights='random')
    yield Case(pre + 'layers=2 soft_cap=0.5 activation=gelu_tanh', batch=4,
               tokens=3, masked='paired', weights='random')
    yield Case(peri + 'layers=1 soft_cap=1 heads=2', tokens=3,
               weights='random')
    yield Case(none + 'layers=1 heads=2 gain_qk=0', batch=4, tokens=8,
               masked='none', weights='0.1')
    yield Case(none + 'layers=2 heads=2 gain_qk=0 causal=1', batch=2,
               tokens=8, weights='10')
    yield Case(peri + 'layers=1 gated=1 activation=silu', batch=2, tokens=3,
               weights='random')
    yield Case(peri + 'layers=1 qk_norm=head heads=2', batch=2, tokens=3)
    yield Case(SMALL + 'placement=post layers=2 eps=0.1', batch=2, tokens=1,
               weights='random')
    yield Case(SMALL + 'placement=pre layers=2 eps=0', batch=4, tokens=3,
               weights='10')


def scores():
    """Attention whose scores do not all depend on the input, or on the key."""
    one = np.eye(4)
    none = ('placement=none layers=1 width=4 ffn_width=4 vocab=5 alpha=0 '
            'out_proj=0 input=embedded dtype=float64 ')
    # What a bias of the keys does to the slope: more than all the rest.
    yield Case(none + 'soft_cap=0.02', tokens=2,
               given=dict(w_q=one, w_k=one / 2, w_v=one, b_k=50 * one[2]),
               x=np.array([[0.3 * one[1], 0.3 * one[0]]]))
    yield Case(none + 'positions=rotary', tokens=2,
               given=dict(w_q=40 * one, w_k=0, w_v=one, b_k=9 * one[2]),
               x=np.array([[0.1 * one[1], -0.1 * one[1]]]))
    for given in (dict(w_q=0), dict(w_q=0, b_q=0), dict(w_k=0)):
        for more in ('', 'positions=rotary ', 'causal=1 '):
            yield Case(SMALL + more + 'placement=pre layers=1 heads=2',
                       batch=4, tokens=3, weights='random', given=given)


def rows():
    """Rows of the residual equation, by key."""
    yield Case(WIDE + CUSTOM + 'norm_in=1 norm_out=1 norm_res=1 layers=2 '
               'final_norm=1 alpha=0.8 beta=-0.7*L^-0.5 kappa=1.3', batch=2,
               tokens=3, weights='random')
    yield Case(WIDE + CUSTOM + 'norm_out=1 alpha=-0.9 kappa=-0.5 layers=3 '
               'norm=rms heads=2 layer.2.ffn.norm_out=0 '
               'layer.3.attn.norm_res=1', batch=2, tokens=3,
               weights='random', counted='some')
    yield Case(SMALL + CUSTOM + 'norm_res=1 eps=0.1 bias=0 layers=2 beta=0.3 '
               'embed_norm=1', batch=2, tokens=3, dout=True)
    yield Case('placement=peri layers=2 width=8 ffn_width=8 vocab=11 '
               'dtype=float64 embed_norm=1 positions=learned attn.beta=0.5 '
               'layer.2.ffn.kappa=2', tokens=8, weights='random')


def weights():
    """Float32, and what is small or large."""
    for name in ('peri', 'pre', 'post'):
        yield Case(f'placement={name} layers=2 width=8 ffn_width=12 vocab=11 '
                   'input=embedded dtype=float32 heads=2', batch=2, tokens=3,
                   weights='random')
    yield Case(SMALL + 'placement=peri layers=2 eps=0', tokens=3,
               weights='0.1')
    yield Case(SMALL + 'placement=peri layers=2 eps=0.1', tokens=3,
               weights='10', counted='one')
    yield Case(SMALL + 'placement=output-norm layers=2 out_proj=0', tokens=8,
               weights='0.1')


def others():
    """Without Lanczos vectors; with states that no model has."""
    for name in ('peri', 'pre', 'post', 'none'):
        yield Case(SMALL + f'placement={name} layers=2 krylov=0', batch=2,
                   tokens=3)
        yield Case(SMALL + f'placement={name} layers=2 krylov=0', tokens=8,
                   spoilt=True)
