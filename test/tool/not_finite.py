"""What is not finite is told so, and no verdict on it says that a claim holds or agrees."""

import json
import os
import re
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "support"))
from program import expect, finish, rows, run  # noqa: E402

SMALL = ["--seeds", "3", "--tokens", "4"]
# Settings in which what some verdict is about, or all of it, is not finite.
ONE_CLASS = ["--grid", "placement=post,pre,peri L=1,2 d=16,32 rho=1", "--vocab", "1"]
CONSTANT_ROWS = ["--grid", "placement=post,pre L=1,2 d=1 rho=4"]
NO_QUERIES = ["--grid", "placement=post,pre L=1,2 d=16 rho=1", "--set", "qk_norm=head eps=0"]
SOME = ["--grid", "placement=post,pre,peri L=1,2 d=1,32 rho=4"]


def sweep(words):
    with tempfile.TemporaryDirectory() as directory:
        names = [os.path.join(directory, name) for name in ("runs.csv", "sums.json")]
        done = run("theorem1", *SMALL, *words, "--csv", names[0], "--json", names[1])
        what = " ".join(words)
        expect(done.returncode == 0 and not done.stderr, f"{what}: {done.returncode} {done.stderr}")
        with open(names[0]) as csv, open(names[1]) as text:
            return done.stdout, rows(csv.read()), json.load(text)["verdicts"]


def check(words):
    report, table, verdicts = sweep(words)
    what = " ".join(words)
    expect("-nan" not in report, f"{what}: the report has -nan")
    expect("nan" in report, f"{what}: the report has no nan")
    expect(not re.search(r"not covered: *$", report, re.M), f"{what}: not covered for no reason")
    expect(all("-nan" not in value for r in table for value in r.values()), f"{what}: -nan, CSV")
    for v in verdicts:
        expect(v["measured"] != "nan" or "not finite in" in v["verdict"], f"{what}: {v}")
        expect("not finite" not in v["verdict"] or not re.search("holds|agrees", v["verdict"]),
               f"{what}: {v}")
        expect(not re.search(r"-nan|\+--", v["measured"] + " " + v["predicted"]), f"{what}: {v}")
    return table, verdicts


def words_of(verdicts, start, placement):
    return [v["verdict"] for v in verdicts
            if (v["source"] + ": " + v["claim"]).startswith(start) and v["placement"] == placement]


_, verdicts = check(ONE_CLASS)
for claim in ("derived, rank one: ||dL_i", "derived, rank one: ||dLoss", "derived, mean field: exponent",
              "Xiong 2020, Theorem 1, as a rate", "Xiong 2020, Theorem 1, bound"):
    for words in words_of(verdicts, claim, "post"):
        expect("not finite in" in words, f"one class, {claim}: {words}")

table, verdicts = check(CONSTANT_ROWS)
expect(all(r["state_max"] == "nan" for r in table), "d=1 has a largest state")
expect(words_of(verdicts, "Xiong 2020, Lemma 2", "post") == ["undecided: not finite in 2 of 2"],
       "Lemma 2 for d=1")

check(NO_QUERIES)

_, verdicts = check(SOME)
for claim in ("Xiong 2020, Lemma 2", "Xiong 2020, Theorem 1, bound",
              "Xiong 2020, Theorem 1, probability", "derived, mean field: E||x||^2/d"):
    for words in words_of(verdicts, claim, "post"):
        expect("not finite in 2 of 4" in words, f"two cells of four, {claim}: {words}")

# Outside a claim's assumptions nothing is judged, and that is no failure.
with_eps = run("theorem1", "--grid", "placement=post,pre L=1,2 d=16,32 rho=1", *SMALL, "--set", "eps=1")
expect(with_eps.returncode == 0, f"eps=1: status {with_eps.returncode}")
verdict_lines = re.findall(r"^  (?:post|pre) .*$", with_eps.stdout, re.M)
expect(len(verdict_lines) == 22 and all("not covered" in line for line in verdict_lines),
       f"eps=1: {verdict_lines}")
expect("not covered: eps must be" in with_eps.stdout, "eps=1: the reason is not told")
finish()
