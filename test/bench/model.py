"""Benches of the whole model: a step (zero_grads, forward, loss, backward) over the matrix products in it, the
cost of a call, and initialisation next to numpy's normal numbers."""
import time

import numpy

from measure import Case, Program
from shapes import S1, S2, S3, S4, TINY

AT_MOST = ((S1, 1.10), (S2, 1.30), (S3, 1.10), (S4, 1.15))
WEIGHTS = 124_000_000


def environment(threads):
    """For the BLAS of a program, whichever it is."""
    return {name: str(threads) for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "BLIS_NUM_THREADS")}


class Library:
    """Steps of one shape by the library. Its own workers are asked for where it has them."""

    def __init__(self, shape, threads):
        self.program = Program("model_bench", **environment(threads))
        self.words, self.threads = shape.keys(), threads

    def setting(self):
        has_workers = "threads" in self.program.ask("keys")[0].split()
        return self.words + (f" threads={self.threads}" if has_workers else "")

    def seconds(self, command="time"):
        """In a process of its own, which leaves its memory to the next."""
        seconds = self.program.settled(f"{command} {self.setting()}")
        self.program.end()
        return seconds

    def peak_memory(self):
        self.program.ask("time " + self.setting())
        memory = float(self.program.ask("rss")[0])
        self.program.end()
        return memory


def floor_seconds(shape, threads):
    program = Program("floor", **environment(threads))
    seconds = program.settled("time " + shape.floor_words())
    program.end()
    return seconds


def has_floor():
    program = Program("floor")
    kind = program.ask("info")[0]
    program.end()
    return kind != "builtin"


def threads_text(threads):
    return f"{threads} thread{'s' if threads > 1 else ''}"


def over_floor(shape, threads, at_most):
    other = (lambda: floor_seconds(shape, threads)) if has_floor() else None
    return Case("model", f"{shape.name} step, {threads_text(threads)}", Library(shape, threads).seconds, other,
                "its matrix products" if other else "no floor: BLAS is built in", "of", at_most=at_most)


def call_overhead():
    return Case("model", "forward, loss, backward of d 16, L 2, T 4", lambda: Library(TINY, 1).seconds("overhead"),
                None, "", "of")


class Gpt2(Library):
    """The 124M-parameter model's initialisation."""

    def __init__(self):
        super().__init__(TINY, 1)
        self.words = "1 8 preset=gpt2-124m gradients=0"


def normal_numbers(dtype):
    """numpy's default generator, into memory that was written to before, as the model's was."""
    out = numpy.zeros(WEIGHTS, dtype)
    out.fill(1)
    generator = numpy.random.default_rng(1)
    before = time.perf_counter()
    generator.standard_normal(WEIGHTS, dtype, out)
    return time.perf_counter() - before


def init_over_numpy(dtype, at_most):
    return Case("model", f"init of 124M parameters, numpy {dtype}", lambda: Gpt2().seconds("init"),
                lambda: normal_numbers(dtype), "numpy standard_normal", "of", at_most=at_most)


def facts():
    """The machine's peak, which no step passes."""
    if not has_floor():
        return {"peak": "BLAS is built in"}
    peaks = {}
    for threads in (1, 2):
        program = Program("floor", **environment(threads))
        peaks[f"GF/s of a square product of 2048, {threads_text(threads)}"] = program.ask("peak 2048")[0]
        program.end()
    return peaks


def cases():
    for threads in (2, 1):
        for shape, at_most in AT_MOST:
            yield over_floor(shape, threads, at_most)
    yield call_overhead()
    yield init_over_numpy("float64", 2)
    yield init_over_numpy("float32", None)
