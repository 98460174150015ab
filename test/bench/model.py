"""Benches of the whole model: a step (forward, loss, backward) over the matrix products in it, and the
cost of a call."""
import functools
import glob
import os
import statistics

from measure import Case, Fastest, Program
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


def ways(threads):
    """(threads of the BLAS, keys) of each way to use so many processors: the BLAS's threads with workers asleep in
    between, or workers that do the products too."""
    yield threads, f"threads={threads}"
    if threads > 1:
        yield 1, f"threads={threads} split_products=1"


class Library:
    """Steps of one shape by the library."""

    def __init__(self, shape, way, folder=""):
        blas, keys = way
        self.program = Program("model_bench", LD_LIBRARY_PATH=folder, **environment(blas))
        self.setting = f"{shape.keys()} {keys}"

    def seconds(self, command="time", choose=statistics.median):
        """In a process of its own, which leaves its memory to the next."""
        seconds = self.program.settled(f"{command} {self.setting}", choose)
        self.program.end()
        return seconds

    def peak_memory(self):
        self.program.ask("time " + self.setting)
        memory = float(self.program.ask("rss")[0])
        self.program.end()
        return memory


def fastest_step(shape, threads, folder="", choose=statistics.median):
    return Fastest(functools.partial(Library(shape, way, folder).seconds, choose=choose) for way in ways(threads))


def floor_seconds(shape, threads, folder="", steps=1):
    """The mean of so many steps in a row, as program.settled has it."""
    program = Program("floor", LD_LIBRARY_PATH=folder, **environment(threads))
    seconds = program.settled(f"time {shape.floor_words()} {steps}")
    program.end()
    return seconds


def has_floor():
    program = Program("floor")
    kind = program.ask("info")[0]
    program.end()
    return kind != "builtin"


def threads_text(threads):
    return f"{threads} thread{'s' if threads > 1 else ''}"


def over_floor(shape, threads, at_most, folder="", name=""):
    other = (lambda: floor_seconds(shape, threads, folder)) if has_floor() else None
    return Case("model", f"{shape.name} step, {threads_text(threads)}{name}",
                fastest_step(shape, threads, folder), other,
                "its matrix products" if other else NO_FLOOR, "of", at_most=at_most)


def over_one_worker(shape):
    alone, two = (Library(shape, (1, f"threads={n} split_products=1")) for n in (1, 2))
    return Case("model", f"{shape.name} step, 2 workers", two.seconds, alone.seconds, "1 worker", "faster",
                at_least=1.8)


def call_overhead():
    """A third of forward, loss and backward, next to a third of the products in them, both many times in a row."""
    library = Library(TINY, next(ways(1)))
    other = (lambda: floor_seconds(TINY, 1, steps=2000) / 3) if has_floor() else None
    return Case("model", "a call of d 16, L 2, T 4", lambda: library.seconds("overhead") / 3, other,
                "its matrix products" if other else NO_FLOOR, "above", at_most=20)


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
    yield from map(over_one_worker, (S1, S4))
    for flavour, folder in flavours() if has_floor() else ():
        yield over_floor(S2, 2, None, folder, f", {flavour}")
    yield call_overhead()
