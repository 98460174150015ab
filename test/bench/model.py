"""Benches of the whole model: a step (forward, loss, backward) over the matrix products in it, and the
cost of a call."""
import glob
import os
import statistics

from measure import Case, Program
from shapes import S1, S2, S3, S4, TINY

NO_FLOOR = "no floor: BLAS is built in"
AT_MOST = ((S1, 1.10), (S2, 1.30), (S3, 1.10), (S4, 1.15))
FLAVOURS = ("openblas-pthread", "openblas-openmp", "blis-pthread", "blas")


def flavours():
    """(name, folder) of each BLAS of Debian that is installed."""
    return [(f, os.path.dirname(path)) for f in FLAVOURS for path in glob.glob(f"/usr/lib/*/{f}/libblas.so.3")]


def environment(threads):
    """For the BLAS of a program, whichever it is."""
    return {name: str(threads) for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "BLIS_NUM_THREADS")}


def workers(threads):
    """(threads of the BLAS, keys): the library's threads do the products too."""
    return 1, f"threads={threads} split_products={int(threads > 1)}"


def blas_threads(threads):
    """The same where the BLAS shares the products, and workers what is between them."""
    return threads, f"threads={threads}"


class Library:
    """Steps of one shape by the library."""

    def __init__(self, shape, way, folder="", command="time", choose=statistics.median):
        blas, keys = way
        self.command, self.choose = command, choose
        self.program = Program("model_bench", LD_LIBRARY_PATH=folder, **environment(blas))
        self.setting = f"{shape.keys()} {keys}"

    def seconds(self):
        return self.program.settled(f"{self.command} {self.setting}", self.choose)

    def end(self):
        self.program.end()

    def peak_memory(self):
        self.program.ask("time " + self.setting)
        memory = float(self.program.ask("rss")[0])
        self.end()
        return memory


class Floor:
    """The products of so many steps in a row, as the mean of one, or nothing where the BLAS is built in."""

    def __init__(self, shape, threads, folder="", steps=1):
        self.program = Program("floor", LD_LIBRARY_PATH=folder, **environment(threads))
        self.question = f"time {shape.floor_words()} {steps}"

    def seconds(self):
        return self.program.settled(self.question)

    def end(self):
        self.program.end()


def has_floor():
    program = Program("floor")
    kind = program.ask("info")[0]
    program.end()
    return kind != "builtin"


def next_to(ours, other, name, other_name, sense, **target):
    """Other may be None. Both live as long as the case: their steps alternate."""

    def end():
        for side in (ours, other) if other else (ours,):
            side.end()

    return Case("model", name, ours.seconds, other and other.seconds, other_name, sense, end=end, **target)


def next_to_floor(ours, floor, name, sense, at_most):
    there = has_floor()
    return next_to(ours, floor if there else None, name, "its matrix products" if there else NO_FLOOR, sense,
                   at_most=at_most)


def threads_text(threads):
    return f"{threads} thread{'s' if threads > 1 else ''}"


def over_floor(shape, threads, name="", way=workers, folder="", at_most=None):
    return next_to_floor(Library(shape, way(threads), folder), Floor(shape, threads, folder),
                         f"{shape.name} step, {threads_text(threads)}{name}", "of", at_most)


def over_one_worker(shape):
    alone, two = (Library(shape, workers(n)) for n in (1, 2))
    return next_to(two, alone, f"{shape.name} step, 2 workers", "1 worker", "faster", at_least=1.8)


class Call:
    """A third of forward, loss and backward."""

    def __init__(self, step):
        self.step, self.end = step, step.end

    def seconds(self):
        return self.step.seconds() / 3


def call_overhead():
    """Next to a third of the products, both many times in a row."""
    return next_to_floor(Call(Library(TINY, workers(1), command="overhead")), Call(Floor(TINY, 1, steps=2000)),
                         "a call of d 16, L 2, T 4", "above", 20)


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
            yield over_floor(shape, threads, at_most=at_most)
    yield from map(over_one_worker, (S1, S4))
    for shape, _ in AT_MOST:
        yield over_floor(shape, 2, " of the BLAS", blas_threads)
    for flavour, folder in flavours() if has_floor() else ():
        yield over_floor(S2, 2, f", {flavour}", folder=folder)
    yield call_overhead()
