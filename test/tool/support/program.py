"""Runs the program under test: $LNSTAB, or build/lnstab."""

import csv
import io
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
PROGRAM = os.path.abspath(os.environ.get("LNSTAB", os.path.join(ROOT, "build", "lnstab")))
SMALL = "placement=post,peri:beta=0.5 L=1,2 d=16,32 rho=1,2"

failures = []


def run(*words, **keys):
    """The finished process, with text output."""
    return subprocess.run([PROGRAM, *words], capture_output=True, text=True, timeout=120, **keys)


def expect(good, what):
    if not good:
        print("wrong:", what)
        failures.append(what)


def rows(text):
    return list(csv.DictReader(io.StringIO(text)))


def finish():
    sys.exit(1 if failures else 0)
