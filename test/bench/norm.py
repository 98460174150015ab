"""Benches of the norm handle: its Jacobian over its forward pass, its spectral norm next to the matrix that
torch makes and decomposes, its forward pass next to torch's."""
import itertools
import time

import numpy

from measure import Case, Program

try:
    import torch
except ImportError:
    torch = None

EPS = 1e-5
STORED = {"float32": "<f4", "float64": "<f8", "float16": "<f2", "bfloat16": "<u2"}
ROUNDOFF = {"float32": 2.0**-24, "float64": 2.0**-53, "float16": 2.0**-11, "bfloat16": 2.0**-8}


def numbers(text, dtype):
    """Bytes that norm_bench shows, in double."""
    x = numpy.frombuffer(bytes.fromhex(text), STORED[dtype])
    if dtype == "bfloat16":
        x = (x.astype("<u4") << 16).view("<f4")
    return x.astype(float)


class Rows:
    """One setting of norm_bench."""

    def __init__(self, program, dtype, width, rows, gamma):
        self.program, self.dtype, self.width, self.rows = program, dtype, width, rows
        self.words = f"{dtype} {width} {rows} {gamma}"

    def seconds(self, work):
        """Of one row."""
        return self.program.seconds(f"{work} {self.words}") / self.rows

    def show(self, work):
        """Some rows, gamma, and what work makes of the rows."""
        x, gamma, out = self.program.ask(f"show {work} {self.words}", 3)
        gamma_type = "float64" if self.dtype == "float64" else "float32"
        return (numbers(x, self.dtype).reshape(-1, self.width),
                numbers(gamma, gamma_type) if gamma else numpy.ones(self.width),
                numbers(out, self.dtype if work == "forward" else "float64"))


def timed(call):
    before = time.perf_counter()
    result = call()
    return time.perf_counter() - before, result


def norms_over_forward(program, gamma, at_most):
    rows = Rows(program, "float32", 768, 4096, gamma)

    def check():
        x, _, spectral = rows.show("norms")
        wanted = 1 / numpy.sqrt(x.var(axis=1) + EPS)
        assert gamma != "ones" or abs(spectral / wanted - 1).max() < 1e-12, "the spectral norm is not 1/s"

    return Case("norm", f"jacobian's 4 outputs, 4096 x 768 float32, gamma {gamma}", lambda: rows.seconds("norms"),
                lambda: rows.seconds("forward"), "lnstab_norm_forward", "of", at_most=at_most, check=check)


class Dense:
    """Spectral norms by torch's Jacobian and its singular values, row after row; each is compared."""

    def __init__(self, x, gamma, spectral):
        self.x, self.gamma, self.spectral = torch.tensor(x), torch.tensor(gamma), spectral
        self.turn, self.found = itertools.cycle(range(len(x))), []

    def forward(self, row):
        return torch.nn.functional.layer_norm(row, row.shape, self.gamma, None, EPS)

    def norm(self, i):
        jacobian = torch.autograd.functional.jacobian(self.forward, self.x[i])
        return float(torch.linalg.matrix_norm(jacobian, 2))

    def seconds(self):
        i = next(self.turn)
        seconds, value = timed(lambda: self.norm(i))
        self.found.append((i, value))
        return seconds

    def check(self):
        for i, value in self.found:
            assert abs(self.spectral[i] / value - 1) < 1e-6, f"row {i}: {self.spectral[i]} is not {value}"


def spectral_over_dense(program, width, rows, **target):
    rows = Rows(program, "float64", width, rows, "random")
    name = f"spectral norm, d = {width} float64, gamma random"
    if not torch:
        return Case("norm", name, lambda: rows.seconds("spectral"), None, "torch: not installed", "faster", **target)
    dense = Dense(*rows.show("spectral"))
    return Case("norm", name, lambda: rows.seconds("spectral"), dense.seconds,
                "torch jacobian + matrix_norm", "faster", check=dense.check, **target)


def forward_over_torch(program, dtype):
    rows = Rows(program, dtype, 768, 4096, "ones")

    def check():
        x, _, y = rows.show("forward")
        wanted = (x - x.mean(axis=1, keepdims=True)) / numpy.sqrt(x.var(axis=1, keepdims=True) + EPS)
        bound = ROUNDOFF[dtype] * abs(wanted) + 1e-7 * (dtype == "float16") + 1e-12
        assert (abs(y.reshape(x.shape) - wanted) <= bound).all(), "y is not that of numpy"

    def case(other, other_name):
        return Case("norm", f"forward, 4096 x 768 {dtype}", lambda: rows.seconds("forward"), other, other_name,
                    "of", check=check)

    if not torch:
        return case(None, "torch: not installed")
    x = torch.randn(4096, 768).to(getattr(torch, dtype))
    try:
        torch.nn.functional.layer_norm(x, (768,))
    except RuntimeError:
        return case(None, f"torch has no {dtype} on this machine")
    return case(lambda: timed(lambda: torch.nn.functional.layer_norm(x, (768,), eps=EPS))[0] / 4096,
                "torch layer_norm")


def cases():
    program = Program("norm_bench")
    yield norms_over_forward(program, "ones", 1.5)
    yield norms_over_forward(program, "random", None)
    yield spectral_over_dense(program, 768, 4096, at_least=1000, aim=10000)
    for width, rows in ((64, 4096), (257, 4096), (4096, 512)):
        yield spectral_over_dense(program, width, rows)
    for dtype in STORED:
        yield forward_over_torch(program, dtype)
