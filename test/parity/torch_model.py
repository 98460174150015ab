"""The model of lnstab in PyTorch, from the formulas of lnstab.h and the table
of keys. Parameters are given by the library's names.

    x' = N_res(alpha x + beta N_out(F(kappa N_in(x))))
"""
import math

import torch

DEFAULTS = dict(
    preset='none', placement='post', layers=6, width=512, ffn_width=None,
    heads=1, kv_heads=None, vocab=1000, max_batch=1, max_tokens=64,
    dtype='float32', norm='layer', eps=1e-5, norm_in=None, norm_out=None,
    norm_res=None, final_norm=None, embed_norm=0, mix_fraction=0.5,
    init='xavier_normal', head_init='lecun_normal', embed_init='unit_normal',
    gain_embed='1', bias=1, out_proj=1, causal=0, qk_norm='none', soft_cap=0,
    activation='relu', gated=0, input='tokens', embed_scale=1,
    positions='none', rotary_base=10000, head='separate', ignore_index=-100,
    label_smoothing=0, gradients=1, keep_states=0, recompute='none')
RULE_KEYS = ('kappa', 'alpha', 'beta', 'gain_qk', 'gain_v', 'gain_o',
             'gain_w1', 'gain_w2')
NORM_KEYS = ('norm_in', 'norm_out', 'norm_res')

# norm_in, norm_out, norm_res, final_norm
ROWS = {'none': (0, 0, 0, 0), 'post': (0, 0, 1, 0), 'pre': (1, 0, 0, 1),
        'peri': (1, 1, 0, 1), 'output-norm': (0, 1, 0, 1),
        'deepnorm': (0, 0, 1, 0), 'ln-scaling': (1, 0, 0, 1),
        'custom': (0, 0, 0, 0)}
DEEPNORM_GAIN = f'{8**-0.25!r}*L^-0.25'
RULES = {'deepnorm': dict(alpha=f'{2**0.25!r}*L^0.25', gain_v=DEEPNORM_GAIN,
                          gain_o=DEEPNORM_GAIN, gain_w1=DEEPNORM_GAIN,
                          gain_w2=DEEPNORM_GAIN),
         'ln-scaling': dict(kappa='l^-0.5')}

# What the published models are, as far as the keys can say it.
BERT = dict(placement='post', norm='layer', eps=1e-12, embed_norm=1,
            vocab=30522, max_tokens=512, activation='gelu',
            positions='learned', head='tied', init='bert', embed_init='bert')
GPT2 = dict(placement='pre', norm='layer', eps=1e-5, causal=1, vocab=50257,
            max_tokens=1024, activation='gelu_tanh', positions='learned',
            head='tied', init='gpt2', embed_init='gpt2')
PRESETS = {
    'none': {},
    'xiong2020-encoder': dict(
        placement='post', layers=6, width=512, heads=8, ffn_width=2048,
        vocab=32768, max_tokens=512, positions='sinusoidal', head='tied',
        activation='relu', init='xavier_normal', embed_init='lecun_normal',
        embed_scale=math.sqrt(512)),
    'bert-base': dict(BERT, layers=12, width=768, heads=12, ffn_width=3072),
    'bert-large': dict(BERT, layers=24, width=1024, heads=16,
                       ffn_width=4096),
    'gpt2-124m': dict(GPT2, layers=12, width=768, heads=12),
    'gpt2-355m': dict(GPT2, layers=24, width=1024, heads=16),
    'gpt2-774m': dict(GPT2, layers=36, width=1280, heads=20),
    'gpt2-1.5b': dict(GPT2, layers=48, width=1600, heads=25),
    'olmo2-block': dict(
        placement='output-norm', norm='rms', eps=1e-6, causal=1, bias=0,
        layers=16, width=2048, heads=16, ffn_width=8192, vocab=100352,
        max_tokens=4096, qk_norm='full', activation='silu', gated=1,
        positions='rotary', rotary_base=500000, head='separate',
        init='olmo2', head_init='olmo2', embed_init='olmo2'),
    'gemma2-block': dict(
        placement='peri', norm='rms', eps=1e-6, causal=1, bias=0, layers=26,
        width=2304, heads=8, kv_heads=4, ffn_width=9216, vocab=256000,
        max_tokens=8192, soft_cap=50, activation='gelu_tanh', gated=1,
        positions='rotary', rotary_base=10000, head='tied',
        embed_scale=math.sqrt(2304))}


def number(text):
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


def configuration(text):
    """Every key in force; those of the rows only if they were set."""
    words = dict(word.split('=', 1) for word in text.split())
    said = {key: value if key in RULE_KEYS + ('gain_embed',)
            else number(value) for key, value in words.items()}
    cfg = {**DEFAULTS, **PRESETS[said.get('preset', 'none')], **said}
    if cfg['ffn_width'] is None:
        cfg['ffn_width'] = 4 * cfg['width']
    if cfg['kv_heads'] is None:
        cfg['kv_heads'] = cfg['heads']
    if cfg['final_norm'] is None:
        cfg['final_norm'] = (1 if cfg['placement'] == 'mix'
                             else ROWS[cfg['placement']][3])
    return cfg


