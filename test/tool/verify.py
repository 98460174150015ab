"""lnstab verify: text, CSV, JSON, tables and page tell the same; nothing depends on threads or filters."""

import json
import os
import re
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "support"))
from program import expect, finish, rows, run  # noqa: E402

directory = tempfile.mkdtemp()
GRID = ["--grid", "placement=post,peri:beta=0.5 L=1,2 d=16 rho=1"]
SMALL = ["verify", *GRID, "--tokens", "4", "--seeds", "3", "--weights", "4000"]
COUNTS = ("compared", "outside", "undecided", "not_finite")


def path(name):
    return os.path.join(directory, name)


def read(name):
    with open(path(name)) as file:
        return file.read()


def blocks(text):
    return {line: text[i + 1:] for i, line in enumerate(text) if line and not line.startswith(" ")}


# Every claim of the table, and every kind of weights that it is asked of.
done = run(*SMALL, "--csv", path("csv"), "--json", path("json"), "--html", path("html"), "--tables",
           path("tables"))
expect(done.returncode == 0, f"status {done.returncode}: {done.stderr}")
names, kinds, needs = [], {}, {}
for line in run("claims").stdout.splitlines():
    if not line.startswith(" "):
        names.append(line)
    elif line.split()[0] in ("kind", "needs"):
        (kinds if line.split()[0] == "kind" else needs)[names[-1]] = line.split()[1:]
csv = rows(read("csv"))
numbers = json.loads(read("json"))
expect([c["claim"] for c in numbers["claims"]] == names, "the claims of the JSON")
expect(list(dict.fromkeys(row["claim"] for row in csv)) == names, "the claims of the CSV")
EXACT = {"initial", "x0.1", "x10", "perturbed", "perturbed, RMS", "adversarial"}
for name in names:
    weights = {row["weights"] for row in csv if row["claim"] == name}
    exact = kinds[name] in (["identity"], ["inequality"])
    expect(weights == (EXACT if exact else {"theory", "theory, W_O"}), f"{name}: {weights}")
    expect(sum(int(row["compared"]) for row in csv if row["claim"] == name) > 0,
           f"{name} is compared nowhere")

# The same sums everywhere.
total = {count: sum(int(row[count]) for row in csv) for count in COUNTS}
expect(total["compared"] == numbers["comparisons"] and total["undecided"] == numbers["undecided"] and
       total["outside"] == numbers["violated"] + numbers["do_not_reproduce"], f"{total}")
expect(numbers["violated"] == 0, "violated")
summary = done.stdout.splitlines()[-1]
expect(f"{len(names)} claims, 2 placements, {total['compared']} comparisons: 0 violated, "
       f"{numbers['do_not_reproduce']} do not reproduce, {total['undecided']} undecided" in summary,
       summary)
lines = {(c["claim"], line["placement"], line["weights"]): line
         for c in numbers["claims"] for line in c["lines"]}
for key, line in lines.items():
    of = [row for row in csv if (row["claim"], row["placement"], row["weights"]) == key]
    expect(len(of) == 2, f"{key}: {len(of)} cells")
    for count in COUNTS:
        expect(line[count] == sum(int(row[count]) for row in of), f"{key}: {count}")
    ends = [float(row["measured_high"]) for row in of if row["measured_high"]]
    expect(not ends or line["measured"][1] == max(ends), f"{key}: measured {line['measured']}")
table = {(row["claim"], row["placement"], row["weights"]): row for row in rows(read("tables/lines.csv"))}
expect(list(table) == list(lines), "the lines of the table")
for key, row in table.items():
    expect(int(row["compared"]) == lines[key]["compared"] and
           row["verdict"].startswith(lines[key]["verdict"]), f"{key}: {row['verdict']}")
verdicts = rows(read("tables/verdicts.csv"))
expect(len(verdicts) == 2 * len(names), f"{len(verdicts)} verdicts")
page = read("html")
for name in names:
    expect(name in done.stdout and name in page, f"{name} is not in the report")
expect("VIOLATED" not in done.stdout and "holds" in page, "the verdicts")

