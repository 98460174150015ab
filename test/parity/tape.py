"""A tape: reverse-mode differentiation of a handful of numpy operations.

It works in the precision of its leaves: float64, or long double for fixtures.
"""
import numpy as np


class Var:
    """An array that remembers what it was computed from."""

    def __init__(self, value, parents=()):
        self.value = np.asarray(value)
        self.parents = parents      # pairs (variable, vector-Jacobian product)
        self.grad = None

    def __add__(self, other):
        a, b = self, lift(other)
        return Var(a.value + b.value,
                   [(a, lambda g: fold(g, a)), (b, lambda g: fold(g, b))])

    def __mul__(self, other):
        a, b = self, lift(other)
        return Var(a.value * b.value, [(a, lambda g: fold(g * b.value, a)),
                                       (b, lambda g: fold(g * a.value, b))])

    def __sub__(self, other):
        return self + lift(other) * -1.0

    def __truediv__(self, other):
        return self * lift(other).inverse()

    def __matmul__(self, other):
        a, b = self, other
        return Var(a.value @ b.value,
                   [(a, lambda g: fold(g @ swap(b.value), a)),
                    (b, lambda g: fold(swap(a.value) @ g, b))])

    def inverse(self):
        return self.map(1 / self.value, -1 / self.value**2)

    def exp(self):
        e = np.exp(self.value)
        return self.map(e, e)

    def log(self):
        return self.map(np.log(self.value), 1 / self.value)

    def sqrt(self):
        r = np.sqrt(self.value)
        return self.map(r, 0.5 / r)

    def relu(self):
        on = self.value > 0
        return self.map(np.where(on, self.value, 0), on)

    def map(self, value, slope):
        return Var(value, [(self, lambda g: g * slope)])

    def total(self, axis=-1):
        """The sum over one axis, which stays with length 1."""
        return Var(self.value.sum(axis, keepdims=True),
                   [(self, lambda g: g + np.zeros_like(self.value))])

    def mean(self):
        return self.total() * (self.value.dtype.type(1) / self.value.shape[-1])

    def swap(self, i=-1, j=-2):
        return Var(self.value.swapaxes(i, j),
                   [(self, lambda g: g.swapaxes(i, j))])

    def reshape(self, *shape):
        return Var(self.value.reshape(shape),
                   [(self, lambda g: g.reshape(self.value.shape))])

    def rows(self, index):
        """Rows of a table; a row taken twice receives both gradients."""
        def back(g):
            out = np.zeros_like(self.value)
            np.add.at(out, index, g)
            return out
        return Var(self.value[index], [(self, back)])


def lift(x):
    return x if isinstance(x, Var) else Var(x)


def swap(a):
    return a.swapaxes(-1, -2)


def fold(g, var):
    """Undo broadcasting: sum g down to the shape of var."""
    shape = var.value.shape
    g = g.sum(tuple(range(g.ndim - len(shape))))
    axes = tuple(i for i, n in enumerate(shape) if n == 1 and g.shape[i] != 1)
    return g.sum(axes, keepdims=True) if axes else g


def backward(root, seed=None):
    """Fill .grad of everything root depends on."""
    order, seen, stack = [], set(), [(root, False)]
    while stack:
        node, done = stack.pop()
        if done:
            order.append(node)
        elif id(node) not in seen:
            seen.add(id(node))
            stack.append((node, True))
            stack.extend((p, False) for p, _ in node.parents)
    for node in order:
        node.grad = np.zeros_like(node.value)
    root.grad = np.ones_like(root.value) if seed is None else seed
    for node in reversed(order):
        for parent, vjp in node.parents:
            parent.grad = parent.grad + vjp(node.grad)