def rule_value(text, depth, layer):
    """c*L^p*l^q; each factor may be absent."""
    value = 1.0
    for factor in str(text).split('*'):
        base, _, power = factor.partition('^')
        known = {'L': depth, 'l': layer}.get(base)
        value *= (float(base) if known is None
                  else float(known) ** float(power or 1))
    return value


def row(cfg, layer):
    """The norms and coefficients of a layer."""
    name = cfg['placement']
    if name == 'mix':
        switch = math.floor(cfg['mix_fraction'] * cfg['layers'] + 1e-9)
        name = 'post' if layer <= switch else 'pre'
    out = dict(zip(NORM_KEYS, ROWS[name]))
    out.update({key: cfg[key] for key in NORM_KEYS if cfg[key] is not None})
    for key in RULE_KEYS:
        text = cfg.get(key, RULES.get(name, {}).get(key, '1'))
        out[key] = rule_value(text, cfg['layers'], layer)
    return out


class Run:
    """One forward of a configuration on parameters (leaves, by name)."""

    def __init__(self, cfg, params):
        self.cfg, self.p, self.states = cfg, params, {}
        self.like = next(iter(params.values()))

    # ---- norms

    def spread(self, x):
        """The denominator of a norm, of the centred x."""
        return torch.sqrt((x * x).mean(-1, keepdim=True) + self.cfg['eps'])

    def norm(self, name, x):
        layer = self.cfg['norm'] == 'layer'
        if layer:
            x = x - x.mean(-1, keepdim=True)
        y = self.p[name + '.gamma'] * x / self.spread(x)
        return y + self.p[name + '.bias'] if layer else y

    # ---- positions and masks

    def times(self, count):
        return torch.arange(count, dtype=self.like.dtype)

    def added_positions(self, count):
        width = self.cfg['width']
        if self.cfg['positions'] == 'learned':
            return self.p['embed.position'][self.times(count).long()]
        entry = torch.arange(width)
        power = (entry - entry % 2).to(self.like.dtype) / width
        angle = self.times(count)[:, None] * 10000.0 ** -power
        return torch.where(entry % 2 == 0, angle.sin(), angle.cos())

    def turned(self, x):
        """x [B, heads, T, hd]: the pair (i, i + hd/2) as a complex number."""
        half = x.shape[-1] // 2
        i = torch.arange(half, dtype=self.like.dtype)
        angle = self.times(x.shape[-2])[:, None] \
            * self.cfg['rotary_base'] ** (-2 * i / x.shape[-1])
        a, b = x[..., :half], x[..., half:]
        return torch.cat([a * angle.cos() - b * angle.sin(),
                          a * angle.sin() + b * angle.cos()], -1)

    def visible(self, count, keep):
        """[B or 1, 1, query, key]"""
        t = torch.arange(count)
        seen = torch.ones(1, 1, count, count, dtype=torch.bool)
        if self.cfg['causal']:
            seen = seen & (t[None, :] <= t[:, None])
        return seen if keep is None else seen & keep[:, None, None, :]

    # ---- branches

    def linear(self, prefix, key, x):
        y = x @ self.p[f'{prefix}w_{key}'].T
        return y + self.p[f'{prefix}b_{key}'] if self.cfg['bias'] else y

    def placed(self, prefix, name, x):
        """q or k, with its norm and its rotation, by heads."""
        batch, count, width = x.shape
        size = self.cfg['width'] // self.cfg['heads']
        if self.cfg['qk_norm'] == 'full':
            x = self.norm(prefix + name, x)
        x = x.reshape(batch, count, width // size, size)
        if self.cfg['qk_norm'] == 'head':
            x = self.norm(prefix + name, x)
        x = x.transpose(1, 2)
        if self.cfg['positions'] == 'rotary':
            x = self.turned(x)
        return x.transpose(1, 2).reshape(batch, count, width)

    def by_heads(self, x):
        """[B, heads, T, hd], each key and value head for its whole group."""
        batch, count, width = x.shape
        size = self.cfg['width'] // self.cfg['heads']
        group = self.cfg['heads'] // (width // size)
        mine = [h // group for h in range(self.cfg['heads'])]
        return x.reshape(batch, count, -1, size)[:, :, mine].transpose(1, 2)

    def weights(self, q, k, keep):
        seen = self.visible(q.shape[-2], keep)
        s = q @ k.transpose(-1, -2) * (1 / math.sqrt(q.shape[-1]))
        cap = self.cfg['soft_cap']
        if cap:
            s = cap * torch.tanh(s / cap)
        # The lowest finite number: a row without any key is 0 all the same.
        s = s.masked_fill(~seen, torch.finfo(s.dtype).min)
        return torch.softmax(s, -1) * seen

    def attention(self, prefix, x, keep):
        q = self.hold(prefix + 'q', self.linear(prefix, 'q', x))
        k = self.hold(prefix + 'k', self.linear(prefix, 'k', x))
        v = self.hold(prefix + 'v', self.linear(prefix, 'v', x))
        q = self.hold(prefix + 'q_hat', self.placed(prefix, 'norm_q', q))
        k = self.hold(prefix + 'k_hat', self.placed(prefix, 'norm_k', k))
        a = self.hold(prefix + 'weights', self.weights(
            self.by_heads(q), self.by_heads(k), keep))
        o = (a @ self.by_heads(v)).transpose(1, 2).reshape(q.shape)
        o = self.hold(prefix + 'heads', o)
        return self.linear(prefix, 'o', o) if self.cfg['out_proj'] else o

    def activation(self, u):
        name = self.cfg['activation']
        if name == 'relu':
            return torch.where(u > 0, u, torch.zeros_like(u))
        if name == 'gelu':
            return u * torch.special.erfc(-u / math.sqrt(2)) / 2
        if name == 'gelu_tanh':
            inner = math.sqrt(2 / math.pi) * (u + 0.044715 * u**3)
            return u * (1 + torch.tanh(inner)) / 2
        return u * torch.sigmoid(u)

    def ffn(self, prefix, x):
        gated = self.cfg['gated']
        u = self.linear(prefix, '1', x)
        if gated or self.cfg['activation'] != 'relu':
            u = self.hold(prefix + 'pre', u)
        h = self.activation(u)
        if gated:
            h = h * self.hold(prefix + 'up', self.linear(prefix, '3', x))
        return self.linear(prefix, '2', self.hold(prefix + 'hidden', h))

    # ---- the whole

    def hold(self, name, x):
        """A state: a node of its own, so that its gradient is its own."""
        x = x * 1
        if x.requires_grad:
            x.retain_grad()
        self.states[name] = x
        return x

    @staticmethod
    def update(coefficient, x, y):
        return coefficient['alpha'] * x + coefficient['beta'] * y

    def sublayer(self, prefix, coefficient, x, keep):
        self.states[prefix + 'in'] = x
        y = self.norm(prefix + 'norm_in', x) if coefficient['norm_in'] else x
        y = self.hold(prefix + 'f_in', coefficient['kappa'] * y)
        y = (self.ffn(prefix, y) if prefix.endswith('ffn.')
             else self.attention(prefix, y, keep))
        y = self.hold(prefix + 'branch', y)
        if coefficient['norm_out']:
            y = self.norm(prefix + 'norm_out', y)
        y = self.hold(prefix + 'f_out', y)
        x = self.hold(prefix + 'sum', self.update(coefficient, x, y))
        if coefficient['norm_res']:
            x = self.norm(prefix + 'norm_res', x)
        return self.hold(prefix + 'out', x)

    def embed(self, x):
        if self.cfg['input'] == 'tokens':
            x = self.p['embed.token'][x] * self.cfg['embed_scale']
        if self.cfg['positions'] in ('learned', 'sinusoidal'):
            x = x + self.added_positions(x.shape[1])
        return x

    def head(self):
        tied = self.cfg['head'] == 'tied'
        return self.p['embed.token' if tied else 'head.w']

    def forward(self, x, keep=None):
        x = self.hold('embed.in', self.embed(x))
        if self.cfg['embed_norm']:
            x = self.norm('norm_embed', x)
        x = self.hold('embed.out', x)
        for layer in range(1, self.cfg['layers'] + 1):
            coefficient = row(self.cfg, layer)
            for name in ('attn', 'ffn'):
                x = self.sublayer(f'layer.{layer}.{name}.', coefficient, x,
                                  keep)
        if self.cfg['final_norm']:
            x = self.norm('norm_final', x)
        x = self.hold('output', x)
        if self.cfg['head'] != 'none':
            self.hold('logits', x @ self.head().T)
        return x

    def loss(self, targets):
        """(mean, counted); token_loss becomes a state."""
        z, share = self.states['logits'], self.cfg['label_smoothing']
        counted = targets != self.cfg['ignore_index']
        safe = torch.where(counted, targets, torch.zeros_like(targets))
        log_p = z - torch.logsumexp(z, -1, keepdim=True)
        own = -log_p.gather(-1, safe[..., None])[..., 0]
        each = ((1 - share) * own - share * log_p.mean(-1)) * counted
        self.states['token_loss'] = each
        return each.sum() / max(int(counted.sum()), 1), int(counted.sum())
