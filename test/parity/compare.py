"""One configuration through the library and through PyTorch."""
import numpy as np
import torch

import lnstab
import torch_model

torch.set_num_threads(1)
torch.set_default_dtype(torch.float64)
TOLERANCE = {'float64': 1e-10, 'float32': 1e-5}


def largest(arrays):
    return max((float(np.abs(a).max()) for a in arrays if np.size(a)),
               default=0.0)


class Worst:
    """The worst error over tolerance, and where it is."""

    def __init__(self, tolerance):
        self.tolerance, self.ratio, self.where = tolerance, 0.0, '-'
        self.count = 0

    def add(self, where, got, wanted, scale=None):
        """scale: what the error is judged by; the largest entry itself."""
        got, wanted = (np.asarray(a, np.float64) for a in (got, wanted))
        self.count += 1
        if got.shape != wanted.shape:
            self.fault(f'{where} is {got.shape}, not {wanted.shape}')
            return
        if got.size == 0:
            return
        error = np.abs(got - wanted).max()
        scale = largest([wanted]) if scale is None else scale
        ratio = error / (self.tolerance * scale) if error else 0.0
        if not ratio <= self.ratio:     # NaN counts as worse
            self.ratio, self.where = ratio, where

    def fault(self, what):
        self.ratio, self.where = float('inf'), what


class Scene:
    """A batch for a configuration: what both sides are given."""

    def __init__(self, text, seed, batch=None, tokens=None, masked=False,
                 ignore=False, dout=False, noise=0.1):
        self.text, self.seed, self.noise = text, seed, noise
        self.cfg = cfg = torch_model.configuration(text)
        random = np.random.default_rng(seed)
        self.batch = batch or cfg['max_batch']
        self.tokens = tokens or cfg['max_tokens']
        shape = self.batch, self.tokens
        kind = np.dtype(cfg['dtype'])
        if cfg['input'] == 'tokens':
            self.x = random.integers(0, cfg['vocab'], shape)
        else:
            self.x = random.standard_normal(
                shape + (cfg['width'],)).astype(kind)
        self.targets = random.integers(0, cfg['vocab'], shape)
        if ignore:
            self.targets[random.random(shape) < 0.3] = cfg['ignore_index']
        self.keep = None
        if masked:
            self.keep = random.random(shape) < 0.7
            self.keep[0] = False
        self.dout = None
        if dout or cfg['head'] == 'none':
            self.dout = random.standard_normal(
                shape + (cfg['width'],)).astype(kind)
        self.random = random


def disturb(model, scene):
    """Biases and gammas that matter; rounded to the model's type."""
    for name, t in model.tensors('parameter').items():
        noise = scene.random.standard_normal(t.shape)
        model.set(name, t.data + scene.noise * noise)


def stale(model, scene):
    """Another batch first, as large as there is room for."""
    shape = scene.cfg['max_batch'], scene.cfg['max_tokens']
    if scene.cfg['input'] == 'embedded':
        shape += (scene.cfg['width'],)
    model.forward(np.zeros(shape))
    model.backward(np.ones(shape[:2] + (scene.cfg['width'],)))
    model.zero_grads()


def run_library(model, scene):
    model.forward(scene.x, scene.keep)
    loss, counted = None, None
    if scene.cfg['head'] != 'none':
        loss, counted = model.loss(scene.targets)
    if scene.cfg['gradients']:
        model.backward(scene.dout)
    return loss, counted


def run_torch(scene, params, dtype=torch.float64, kind=torch_model.Run):
    """The same from copies of the parameters: (run, loss, counted)."""
    needed = bool(scene.cfg['gradients'])
    leaves = {name: torch.tensor(p, dtype=dtype, requires_grad=needed)
              for name, p in params.items()}
    x = torch.tensor(scene.x)
    if scene.cfg['input'] == 'embedded':
        x = x.to(dtype).requires_grad_(needed)
    keep = None if scene.keep is None else torch.tensor(scene.keep)
    run = kind(scene.cfg, leaves)
    output = run.forward(x, keep)
    loss, counted = None, None
    if scene.cfg['head'] != 'none':
        loss, counted = run.loss(torch.tensor(scene.targets))
    if needed:
        if scene.dout is None:
            loss.backward()
        else:
            output.backward(torch.tensor(scene.dout, dtype=dtype))
    return run, loss, counted


