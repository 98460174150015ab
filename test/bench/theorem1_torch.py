#!/usr/bin/env python3
"""The default sweep of `lnstab theorem1` as a script in PyTorch: the norm of the gradient of the last W_2, over
placements, depths, widths and seeds, in float32. Backward goes no further than that matrix, and nothing else keeps
a graph. A model is drawn from its seed as torch has it, each by itself. --seeds N and --depths a,b take less of it."""
import argparse
import itertools

import torch
from torch.nn import functional

PLACEMENTS = ("post", "pre", "peri", "peri:beta=0.1")
WIDTHS, RATIOS, TOKENS, VOCAB = (128, 256, 512), (1, 4), 32, 1000


def xavier(rows, columns):
    w = torch.empty(rows, columns)
    torch.nn.init.xavier_normal_(w)
    return w


def make(depth, width, ffn):
    """W_Q = W_K = 0, no W_O, no biases."""
    zeros = lambda: torch.zeros(width, width)
    layers = [(zeros(), zeros(), xavier(width, width), xavier(ffn, width), xavier(width, ffn)) for _ in range(depth)]
    layers[-1][4].requires_grad_()
    return layers, torch.randn(VOCAB, width) / width**0.5


def norm(x):
    return functional.layer_norm(x, x.shape[-1:], eps=0.0)


def attention(x, layer):
    w_q, w_k, w_v = layer[:3]
    scores = (x @ w_q.T) @ (x @ w_k.T).T / x.shape[-1] ** 0.5
    return scores.softmax(-1) @ (x @ w_v.T)


def ffn(x, layer):
    return torch.relu(x @ layer[3].T) @ layer[4].T


def update(x, branch, layer, placement):
    if placement == "post":
        return norm(x + branch(x, layer))
    if placement == "pre":
        return x + branch(norm(x), layer)
    beta = 0.1 if placement.endswith("0.1") else 1.0
    return x + beta * norm(branch(norm(x), layer))


def gradient_norm(placement, depth, width, ratio, seed):
    torch.manual_seed(seed)
    x, labels = torch.randn(TOKENS, width), torch.randint(VOCAB, (TOKENS,))
    layers, head = make(depth, width, ratio * width)
    for layer in layers:
        x = update(x, attention, layer, placement)
        x = update(x, ffn, layer, placement)
    if placement != "post":
        x = norm(x)
    loss = functional.cross_entropy(x @ head.T, labels)
    return torch.autograd.grad(loss, layers[-1][4])[0].norm().item()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seeds", type=int, default=8)
    parser.add_argument("--depths", default="1,2,4,6,12")
    arguments = parser.parse_args()
    depths = [int(word) for word in arguments.depths.split(",")]
    for cell in itertools.product(PLACEMENTS, depths, WIDTHS, RATIOS):
        norms = [gradient_norm(*cell, seed) for seed in range(1, arguments.seeds + 1)]
        print("%-14s L=%-3d d=%-4d rho=%d  %.6f" % (*cell, sum(norms) / len(norms)), flush=True)


if __name__ == "__main__":
    main()
