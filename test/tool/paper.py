"""--paper chooses the axes that --grid does not."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "support"))
from program import expect, finish, rows, run  # noqa: E402

PAPER = {"placement": {"post", "pre"}, "L": {"6", "8", "10", "12", "14", "24", "36", "48"},
         "d": {"512"}, "rho": {"1", "2"}}


def axes(grid, *words):
    """The values that the rows of the CSV have, which are all of the grid's points."""
    done = run("theorem1", *words, "--grid", grid, "--seeds", "2", "--tokens", "2", "--csv", "-")
    table = rows(done.stdout)
    found = {name: {row[name] for row in table} for name in PAPER}
    count = 2
    for values in found.values():
        count *= len(values)
    expect(len(table) == count, f"{words} {grid}: {len(table)} rows, not {count} {done.stderr}")
    return found


expect(axes("d=16 L=2,3", "--paper") == {**PAPER, "d": {"16"}, "L": {"2", "3"}}, "--paper, d and L")
expect(axes("d=8", "--paper") == {**PAPER, "d": {"8"}}, "--paper and d")
expect(axes("d=8 placement=peri rho=3", "--paper")
       == {**PAPER, "d": {"8"}, "placement": {"peri"}, "rho": {"3"}}, "--paper, d, placement and rho")
expect(axes("d=512 L=1 rho=1", "--paper") == axes("L=1 rho=1", "--paper"), "the width of --paper")
expect(axes("placement=post d=16 L=2")["rho"] == {"1", "4"}, "another grid without --paper")
finish()
