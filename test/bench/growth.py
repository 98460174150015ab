#!/usr/bin/env python3
"""How the time of a step grows with d, T, L and B, each by itself: the exponent of the time in the operations of
the matrix products, and $BUILD/bench/growth.{dat,gp,svg}, whose axis ends at the machine's peak. Of each point the
least of all turns counts; the exponents of the single turns tell how far one is to be trusted.

    BUILD=build growth.py [--repeats N] [--threads N]"""
import argparse
import dataclasses
import os
import subprocess
import sys

import numpy

from measure import Program
from model import Library, environment, has_floor, workers
from shapes import Shape

BASE = Shape("base", "pre", 1000, 4, 64, 4, 256, 4, 1024)
AXES = {"d": ("width", (64, 128, 256, 512, 1024)), "T": ("tokens", (16, 64, 256, 512, 1024)),
        "L": ("layers", (1, 2, 4, 8, 16)), "B": ("batch", (1, 2, 4, 8, 16))}
SCRIPT = """set terminal svg size 800,500 background "white"
set output "{folder}/growth.svg"
set logscale x
set xlabel "operations of the matrix products of a step"
set ylabel "GF/s"
set yrange [0:{peak}]
set key bottom right
plot {curves}
"""


def shape(axis, value):
    field = AXES[axis][0]
    wider = {"ffn": 4 * value} if field == "width" else {}
    return dataclasses.replace(BASE, **{field: value}, **wider)


def shapes(axis):
    return [shape(axis, value) for value in AXES[axis][1]]


def exponent(operations, seconds):
    """Of least squares: seconds = c operations^exponent."""
    return numpy.polyfit(numpy.log(operations), numpy.log(seconds), 1)[0]


def seconds_of(shape, threads):
    step = Library(shape, workers(threads), choose=min)
    seconds = step.seconds()
    step.end()
    return seconds


class Growth:
    """Along one axis: operations, and seconds of every turn, of each point."""

    def __init__(self, axis, floor):
        self.axis, self.values, self.turns = axis, AXES[axis][1], []
        self.operations = [float(floor.ask("flops " + of.floor_words())[0]) for of in shapes(axis)]

    def measure(self, threads):
        self.turns.append([seconds_of(of, threads) for of in shapes(self.axis)])

    def least(self):
        return numpy.min(self.turns, axis=0)

    def points(self):
        """(value, operations, seconds)"""
        return list(zip(self.values, self.operations, self.least()))

    def table(self):
        """The last column is the exponent from the point above alone."""
        each = [exponent(self.operations, turn) for turn in self.turns]
        lines = [f"{self.axis}: time ~ operations^{exponent(self.operations, self.least()):.3f} "
                 f"(single turns: {min(each):.3f} to {max(each):.3f})"]
        steps = numpy.diff(numpy.log(self.least())) / numpy.diff(numpy.log(self.operations))
        for (value, operations, seconds), step in zip(self.points(), ["", *(f"{s:.3f}" for s in steps)]):
            lines.append(f"    {self.axis}={value:<5d} {operations:.4g} operations  {seconds:.4g} s  "
                         f"{operations / seconds / 1e9:.4g} GF/s  {step}".rstrip())
        return "\n".join(lines)


def draw(found, peak):
    folder = os.path.join(os.environ["BUILD"], "bench")
    blocks = ["\n".join(f"{v} {n:.9g} {n / s / 1e9:.6g}" for v, n, s in growth.points()) for growth in found]
    with open(os.path.join(folder, "growth.dat"), "w", encoding="ascii") as f:
        f.write("\n\n\n".join(blocks) + "\n")
    curves = ", ".join(f'"{folder}/growth.dat" index {i} using 2:3 with linespoints title "{growth.axis}"'
                       for i, growth in enumerate(found))
    script = os.path.join(folder, "growth.gp")
    with open(script, "w", encoding="ascii") as f:
        f.write(SCRIPT.format(folder=folder, peak=peak, curves=curves))
    subprocess.run(["gnuplot", script], check=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()
    floor = Program("floor", **environment(arguments.threads))
    found, peaks = [Growth(axis, floor) for axis in AXES], []
    for _ in range(arguments.repeats):
        for growth in found:
            peaks += floor.ask("peak 2048") if has_floor() else []
            growth.measure(arguments.threads)
    peak = max(map(float, peaks), default="*")
    print("\n".join(growth.table() for growth in found))
    print(f"peak: {peak} GF/s")
    draw(found, peak)
    floor.end()


if __name__ == "__main__":
    try:
        main()
    except (RuntimeError, OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"growth: {error}")