def array(x):
    return x.detach().numpy()


def gradient(x):
    return np.zeros(tuple(x.shape)) if x.grad is None else array(x.grad)


def is_costate(name):
    return name not in ('logits', 'token_loss')


def scale_of(name, run, wanted):
    """The largest entry; of a loss, which is a difference of logits, theirs:
    that of a sure target is their rounding."""
    entries = [wanted]
    if name == 'token_loss':
        entries.append(array(run.states['logits']))
    return largest(entries)


def compare_states(worst, model, run, all_kept):
    states = model.tensors('state')
    missing = set(run.states) ^ set(states)
    if missing:
        worst.fault('only one side has ' + ' '.join(sorted(missing)))
        return
    for name, t in states.items():
        if t.data is not None:
            wanted = array(run.states[name])
            worst.add(name, t.data, wanted, scale_of(name, run, wanted))
        elif all_kept:
            worst.fault(f'{name} is not kept')


def tops(run):
    """The largest entry of the gradient, and of the costates."""
    return (largest(gradient(p) for p in run.p.values()),
            largest(gradient(x) for name, x in run.states.items()
                    if is_costate(name)))


def compare_gradients(worst, model, run, all_kept):
    """By the largest entry of the model's gradient, costates by that of all
    costates."""
    top, costate_top = tops(run)
    for name, t in model.tensors('parameter').items():
        worst.add('d ' + name, t.grad, gradient(run.p[name]), top)
    held = model.tensors('state')
    for name, x in run.states.items():
        if held[name].grad is not None:
            worst.add('d ' + name, held[name].grad, gradient(x), costate_top)
        elif is_costate(name) and (all_kept or name in ('embed.in',
                                                        'embed.out')):
            worst.fault(f'{name} has no costate')


def strays(scene, params, run, kind):
    """How far PyTorch's own float32 is from its float64, by the same
    yardstick: that much is the model's condition, and nobody's fault."""
    worst = Worst(TOLERANCE['float32'])
    single, _, _ = run_torch(scene, params, torch.float32, kind)
    top, costate_top = tops(run)
    for name, x in run.states.items():
        worst.add(name, array(single.states[name]), array(x))
        if scene.cfg['gradients'] and is_costate(name):
            worst.add('d ' + name, gradient(single.states[name]), gradient(x),
                      costate_top)
    for name, p in run.p.items():
        worst.add('d ' + name, gradient(single.p[name]), gradient(p), top)
    return worst.ratio


def compare(scene, kind=torch_model.Run):
    """Everything that the library keeps. float32 is compared with PyTorch's
    float64 on the weights that the library rounded; beyond the tolerance, in
    units of four times what PyTorch's float32 strays."""
    dtype = scene.cfg['dtype']
    worst = Worst(TOLERANCE[dtype])
    with lnstab.Model(scene.text) as model:
        model.init(scene.seed)
        if scene.noise:
            disturb(model, scene)
        params = {name: t.data
                  for name, t in model.tensors('parameter').items()}
        if scene.cfg['gradients']:
            stale(model, scene)
        got = run_library(model, scene)
        run, loss, counted = run_torch(scene, params, kind=kind)
        all_kept = scene.cfg['keep_states'] == 2
        compare_states(worst, model, run, all_kept)
        if loss is not None:
            worst.add('loss', got[0], array(loss),
                      scale_of('token_loss', run, array(loss)))
            if got[1] != counted:
                worst.fault(f'counted {got[1]}, not {counted}')
        if scene.cfg['gradients'] and worst.ratio != float('inf'):
            compare_gradients(worst, model, run, all_kept)
        if dtype == 'float32' and 1 < worst.ratio < float('inf'):
            own = strays(scene, params, run, kind)
            if own > 0.25:
                worst.where += (f' {worst.ratio:.1f}, where PyTorch in '
                                f'float32 strays {own:.1f}')
                worst.ratio /= 4 * own
    return worst
