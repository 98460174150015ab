"""The theory's formulas in long double, written from their statements."""
import math

import numpy as np

import oracle

LD = np.longdouble
PI = LD(3.141592653589793) + LD(1.2246467991473532e-16)


def c_f(rho):
    rho = LD(rho)
    return 2 * rho / (1 + rho)**2


def kap(p):
    """E ReLU(a) ReLU(b) of unit normals with correlation p."""
    p = min(LD(p), LD(1))
    return (np.sqrt((1 - p) * (1 + p)) + p * (PI - np.arccos(p))) / (2 * PI)


def kap1(p):
    """The probability that both are positive."""
    return (PI - np.arccos(min(LD(p), LD(1)))) / (2 * PI)


def in_scope(words, layer, sub, depth):
    """Is a sublayer of layer.2-5.ffn., layer.L. or attn. ?"""
    words = list(words)
    if words[0] == 'layer':
        ends = [depth if w == 'L' else int(w) for w in words[1].split('-')]
        if not ends[0] <= layer <= ends[-1]:
            return False
        words = words[2:]
    return not words or words == [sub]


def coefficients(cfg, layer, sub='attn'):
    """Flags and coefficients of a sublayer, in long double."""
    r = dict(oracle.row(cfg, layer))
    name, depth = cfg['placement'], LD(cfg['layers'])
    for key in oracle.COEFFICIENTS:
        c, p, q = oracle.RULES.get(name, {}).get(key, (1, 0, 0))
        if key in cfg:
            c, p, q = oracle.parse_rule(cfg[key])
        r[key] = LD(c) * depth**LD(p) * LD(layer)**LD(q)
    if name == 'deepnorm':
        if 'alpha' not in cfg:
            r['alpha'] = np.sqrt(np.sqrt(2 * depth))
        for key in ('gain_v', 'gain_o', 'gain_w1', 'gain_w2'):
            if key not in cfg:
                r[key] = 1 / np.sqrt(np.sqrt(8 * depth))
    for name, value in cfg.items():
        *scope, key = name.split('.')
        if scope and in_scope(scope, layer, sub, cfg['layers']):
            if key in oracle.COEFFICIENTS:
                c, p, q = oracle.parse_rule(value)
                value = LD(c) * depth**LD(p) * LD(layer)**LD(q)
            r[key] = value
    return r


def mean_field(cfg, rho, n):
    """One dictionary per sublayer; q and C are those of its output."""
    q, C = LD(1), LD(0)
    steps = []
    for layer in range(1, cfg['layers'] + 1):
        for sub in ('attn', 'ffn'):
            r = coefficients(cfg, layer, sub)
            s = dict(r, layer=layer, sub=sub, q_in=q)
            iq, iC = (r['kappa']**2 * v for v in
                      ((LD(1), C / q) if r['norm_in'] else (q, C)))
            if sub == 'attn':
                gain_o = r['gain_o'] if cfg['out_proj'] else 1
                gain = (r['gain_v'] * gain_o)**2
                bq = bC = gain * (iq / n + (1 - LD(1) / n) * iC)
            else:
                gain = c_f(rho) * (r['gain_w1'] * r['gain_w2'])**2
                bq, bC = gain * iq, 2 * gain * iq * kap(iC / iq)
            oq, oC = (LD(1), bC / bq) if r['norm_out'] else (bq, bC)
            uq = r['alpha']**2 * q + r['beta']**2 * oq
            uC = r['alpha']**2 * C + r['beta']**2 * oC
            q, C = (LD(1), uC / uq) if r['norm_res'] else (uq, uC)
            steps.append(dict(s, iq=iq, iC=iC, bq=bq, oq=oq, uq=uq, q=q, C=C))
    return steps


def rank_one(cfg, rho, n, d):
    """||dL_i/dW_2,L|| / ||g_i||, sqrt(d) included."""
    s = mean_field(cfg, rho, n)[-1]
    h2 = s['gain_w1']**2 * s['iq'] * LD(rho) * d / (1 + LD(rho))
    v2 = s['beta']**2
    if s['norm_res']:
        v2 /= s['uq']
    if s['norm_out']:
        v2 /= s['bq']
    if oracle.final_norm(cfg):
        v2 /= s['q']
    return np.sqrt(h2 * v2)


def hidden_cosine(cfg, rho, n):
    s = mean_field(cfg, rho, n)[-1]
    return 2 * kap(s['iC'] / s['iq'])


