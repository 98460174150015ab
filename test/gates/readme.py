#!/usr/bin/env python3
"""README.md's first ```c block is the first example, whose output the gate `examples` compares."""
import pathlib
import re
import sys

program = re.search(r"^```c\n(.*?)^```", pathlib.Path("README.md").read_text(), re.M | re.S)
sources = sorted(pathlib.Path("examples").glob("01_*.c"))
if not program or not sources:
    sys.exit("  README.md: a ```c block and examples/01_*.c are wanted")
if program[1] != sources[0].read_text():
    sys.exit(f"  README.md: the program differs from {sources[0]}")
