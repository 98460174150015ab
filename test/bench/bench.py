#!/usr/bin/env python3
"""Every bench in one run, each side in turn: one table, and $BUILD/bench/bench.csv with meta.csv.

    BUILD=build bench.py [--repeats N] [--threads N] [--only TEXT] [--torch]

A report: it fails if something does not run or two sides disagree, never for a time. A new bench is a
module with cases() in BENCHES, and a program of test/bench where it needs one."""
import argparse
import csv
import os
import platform
import sys

import numpy

import init
import model
import norm
import peers
from measure import Program, microseconds

try:
    import torch
except ImportError:
    torch = None

BENCHES = (norm, init, model)
TORCH_BENCHES = (peers,)
COLUMNS = ("bench", "case", "us", "us_min", "us_max", "repeats", "other", "other_us", "other_us_min",
           "other_us_max", "ratio", "ratio_is", "target", "met")

UNITS = {"of": "", "faster": " x faster", "above": " us more"}  # of Case.sense


def processor():
    try:
        with open("/proc/cpuinfo", encoding="ascii", errors="replace") as f:
            return next(line.split(":")[1].strip() for line in f if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def meta(arguments):
    return {
        "processor": processor(),
        "cores": os.cpu_count(),
        "load_before": "%.2f" % os.getloadavg()[0],
        "system": platform.platform(),
        "lnstab": Program("norm_bench").ask("info")[0],
        "flags": os.environ.get("FLAGS", ""),
        "python": platform.python_version(),
        "numpy": numpy.__version__,
        "torch": torch.__version__ if torch else "not installed",
        "torch_threads": arguments.threads if torch else "",
        "repeats": arguments.repeats,
    }


def row(case):
    return [case.bench, case.name, *microseconds(case.samples), len(case.samples), case.other_name,
            *microseconds(case.other_samples), case.ratio(), case.sense, case.target(), case.met()]


def figure(value):
    return "" if value is None else f"{value:.4g}" if isinstance(value, float) else str(value)


def table(rows):
    """Medians with their ranges; the ratio is ours over the other's, how many times faster ours is,
    or how much more it takes."""
    cells = [("case", "us", "min..max", "against", "us", "min..max", "ratio", "target", "met")]
    for r in rows:
        c = dict(zip(COLUMNS, map(figure, r)))
        reach = [f"{c[p + 'us_min']}..{c[p + 'us_max']}" if c[p + "us"] else "" for p in ("", "other_")]
        ratio = c["ratio"] and c["ratio"] + UNITS[c["ratio_is"]]
        cells.append((c["case"], c["us"], reach[0], c["other"], c["other_us"], reach[1], ratio, c["target"], c["met"]))
    widths = [max(map(len, column)) for column in zip(*cells)]
    return "\n".join("  ".join(cell.ljust(w) for cell, w in zip(line, widths)).rstrip() for line in cells)


def write(name, header, rows):
    with open(os.path.join(os.environ["BUILD"], "bench", name), "w", newline="", encoding="ascii") as f:
        csv.writer(f).writerows([header, *rows])


def show_progress(case, turn):
    if sys.stderr.isatty():
        print(f"\r{case.name:60} turn {turn + 1}", end="", file=sys.stderr, flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--threads", type=int, default=1, help="of torch; the library starts none")
    parser.add_argument("--torch", action="store_true", help="the whole model next to torch's too")
    parser.add_argument("--only", default="", help="cases whose name has this in it")
    arguments = parser.parse_args()
    if torch:
        torch.set_num_threads(arguments.threads)
        torch.manual_seed(1)
    facts = {**meta(arguments), **model.facts()}
    benches = BENCHES + (TORCH_BENCHES if arguments.torch else ())
    cases = [case for bench in benches for case in bench.cases() if arguments.only in case.name]
    for case in cases:
        case.run(arguments.repeats, show_progress)
    if sys.stderr.isatty():
        print(file=sys.stderr)
    rows = [row(case) for case in cases]
    write("bench.csv", COLUMNS, [["" if v is None else v for v in r] for r in rows])
    write("meta.csv", ("what", "value"), facts.items())
    print("\n".join(f"{what}: {value}" for what, value in facts.items()), table(rows), sep="\n\n")
    for case in cases:
        case.check()


if __name__ == "__main__":
    try:
        main()
    except (AssertionError, RuntimeError, OSError) as error:
        sys.exit(f"bench: {error}")
