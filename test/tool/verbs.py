"""The small verbs: what they print is the library's own tables, and help knows every verb."""

import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "support"))
from program import expect, finish, run  # noqa: E402

help_text = run("help")
expect(help_text.returncode == 0, "help fails")
for verb in ("theorem1", "check", "compare", "sensitivity", "verify", "placements", "presets", "keys", "claims", "describe", "help"):
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


expect("dt" in run("keys").stdout.split(), "keys does not tell that dt is beta")

# the published counts, GPT-2's with its positions and tied head, in no memory of their size
for preset, count in (("gpt2-124m", 124439808), ("gpt2-355m", 354823168), ("gpt2-774m", 774030080),
                      ("gpt2-1.5b", 1557611200)):
    known = json.loads(run("describe", "--preset", preset).stdout)
    expect(known["parameter_count"] == count, f"{preset} has {known['parameter_count']} parameters")
    expect(known["bytes"] > 8 * count, f"{preset}: {known['bytes']} bytes")
small = json.loads(run("describe", "--preset", "gpt2-124m", "--set", "layers=1").stdout)
expect(small["layers"] == 1 and small["width"] == 768, "--set does not count before --preset")
expect(run("describe", "--preset", "gpt5").returncode == 2, "an unknown preset is taken")
finish()
