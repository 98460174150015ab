"""Benches of the whole model: a step (forward, loss, backward) over the matrix products in it, and the
cost of a call."""
from measure import Case, Program
from shapes import S1, S2, S3, S4, TINY

AT_MOST = ((S1, 1.10), (S2, 1.30), (S3, 1.10), (S4, 1.15))


def environment(threads):
    """For the BLAS of a program, whichever it is."""
    return {name: str(threads) for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "BLIS_NUM_THREADS")}


class Library:
    """Steps of one shape by the library, with workers of its own besides those of the BLAS."""

    def __init__(self, shape, threads):
        self.program = Program("model_bench", **environment(threads))
        self.setting = f"{shape.keys()} threads={threads}"

    def seconds(self, command="time"):
        """In a process of its own, which leaves its memory to the next."""
        seconds = self.program.settled(f"{command} {self.setting}")
        self.program.end()
        return seconds

    def peak_memory(self):
        self.program.ask("time " + self.setting)
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
