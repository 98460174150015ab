#!/usr/bin/env python3
"""How the time of a step grows with d, T, L and B, each by itself: the exponent of the time in the operations of
the matrix products, and $BUILD/bench/growth.{dat,gp,svg}, whose axis ends at the machine's peak.

    BUILD=build growth.py [--repeats N] [--threads N]"""
import argparse
import dataclasses
import os
import statistics
import subprocess
import sys

import numpy

from measure import Program
from model import environment, has_floor, step_seconds
from shapes import Shape

BASE = Shape("base", "pre", 1000, 4, 64, 4, 256, 4, 1024)
AXES = {"d": ("width", (64, 128, 256, 512, 768)), "T": ("tokens", (16, 64, 256, 512)),
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


def measure(axis, repeats, threads, floor):
    """(value, operations, seconds) of each point of an axis."""
    points = []
    for value in AXES[axis][1]:
        of = shape(axis, value)
        seconds = statistics.median(step_seconds(of, threads) for _ in range(repeats))
        points.append((value, float(floor.ask("flops " + of.floor_words())[0]), seconds))
    return points


def exponent(points):
    """Of least squares: seconds = c operations^exponent."""
    _, operations, seconds = numpy.log(points).T
    return numpy.polyfit(operations, seconds, 1)[0]


def draw(found, peak):
    folder = os.path.join(os.environ["BUILD"], "bench")
    blocks = ["\n".join(f"{v} {n:.9g} {n / s / 1e9:.6g}" for v, n, s in points) for points in found.values()]
    with open(os.path.join(folder, "growth.dat"), "w", encoding="ascii") as f:
        f.write("\n\n\n".join(blocks) + "\n")
    curves = ", ".join(f'"{folder}/growth.dat" index {i} using 2:3 with linespoints title "{axis}"'
                       for i, axis in enumerate(found))
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
    peak = floor.ask("peak 2048")[0] if has_floor() else "*"
    found = {axis: measure(axis, arguments.repeats, arguments.threads, floor) for axis in AXES}
    for axis, points in found.items():
        print(f"{axis}: time ~ operations^{exponent(points):.3f}")
        for value, operations, seconds in points:
            print(f"    {axis}={value:<5d} {operations:.4g} operations  {seconds:.4g} s  "
                  f"{operations / seconds / 1e9:.4g} GF/s")
    print(f"peak: {peak} GF/s")
    draw(found, peak)
    floor.end()


if __name__ == "__main__":
    try:
        main()
    except (RuntimeError, OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"growth: {error}")
