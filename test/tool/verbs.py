"""The small verbs: what they print is the library's own tables, and help knows every verb."""

import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "support"))
from program import expect, finish, run  # noqa: E402

help_text = run("help")
expect(help_text.returncode == 0, "help fails")
for verb in ("theorem1", "placements", "keys", "claims", "describe", "help"):
    expect(f"  {verb} " in help_text.stdout, f"help does not list {verb}")
    own = run("help", verb)
    expect(own.returncode == 0 and f"lnstab {verb}" in own.stdout, f"help {verb}")
    if verb != "help":
        expect(run(verb, "--help").stdout == own.stdout, f"{verb} --help is not help {verb}")
expect(run("--help").stdout == help_text.stdout, "--help is not help")
expect(run("--version").stdout.startswith("lnstab 0."), "--version")

placements = run("placements")
expect(placements.returncode == 0, "placements fails")
blocks = [line for line in placements.stdout.splitlines() if not line.startswith(" ")]
for name in "none post pre peri output-norm deepnorm ln-scaling mix custom".split():
    expect(name in blocks, f"placements does not list {name}")
expect("N(F(N(x)))" in placements.stdout, "placements has no formula of peri")
expect("theorem1.rigorous" in run("claims").stdout, "claims has no theorem1.rigorous")
expect("keep_states" in run("keys").stdout, "keys has no keep_states")

described = run("describe", "--set", "placement=peri beta=0.25", "--set", "layers=2 width=8 heads=2")
expect(described.returncode == 0, "describe fails: " + described.stderr)
json.loads(described.stdout)
expect("0.25" in described.stdout, "describe does not tell beta")
json.loads(run("describe").stdout)

finish()
