"""The whole model next to PyTorch's: the fastest that any BLAS and number of threads at hand make it."""
import functools
import itertools
import os
import subprocess
import sys
import time

from measure import Case, Fastest, Program
from model import Library, environment, fastest_step, flavours, ways
from shapes import S1, S2, S3, S4

AT_LEAST = ((S1, 1.05), (S2, 2.5), (S3, 1.9), (S4, 2.5))
THREADS = (1, 2)
HERE = os.path.dirname(__file__)


def folders():
    """Of each BLAS that libblas.so.3 can be, the reference apart; "" leaves the choice to the machine."""
    return [folder for name, folder in flavours() if name != "blas"] or [""]


class Torch:
    """Steps of one shape by torch, each in a process of its own."""

    def __init__(self, shape):
        self.shape = shape

    def start(self, folder, threads, way=""):
        s = self.shape
        program = Program("torch_model.py", LD_LIBRARY_PATH=folder, **environment(threads))
        program.ask(f"shape {threads} {s.placement} {s.batch} {s.tokens} {s.layers} {s.width} {s.heads} {s.ffn} "
                    f"{s.vocab} {way}")
        return program

    def seconds(self, folder, threads):
        program = self.start(folder, threads)
        seconds = program.settled("time")
        program.end()
        return seconds

    def fastest(self):
        """Of every BLAS and number of threads."""
        return Fastest(functools.partial(self.seconds, *way) for way in itertools.product(folders(), THREADS))

    def memory_by(self, way):
        program = self.start(folders()[0], 2, way)
        memory = float(program.ask("rss")[0])
        program.end()
        return memory

    def peak_memory(self):
        """The least of both ways to attend."""
        return min(map(self.memory_by, ("by_torch", "by_products")))


def check_loss(shape):
    """Both losses, of the library's weights."""
    ours, program = Library(shape, next(ways(1))), Torch(shape).start(folders()[0], 1)
    wanted = float(ours.program.ask("loss " + ours.setting)[0])
    names = ["embed.token", "head.w"]
    for i in range(1, shape.layers + 1):
        names += [f"layer.{i}.attn.{kind}_{part}" for kind in "wb" for part in "qkvo"]
        names += [f"layer.{i}.ffn.{kind}_{part}" for kind in "wb" for part in "12"]
    for name in names:
        program.ask(f"set {name} {ours.program.ask('tensor ' + name)[0]}")
    loss = float(program.ask("loss")[0])
    ours.program.end()
    program.end()
    assert abs(loss / wanted - 1) < 1e-5, f"{shape.name}: the library's loss {wanted} is not torch's {loss}"


def over_torch(shape, at_least):
    check = (lambda: check_loss(shape)) if shape is S2 else lambda: None
    return Case("model", f"{shape.name} step, 2 threads, torch", fastest_step(shape, 2), Torch(shape).fastest(),
                "torch's best", "faster", at_least=at_least, check=check)


def memory():
    """Bytes, where the table says microseconds: MB."""
    scale = 1e-12
    return Case("model", "S4 peak memory, MB", lambda: scale * Library(S4, next(ways(2))).peak_memory(),
                lambda: scale * Torch(S4).peak_memory(), "torch", "of", at_most=0.6)


def run(command):
    before = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - before


def theorem1():
    tool, script = os.path.join(os.environ["BUILD"], "lnstab"), os.path.join(HERE, "theorem1_torch.py")
    return Case("model", "theorem1, the program's grid", lambda: run([tool, "theorem1"]),
                lambda: run([sys.executable, "-B", script]), "a script in torch", "faster", at_least=5)


def cases():
    for shape, at_least in AT_LEAST:
        yield over_torch(shape, at_least)
    yield memory()
    yield theorem1()
