#!/usr/bin/env python3
"""What a whole model takes by recompute: the bytes of its block, the peak resident set of a process after a step, and
the seconds of that step, for S4, next to torch where there is one, and for GPT-2 XL.

    BUILD=build memory.py [--only TEXT]

A report. A model that the machine has no memory for is not made, and its row says so."""
import argparse
import dataclasses
import functools
import importlib.util
import sys

from model import Library, workers
from peers import least_memory
from shapes import S4, XL

CHOICES = ("none", "attention", "nonlinear", "blocks")
SPARE = 1 << 30  # bytes left to the BLAS and to whoever else is there
ROW = "{:14}  {:>9}  {:>9}  {:>8}  {}"


def available():
    """Bytes that a process can have without swapping."""
    with open("/proc/meminfo", encoding="ascii") as f:
        return next(1024 * int(line.split()[1]) for line in f if line.startswith("MemAvailable"))


def gib(count):
    return f"{count / 2 ** 30:.2f}"


@functools.cache
def torch_peak():
    return least_memory(S4)


def over_torch(peak):
    if not importlib.util.find_spec("torch"):
        return "torch is not installed"
    return f"{peak / torch_peak():.3f} of torch's {gib(torch_peak())}, target 0.6"


def within(recompute):
    most = 14 if recompute == "blocks" else 22
    return lambda peak: f"target {most}: {'yes' if peak <= most * 2 ** 30 else 'no'}"


def row(shape, judge):
    library, name = Library(shape, workers(2)), f"{shape.name} {shape.recompute}"
    program, setting = library.program, library.setting
    size = int(program.ask("size " + setting)[0])
    if size + SPARE > available():
        line = ROW.format(name, gib(size), "", "", f"not run: {gib(available())} GiB are free")
    else:
        seconds = float(program.ask("first " + setting)[0])
        peak = float(program.ask("rss")[0])
        line = ROW.format(name, gib(size), gib(peak), f"{seconds:.1f}", judge(peak))
    program.end()
    return line


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", default="", help="rows whose name has this in it: XL, blocks")
    only = parser.parse_args().only
    print(ROW.format("recompute", "block GiB", "peak GiB", "seconds", ""))
    for shape in (S4, XL):
        for recompute in CHOICES:
            if only in f"{shape.name} {recompute}":
                judge = over_torch if shape is S4 else within(recompute)
                print(row(dataclasses.replace(shape, recompute=recompute), judge), flush=True)


if __name__ == "__main__":
    try:
        main()
    except (RuntimeError, OSError) as error:
        sys.exit(f"memory: {error}")
