#!/usr/bin/env python3
"""README.md's program is the first example, and what it is said to print is what it prints.

The first ```c block has to be examples/01_*.c, and the block after it the output: the same words,
numbers within one per cent (the last digits belong to the BLAS)."""
import os
import pathlib
import re
import subprocess
import sys

BUILD = os.environ.get("BUILD", "build")


def close(said, real):
    if said == real:
        return True
    try:
        said, real = float(said), float(real)
    except ValueError:
        return False
    return abs(said - real) <= 0.01 * abs(real)


def words(text):
    return re.findall(r"[-+]?\d[\w.+-]*|[^\s\d]+", text)


def faults():
    blocks = re.findall(r"^```(\w*)\n(.*?)^```", pathlib.Path("README.md").read_text(), re.M | re.S)
    places = [i for i, (language, _) in enumerate(blocks) if language == "c"]
    sources = sorted(pathlib.Path("examples").glob("01_*.c"))
    if not places or places[0] + 1 >= len(blocks) or not sources:
        yield "README.md: a ```c block, a block with its output and examples/01_*.c are wanted"
        return
    if blocks[places[0]][1] != sources[0].read_text():
        yield f"README.md: the program differs from {sources[0]}"
    program = f"{BUILD}/examples/{sources[0].stem}"
    subprocess.run([os.environ.get("MAKE", "make"), "-s", f"BUILD={BUILD}", program], check=True)
    printed = subprocess.run([program], check=True, capture_output=True, text=True).stdout
    said, real = words(blocks[places[0] + 1][1]), words(printed)
    if len(said) != len(real) or not all(map(close, said, real)):
        yield f"README.md: the output of {program} is not what it prints now:\n{printed}"


found = list(faults())
for fault in found:
    print(f"  {fault}")
sys.exit(1 if found else 0)
