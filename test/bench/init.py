"""Initial weights next to as many of numpy's normal numbers, on one thread, a million the unit."""
import pathlib
import sys
import time

import numpy

from measure import Case, Program

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "parity"))
import rng  # noqa: E402

SEED = 7  # init_bench's
MILLION = 1e6


def cases():
    program = Program("init_bench")
    count = int(program.ask("count")[0])

    def ours():
        return float(program.ask("time")[0]) / count * MILLION

    generator, room = numpy.random.default_rng(SEED), numpy.ones(count)

    def numpys():
        start = time.perf_counter()
        generator.standard_normal(out=room)
        return (time.perf_counter() - start) / count * MILLION

    def check():
        shown = numpy.array(program.ask("show")[0].split(), float)
        wanted = 0.02 * rng.normals(len(shown), SEED, rng.KINDS["embed.token"])
        assert (abs(shown - wanted) <= 2.0**-23 * abs(wanted)).all(), "embed.token is not N(0, 0.02^2) of its stream"

    yield Case("init", f"lnstab_model_init of gpt2-124m, {count} float32, a million", ours, numpys,
               "numpy default_rng().standard_normal", "of", at_most=2, check=check)