def removed(cfg):
    """Directions that the Jacobians above the last branch project away."""
    s = oracle.row(cfg, cfg['layers'])
    norms = s['norm_res'] + s['norm_out'] + oracle.final_norm(cfg)
    return norms + (norms > 0 and cfg['norm'] == 'layer')


def head_statistics(cosine, d, vocab, variance):
    """Of g = W_emb (softmax - label), random labels, V d independent weights.

    variance = d Var(W_emb), the variance of the logits; cosine: between final
    states. (E||g||^2, the same off the state's direction, mean cosine there).
    """
    e = np.exp(LD(variance))
    off = variance * (1 + (e - 2) / vocab)
    return off + LD(variance)**2 / d, off, (e**cosine - 1) / (vocab + e - 2)


def sequence_loss(cfg, rho, n, d, vocab, variance):
    """A priori (||dLoss/dW_2,L||, E||g||^2, mean cosine of the g_i J)."""
    s = mean_field(cfg, rho, n)[-1]
    g2, off, rho_v = head_statistics(s['C'] / s['q'], d, vocab, variance)
    one = rank_one(cfg, rho, n, d)**2 * off * (1 - LD(removed(cfg)) / d)
    both = 1 + (n - 1) * hidden_cosine(cfg, rho, n) * rho_v
    return np.sqrt(one / n * both), g2, rho_v


def lemma2(placement, rho, layer):
    """Bounds of E||.||^2/d: of x5 for post, else of the layer's output."""
    c = c_f(rho)
    harmonic = sum((1 / LD(k) for k in range(1, layer + 1)), LD(0))
    return {'post': (1 + c, 1 + c),
            'pre': (1 + c * layer, 1 + (1 + c) * layer),
            'peri': (LD(1 + 2 * layer),) * 2,
            'output-norm': (LD(1 + 2 * layer),) * 2,
            'ln-scaling': (1 + c * harmonic, 1 + (1 + c) * harmonic),
            'none': ((1 + c)**layer, (2 * (1 + c))**layer)}[placement]


def theorem1(placement, depth, rho, d, tokens):
    """(printed, rigorous for LayerNorm), in units of C_g."""
    rho = LD(rho)
    hidden = 4 * np.log(100 * tokens * rho * d) / (1 + rho)
    c = c_f(rho)
    if placement == 'post':
        state, centred = 1 + c, 1 + c * (d - 1) / LD(d)
    else:
        state = 1 + c * depth
        centred = state * (d - 1) / LD(d)
    return [np.sqrt(rho * LD(d)**2 * hidden * 10 / s)
            for s in (state, centred)]


def upper_gamma(a2, x):
    """Q(a2/2, x), the regularised upper incomplete gamma function, x > 0."""
    x, a = LD(x), LD(a2 % 2 or 2) / 2
    if a2 % 2:
        total = LD(math.erfc(math.sqrt(x)))
        term = 2 * np.sqrt(x / PI) * np.exp(-x)
    else:
        total, term = np.exp(-x), x * np.exp(-x)
    while 2 * a < a2:           # Q(a+1) = Q(a) + x^a e^-x / Gamma(a+1)
        total += term
        a += 1
        term *= x / a
    return total


def gaussian_tail(d, eps):
    """Pr[||N(0, I_d)||^2 > (1 + eps) d], exactly."""
    return upper_gamma(d, (1 + LD(eps)) * d / 2)


def gaussian_tau(d, eps):
    """E[(Y - (1+eps) EY)_+]/EY of Y = ||N(0, I_d)||^2."""
    x = (1 + LD(eps)) * d / 2
    return upper_gamma(d + 2, x) - (1 + LD(eps)) * upper_gamma(d, x)


def discrete_tau(values, probabilities, eps):
    mean = sum(LD(v) * LD(p) for v, p in zip(values, probabilities))
    over = sum(max(LD(v) - (1 + LD(eps)) * mean, LD(0)) * LD(p)
               for v, p in zip(values, probabilities))
    return over / mean


def probability(kind, eps, slack, n=1):
    """slack: delta (published) or tau (repaired)."""
    eps, slack = LD(eps), LD(slack)
    if kind == 'published':
        return LD('0.99') - slack - eps / (LD('0.9') + eps)
    return LD('0.99') - n * (eps + slack) / (LD('0.9') + eps)
