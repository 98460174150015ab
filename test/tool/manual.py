"""The man page and the help texts name the same verbs and options."""

import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "support"))
from program import ROOT, expect, finish, run  # noqa: E402

with open(os.path.join(ROOT, "doc", "man", "lnstab.1")) as file:
    page = file.read().replace("\\-", "-")


def section(title):
    match = re.search(rf'^\.SS "?{title}"?\n(.*?)(?=^\.S[SH])', page, re.M | re.S)
    return match.group(1) if match else ""


def options(text, pattern):
    return {name: argument or "" for name, argument in re.findall(pattern, text, re.M)}


verbs = re.findall(r"^  (\w+) +\w", run("help").stdout, re.M)
expect(len(verbs) >= 6, "help lists too few verbs")
for verb in verbs:
    told = section(verb)
    expect(told, f"the man page has no section {verb}")
    wanted = options(run("help", verb).stdout, r"^  (--[a-z-]+)(?: ([A-Z=]+))?(?:$| )")
    written = options(told, r"^\.B[IR]? (--[a-z-]+)(?: +\"? ?([A-Z=]+)\"?)?")
    expect(wanted == written, f"{verb}: help has {wanted}, the man page {written}")
    for grid in re.findall(r"^ +(placement=\S+ L=.*)$", run("help", verb).stdout, re.M):
        expect(grid in told, f"{verb}: the man page does not tell the axes {grid}")
    for name, standard in re.findall(r"^  (--[a-z-]+).*\(default: (.*)\)$",
                                     run("help", verb).stdout, re.M):
        expect(standard in told, f"{verb}: the man page does not tell {name}'s default {standard}")
for told in (page, run("help", "theorem1").stdout):
    expect('{"interrupted": true}' in told, "what an interrupt leaves in the JSON is not told")
finish()
