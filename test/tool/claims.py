"""doc/theory.md and the table of claims name each other."""

import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "support"))
from program import ROOT, expect, finish, run  # noqa: E402


def faults(claims, page):
    """Claims that the page does not name, and names of the page that begin as a claim's and are none. A
    name that ends in _* stands for all that begin so."""
    named = re.findall(r"`([a-z0-9]+\.[a-z0-9_]+\*?)`", page)
    families = {claim.split(".")[0] for claim in claims}

    def meant(name):
        return [c for c in claims if c == name or (name.endswith("*") and c.startswith(name[:-1]))]

    found = {claim for name in named if not name.endswith("*") for claim in meant(name)}
    return ([f"{claim} is not in doc/theory.md" for claim in claims if claim not in found] +
            [f"doc/theory.md names {name}, which is no claim" for name in named
             if name.split(".")[0] in families and not meant(name)])


names = [line for line in run("claims").stdout.splitlines() if line and not line.startswith(" ")]
expect(len(names) > 30, f"{len(names)} claims")
with open(os.path.join(ROOT, "doc", "theory.md")) as file:
    text = file.read()
for fault in faults(names, text):
    expect(False, fault)

# What is missing on either side is found.
expect(faults(["a.x", "a.y_1"], "`a.x`, `a.y_*`, `c.z`") == ["a.y_1 is not in doc/theory.md"], "a wildcard")
expect(faults(["a.x"], "`a.x` and a.y and `b.x`") == [], "words that are no claims")
expect(faults(["a.x"], "`a.x`, `a.y`") == ["doc/theory.md names a.y, which is no claim"], "an unknown claim")
finish()