# What is known of a single number: a norm's output is at its bound; peri's states are 1 + k beta^2.
line = lines["bound.state", "post", "x10"]
expect(line["stated"] == [1, 1] and 0.999 < line["measured"][1] <= 1 + 1e-12, f"bound.state {line}")
line = lines["bound.state", "post", "perturbed"]
expect(line["compared"] == 0 and "gamma 1" in line["reason"], f"bound.state of other gammas: {line}")
line = lines["meanfield.state", "peri beta=0.5", "theory"]
expect(line["stated"] == [1, 2], f"meanfield.state {line}")
line = lines["scale.state", "peri beta=0.5", "perturbed"]
expect(line["compared"] == 5 and line["measured"] == [0, 0], f"scale.state {line}")
expect("no finite value" in lines["scale.state", "post", "perturbed"]["reason"], "N_out of post")
expect(lines["scale.state", "peri beta=0.5", "x10"]["reason"] == "eps must be 0", "eps")

# Costly claims are asked at one place of models above --weights, and at four below: 16^2 6 weights a layer.
few = json.loads(run(*SMALL[:-1], "1600", "--claims", "local,meanfield.q", "--json", "-").stdout)
many = json.loads(run(*SMALL[:-1], "4000", "--claims", "local,meanfield.q", "--json", "-").stdout)
least = json.loads(run(*SMALL[:-1], "0", "--claims", "local,meanfield.q", "--json", "-").stdout)
expect(0 < least["comparisons"] < few["comparisons"] < many["comparisons"], "--weights")
# Means over few seeds decide nothing: with one hidden unit most seeds have none that is open.
few_seeds = run("verify", "--grid", "placement=peri:eps=0 L=1 d=4 rho=0.25", "--seeds", "2", "--tokens", "3",
                "--claims", "lemma1")
expect(few_seeds.returncode == 0 and "undecided" in few_seeds.stdout, "few seeds")
for c in few["claims"]:
    expect(c["claim"] in ("local.jacobian", "meanfield.q"), c["claim"])

# The same bytes on any number of threads; a filter leaves other claims' measurements alone.
one = run(*SMALL, "--threads", "1", "--csv", "-")
expect(one.stdout == read("csv"), "a thread more or less")
alone = rows(run(*SMALL, "--claims", "ellipsoid.norm", "--csv", "-").stdout)
expect(alone == [row for row in csv if row["claim"] == "ellipsoid.norm"], "ellipsoid.norm alone")
expect(run(*SMALL[:-2], "--seed", "5", "--claims", "ellipsoid", "--csv", "-").stdout !=
       run(*SMALL[:-2], "--claims", "ellipsoid", "--csv", "-").stdout, "--seed")

# The default grid has every placement that the library has.
standard = re.search(r"placement=(\S+)", run("help", "verify").stdout).group(1).split(",")
known = [line for line in run("placements").stdout.splitlines() if line and not line.startswith(" ")]
expect(standard == known, f"{standard} are not {known}")

# Wrong usage, and what cannot be written.
for words, said in [
        (["stray"], ["stray"]), (["--claims", "lemma9"], ["--claims lemma9", "lnstab claims"]),
        (["--claims", "lemma2,,rank"], ["--claims"]), (["--claims", ""], ["--claims"]),
        (["--seeds", "1"], ["--seeds 1", "2.."]), (["--tokens", "1"], ["--tokens 1", "2.."]),
        (["--weights", "-1"], ["--weights -1"]), (["--grid", "L=0"], ["L=0"]),
        (["--grid", "placement=peri:layers=3"], ["layers", "L="]),
        (["--grid", "placement=peri:dtype=float32"], ["float32", "float64"]),
        (["--grid", "placement=peri:beta=x"], ["beta", "x"]), (["--grid", "d=15 rho=1.5"], ["22.5"]),
        (["--figures", directory], ["--figures"]), (["--csv", "/nonexistent/x"], ["/nonexistent/x"]),
        (["--csv", "-", "--json", "-"], ["--csv", "--json"]),
        (["--csv", path("same"), "--json", path("same")], ["same file"]),
        (["--html", "/dev/full", "--claims", "lemma4"], ["--html"])]:
    done = run("verify", "--grid", "L=1 d=16 rho=1", *words)
    expect(done.returncode == 2 and done.stderr.count("\n") == 1, f"{words}: {done.stderr!r}")
    for word in said:
        expect(word in done.stderr, f"{words}: {done.stderr!r} does not name {word!r}")
expect(not os.path.exists(path("same")), "a refused file is made")
finish()
