#!/usr/bin/env python3
"""The same models in PyTorch, as a user would write them, for peers.py, which asks by lines of standard input:

    shape THREADS PLACEMENT B T L d h d_ff V WAY     makes the model and does one step; the next lines are about it.
                                                     WAY to attend: by_torch or by_products
    time                                             seconds of one step
    set NAME HEX                                     a parameter's float32 bytes
    loss                                             of the tokens of model_bench.c
    rss                                              bytes of memory that the process had at most
"""
import math
import resource
import sys
import time

import numpy
import torch
from torch import nn
from torch.nn import functional


class Attention(nn.Module):
    def __init__(self, width, heads, is_causal):
        super().__init__()
        self.heads, self.is_causal, self.attend = heads, is_causal, self.by_products
        self.q, self.k, self.v, self.o = (nn.Linear(width, width) for _ in range(4))

    def by_products(self, q, k, v, mask):
        scores = torch.matmul(q * (1 / math.sqrt(q.shape[-1])), k.transpose(-1, -2))
        if mask is not None:
            scores = scores.masked_fill(mask, -math.inf)
        return torch.matmul(scores.softmax(-1), v)

    def by_torch(self, q, k, v, _):
        return functional._scaled_dot_product_attention(q, k, v, is_causal=self.is_causal)[0]

    def forward(self, x, mask):
        split = [f(x).unflatten(-1, (self.heads, -1)).transpose(1, 2) for f in (self.q, self.k, self.v)]
        return self.o(self.attend(*split, mask).transpose(1, 2).flatten(2))


class Layer(nn.Module):
    def __init__(self, width, heads, ffn, is_pre):
        super().__init__()
        self.is_pre, self.attention = is_pre, Attention(width, heads, is_pre)
        self.one, self.two = nn.Linear(width, ffn), nn.Linear(ffn, width)
        self.norm_1, self.norm_2 = nn.LayerNorm(width), nn.LayerNorm(width)

    def ffn(self, x):
        return self.two(functional.gelu(self.one(x)) if self.is_pre else functional.relu(self.one(x)))

    def forward(self, x, mask):
        if self.is_pre:
            x = x + self.attention(self.norm_1(x), mask)
            return x + self.ffn(self.norm_2(x))
        x = self.norm_1(x + self.attention(x, mask))
        return self.norm_2(x + self.ffn(x))


class Model(nn.Module):
    """Post-LN encoder with a head of its own, or pre-LN decoder with a tied one."""

    def __init__(self, placement, batch, tokens, layers, width, heads, ffn, vocab):
        super().__init__()
        is_pre = placement == "pre"
        self.embedding = nn.Embedding(vocab, width)
        nn.init.normal_(self.embedding.weight, std=0.02)
        self.layers = nn.ModuleList(Layer(width, heads, ffn, is_pre) for _ in range(layers))
        self.norm = nn.LayerNorm(width) if is_pre else nn.Identity()
        self.head = nn.Linear(width, vocab, bias=False)
        if is_pre:
            self.head.weight = self.embedding.weight
        text = 7919 * torch.arange(batch * tokens + 1) % vocab
        self.tokens, self.targets = text[:-1].view(batch, tokens), text[1:]
        self.mask = torch.ones(tokens, tokens, dtype=torch.bool).triu(1) if is_pre else None

    def forward(self):
        x = self.embedding(self.tokens)
        for layer in self.layers:
            x = layer(x, self.mask)
        return functional.cross_entropy(self.head(self.norm(x)).flatten(0, 1), self.targets)

    def name(self, of):
        """The library's name to this one's."""
        parts = of.split(".")
        if parts[0] != "layer":
            return {"embed": "embedding.weight", "head": "head.weight"}[parts[0]]
        kind = "weight" if parts[3][0] == "w" else "bias"
        place = {"1": "one", "2": "two"}.get(parts[3][2]) or "attention." + parts[3][2]
        return f"layers.{int(parts[1]) - 1}.{place}.{kind}"


def step(model):
    model.zero_grad(set_to_none=True)
    before = time.perf_counter()
    model().backward()
    return time.perf_counter() - before


def make(words):
    torch.set_num_threads(int(words[0]))
    model = Model(words[1], *map(int, words[2:9]))
    for layer in model.layers:
        layer.attention.attend = getattr(layer.attention, words[9])
    step(model)
    return model


def main():
    model = None
    for line in sys.stdin:
        command, *words = line.split()
        answer = "done"
        if command == "shape":
            model = make(words)
        elif command == "set":
            values = torch.from_numpy(numpy.frombuffer(bytearray.fromhex(words[1]), "<f4"))
            own = model.get_parameter(model.name(words[0]))
            own.data.copy_(values.view(own.shape))
        elif command == "rss":
            answer = 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        elif command == "loss":
            answer = model().item()
        else:
            answer = step(model)
        print(answer, flush=True)


if __name__ == "__main__":
    main()
