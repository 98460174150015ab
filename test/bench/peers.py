"""The whole model next to PyTorch's: the fastest that any BLAS and number of threads at hand make it."""
import itertools
import os
import subprocess
import sys
import time

from measure import Case, Fastest, Program
from model import Library, environment, flavours, next_to, workers
from shapes import S1, S2, S3, S4

AT_LEAST = ((S1, 1.05), (S2, 2.5), (S3, 1.9), (S4, 2.5))
THREADS = (1, 2)
ATTEND = ("by_torch", "by_products")
HERE = os.path.dirname(__file__)


def folders():
    """Of each BLAS that libblas.so.3 can be, the reference apart; "" leaves the choice to the machine."""
    return [folder for name, folder in flavours() if name != "blas"] or [""]


class Torch:
    """Steps of one shape by torch: a way to attend, a BLAS, threads."""

    def __init__(self, shape, attend=ATTEND[0], folder=None, threads=2):
        s = shape
        self.program = Program("torch_model.py", LD_LIBRARY_PATH=folders()[0] if folder is None else folder,
                               **environment(threads))
        self.setting = (f"shape {threads} {s.placement} {s.batch} {s.tokens} {s.layers} {s.width} {s.heads} {s.ffn} "
                        f"{s.vocab} {attend}")

    def made(self):
        if not self.program.process:
            self.program.ask(self.setting)
        return self.program

    def ask(self, line):
        return self.made().ask(line)[0]

    def seconds(self):
        return self.made().settled("time")

    def end(self):
        self.program.end()

    def peak_memory(self):
        self.ask("time")
        memory = float(self.ask("rss"))
        self.end()
        return memory


def fastest_torch(shape):
    """Of both ways to attend, every BLAS and number of threads."""
    return Fastest(Torch(shape, *way) for way in itertools.product(ATTEND, folders(), THREADS))


def least_memory(shape):
    return min(Torch(shape, attend).peak_memory() for attend in ATTEND)


def check_loss(shape):
    """Both losses, of the library's weights."""
    ours, torch = Library(shape, workers(1)), Torch(shape, threads=1)
    wanted = float(ours.program.ask("loss " + ours.setting)[0])
    names = ["embed.token", "head.w"]
    for i in range(1, shape.layers + 1):
        names += [f"layer.{i}.attn.{kind}_{part}" for kind in "wb" for part in "qkvo"]
        names += [f"layer.{i}.ffn.{kind}_{part}" for kind in "wb" for part in "12"]
    for name in names:
        torch.ask(f"set {name} {ours.program.ask('tensor ' + name)[0]}")
    loss = float(torch.ask("loss"))
    ours.end()
    torch.end()
    assert abs(loss / wanted - 1) < 1e-5, f"{shape.name}: the library's loss {wanted} is not torch's {loss}"


def over_torch(shape, at_least):
    check = (lambda: check_loss(shape)) if shape is S2 else lambda: None
    return next_to(Library(shape, workers(2)), fastest_torch(shape), f"{shape.name} step, 2 threads, torch",
                   "torch's best", "faster", at_least=at_least, check=check)


def memory():
    """Bytes, where the table says microseconds: MB."""
    scale = 1e-12
    return Case("model", "S4 peak memory, MB", lambda: scale * Library(S4, workers(2)).peak_memory(),
                lambda: scale * least_memory(S4), "torch", "of", at_most=0.6)


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
