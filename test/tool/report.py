"""One report in every format: the same numbers, whole files, the same bytes again."""

import csv
import html.parser
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import xml.etree.ElementTree
from decimal import Decimal

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "support"))
from program import expect, finish, run  # noqa: E402

GRID = ["--grid", "placement=pre,post,peri:beta=0.1 L=4,1,2 d=32,256 rho=1,0.5"]
SWEEP = ["theorem1", *GRID, "--seeds", "3", "--tokens", "4"]
SMALL = ["theorem1", "--grid", "placement=post L=1,2 d=8 rho=1", "--seeds", "2", "--tokens", "4"]
SVG = "{http://www.w3.org/2000/svg}"


def read(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return file.read()


class Page(html.parser.HTMLParser):
    """The rows of the tables, the code and the text of a page; a stray tag is a fault."""

    def __init__(self, text):
        super().__init__()
        self.rows, self.code, self.open, self.cell = [], [], [], None
        self.feed(text)
        expect(not self.open, f"the page leaves {self.open} open")

    def handle_starttag(self, tag, attrs):
        expect(tag != "script", "the page has a script")
        for name, value in attrs:
            expect(name not in ("src", "href", "xlink:href") or value[:1] == "#" or value == "data:,",
                   f"the page asks for {value}")
        if tag == "tr":
            self.rows.append([])
        elif tag in ("th", "td"):
            self.rows[-1].append("")
        elif tag == "sup":
            self.rows[-1][-1] += "^"
        elif tag == "code":
            self.code.append("")
        if tag not in ("meta", "link"):
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        pass

    def handle_endtag(self, tag):
        expect(self.open and self.open.pop() == tag, f"the page closes {tag}, which is not open")

    def handle_data(self, data):
        if "td" in self.open or "th" in self.open:
            self.rows[-1][-1] += data
        elif "code" in self.open:
            self.code[-1] += data


def plain(cell):
    """A cell as the text format has it."""
    cell = re.sub(r"\$?(?:\\times|\u00d7)10\^\{?([-\u2212]?)(\d+)\}?\$?",
                  lambda m: f"e{'-' if m.group(1) else '+'}{int(m.group(2)):02d}", cell)
    for marked, text in (("$\\pm$", "+-"), ("$-$", "-"), ("\\%", "%"), ("\\_", "_"), ("{[}", "["),
                         ("\\[", "["), ("\\]", "]"), ("\u00b1", "+-"), ("\u2212", "-"), ("\u202f", ""),
                         ("\u2013", "-"), ("--", "-")):
        cell = cell.replace(marked, text)
    return cell.strip()


def lines_of(rows):
    return [" ".join(" ".join(map(plain, row)).split()) for row in rows]


def text_tables(text):
    """The lines of the tables: they come behind a heading's blank line, up to the next."""
    blocks = [block.splitlines() for block in text.split("\n\n")]
    return [" ".join(line.split()) for b in blocks if b[0].startswith("placement ") for line in b]


def part(rows, start, end):
    """Rows from each that begins with start up to end."""
    found, inside = [], False
    for row in rows:
        inside = row.startswith(start) or (inside and not row.startswith(end))
        if inside:
            found.append(row)
    return found


def check_formats(directory):
    text = run(*SWEEP, "--html", os.path.join(directory, "page.html")).stdout
    expect(run(*SWEEP).stdout == text, "a page changes what is printed")
    expect(run(*SWEEP, "--format", "text").stdout == text, "--format text is not the text")
    markdown = run(*SWEEP, "--format", "markdown").stdout
    latex = run(*SWEEP, "--format", "latex").stdout
    page = Page(read(directory, "page.html"))
    wanted = text_tables(text)
    expect(len(wanted) == 2 * (1 + 36) + (1 + 12) + (1 + 18), f"{len(wanted)} lines of tables")
    bars = [re.split(r"(?<!\\)\|", line)[1:-1] for line in markdown.splitlines()
            if line.startswith("| ") and not line.startswith("| :--")]
    cells = [line[:-3].split(" & ") for line in latex.splitlines()
             if line.endswith(" \\\\") and not line.startswith("\\multicolumn")]
    for name, rows in (("Markdown", bars), ("LaTeX", cells), ("HTML", page.rows)):
        found = part(lines_of(rows), "placement rho", ("subject", "name"))
        expect(found == wanted, f"{name} has other tables than text: "
               f"{[pair for pair in zip(found, wanted) if pair[0] != pair[1]][:1]} {len(found)}")
        words = " ".join(" ".join(lines_of(rows)).split())
        for verdict in re.findall(r"^  (?:pre|post|peri beta=0.1) +.*?((?:agrees|holds|not covered|undecided).*)$",
                                  text, re.M):
            expect(" ".join(verdict.split()) in words, f"{name} has no verdict {verdict}")
    for environment in ("longtable", "figure"):
        expect(latex.count("\\begin{%s}" % environment) == latex.count("\\end{%s}" % environment),
               f"LaTeX: {environment} is not closed")
    expect(latex.count("{") - latex.count("\\{") == latex.count("}") - latex.count("\\}"),
           "LaTeX: braces")
    return text


def rounds_to(value, said):
    """True if said is value with fewer digits."""
    said = Decimal(said)
    return abs(Decimal(value) - said) <= Decimal("0.5000001") * Decimal(10) ** said.as_tuple().exponent


def check_estimate(row, name, said):
    """said is 0.987+-.012, or 0.1234+-2.1%."""
    mean, half = said.rstrip("%").split("+-")
    value, low, high = (float(row[name + end]) for end in ("", "_low", "_high"))
    expect(rounds_to(value, mean), f"{name}: {value} is not {mean}")
    expect(abs((low + high) / 2 - value) <= 1e-12 * abs(value), f"{name}: not the middle")
    wanted = (high - low) / 2 * (100 / abs(value) if said.endswith("%") else 1)
    expect(rounds_to(wanted, half), f"{name}: {wanted} is not {half}")


def check_csv(directory, text):
    rows = {}
    for name in ("gradient", "state", "exponents_in_depth", "exponents_in_width", "verdicts",
                 "configuration"):
        with open(os.path.join(directory, name + ".csv"), newline="", encoding="utf-8") as file:
            table = list(csv.reader(file))
        expect(len(set(table[0])) == len(table[0]), f"{name}: a column's name twice: {table[0]}")
        expect(all(re.fullmatch(r"[a-zA-Z0-9_]+", column) for column in table[0]), f"{name}: {table[0]}")
        expect(all(len(row) == len(table[0]) for row in table), f"{name}: rows differ in length")
        rows[name] = [dict(zip(table[0], row)) for row in table[1:]]
    lines = text_tables(text)[1:37]
    expect(len(rows["gradient"]) == 36, "36 rows of the gradient")
    for row, line in zip(rows["gradient"], lines):
        said = line.replace("peri beta=0.1", "peri_beta=0.1").split()
        expect([row["placement"].replace(" ", "_"), row["rho"], row["d"], row["L"]] == said[:4],
               f"{row} is not {line}")
        for name, word in zip(("raw_norm", "token_ratio"), said[4:6]):
            check_estimate(row, name, word)
        expect(rounds_to(float(row["token_ratio_predicted"]), said[6]), f"{line}: prediction")
        for name, word in zip(("token_ratio_over_predicted", "raw_norm_over_predicted"), said[7:9]):
            check_estimate(row, name, word)
        for name, word in zip(("printed_bound", "rigorous_bound", "raw_over_printed_bound"), said[9:]):
            expect(row[name] == "" if word == "-" else rounds_to(float(row[name]), word),
                   f"{line}: {name} is {row[name]}")
    expect(any(r["lemma2_low"] == "" for r in rows["state"]) and
           any(float(r["lemma2_low"] or "inf") < float(r["lemma2_high"] or 0) for r in rows["state"]),
           "the state has no range of Lemma 2, or no gap")
    expect({r["subject"] for r in rows["verdicts"]} == {"pre", "post", "peri beta=0.1"} and
           {r["violated"] for r in rows["verdicts"]} == {"0"}, "the table of the verdicts")
    return rows["gradient"]


def check_meta(path, words, grid, seeds):
    meta = json.loads(read(path))
    expect(meta["version"] == run("--version").stdout.strip(), f"{path}: {meta['version']}")
    expect(meta["command"] == ["lnstab", *words], f"{path}: {meta['command']}")
    expect(meta["seeds"] == seeds and meta["grid"] == grid, f"{path}: {meta}")


def texts_of(picture):
    """Words, and the box that they stand in, a letter taken as 0.55 of its height."""
    for group in picture.iter(SVG + "g"):
        for word in group.findall(SVG + "text"):
            said = "".join(word.itertext())
            x, y = map(float, re.match(r"translate\(([-\d.]+),([-\d.]+)\)", group.get("transform")).groups())
            size, anchor = float(group.get("font-size")), group.get("text-anchor")
            width = 0.55 * size * len(said)
            x -= {"start": 0, "middle": width / 2, "end": width}[anchor]
            yield said.strip(), (x, y - 0.75 * size, x + width, y + 0.2 * size)


def check_svg(path, labels, panels):
    picture = xml.etree.ElementTree.parse(path).getroot()
    width, height = (float(picture.get(key)) for key in ("width", "height"))
    found = [(said, box) for said, box in texts_of(picture) if said]
    said = [text for text, _ in found]
    for label, count in labels.items():
        expect(said.count(label) == count, f"{path}: {said.count(label)} of {label}, not {count}")
    expect(all(panel in said for panel in panels), f"{path}: panels {panels} in {said}")
    expect(sum("(log scale)" in text for text in said) == 2, f"{path}: log axes do not say so")
    for i, (a, (left, top, right, bottom)) in enumerate(found):
        expect(left >= 0 and top >= 0 and right <= width and bottom <= height, f"{path}: {a} is outside")
        for b, other in found[:i]:
            expect(left >= other[2] or right <= other[0] or top >= other[3] or bottom <= other[1],
                   f"{path}: {a} lies over {b}")


def check_points(path, gradient, axis):
    """The figure's numbers are the table's, at the largest size and the last rho."""
    with open(path, newline="", encoding="utf-8") as file:
        points = list(csv.DictReader(file))
    expect(list(points[0]) == ["panel", "series", "x", "y", "low", "high"], f"{path}: {list(points[0])}")
    held = {"L": ("d", "256"), "d": ("L", "4")}[axis]
    for placement in ("pre", "post", "peri beta=0.1"):
        cells = sorted((r for r in gradient if r["placement"] == placement and r[held[0]] == held[1]
                        and r["rho"] == "0.5"), key=lambda r: float(r[axis]))
        measured = [[p["x"], p["y"], p["low"], p["high"]] for p in points
                    if p["panel"] == placement and p["series"] == "measured"]
        expect(measured == [[r[axis], *(r["token_ratio" + end] for end in ("", "_low", "_high"))]
                            for r in cells], f"{path}: {placement}: {measured}")
        predicted = [p["y"] for p in points if p["panel"] == placement and p["series"] == "predicted"]
        expect(predicted == [r["token_ratio_predicted"] for r in cells], f"{path}: {predicted}")


def check_files(words, directory):
    """Everything at once into directory, by relative paths. Returns what is there afterwards."""
    done = run(*words, cwd=directory)
    expect(done.returncode == 0 and done.stderr == "", f"{words}: {done.stderr}")
    found = {}
    for folder, _, names in os.walk(directory):
        for name in names:
            with open(os.path.join(folder, name), "rb") as file:
                found[os.path.relpath(os.path.join(folder, name), directory)] = file.read()
    return done.stdout, found


ALL = ["--tables", "t", "--figures", "f", "--png", "--html", "page.html", "--csv", "runs.csv"]

with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as two:
    text = check_formats(one)
    os.remove(os.path.join(one, "page.html"))
    words = [*SWEEP, *ALL]
    printed, files = check_files(words, one)
    expect(re.sub(r"\nFigure: \S+\n", "", printed) == text, "the text with figures is another")
    expect(printed.count("\nFigure: f/gradient_by_") == 2, "the text does not name the figures")
    expect((printed, files) == check_files(words, two), "the same command writes other bytes")
    gradient = check_csv(os.path.join(one, "t"), text)
    for path in ("t/meta.json", "runs.csv.meta.json"):
        check_meta(os.path.join(one, path), words, GRID[1], {"first": 1, "count": 3})
    for name, axis in (("gradient_by_depth", "L"), ("gradient_by_width", "d")):
        figure = os.path.join(one, "f", name)
        check_svg(figure + ".svg", {"measured": 3, "predicted": 3, "printed bound": 2},
                  ["pre", "post", "peri beta=0.1"])
        check_points(figure + ".csv", gradient, axis)
        expect(files[f"f/{name}.png"].startswith(b"\x89PNG"), f"{name}.png")
        drawn = subprocess.run(["gnuplot", name + ".gp"], cwd=os.path.join(one, "f"),
                               capture_output=True, timeout=60)
        expect(drawn.stdout == files[f"f/{name}.svg"] and not drawn.stderr, f"{name}.gp by hand")

    # A file of a directory is nobody else's.
    for path, content in files.items():
        folder = os.path.dirname(path)
        if not folder:
            continue
        for option in ("--csv", "--json", "--html", "--text"):
            refused = run(*SWEEP, "--tables", "t", "--figures", "f", option, f"{folder}/./{os.path.basename(path)}",
                          cwd=one)
            expect(refused.returncode == 2 and "same file" in refused.stderr and
                   refused.stderr.count("\n") == 1, f"{option} {path}: {refused.stderr}")
            with open(os.path.join(one, path), "rb") as file:
                expect(file.read() == content, f"{option} {path}: overwritten")

    # A new directory's file is known before it is there, and nothing is made then.
    refused = run(*SMALL, "--tables", "new", "--csv", "new/gradient.csv", cwd=one)
    expect(refused.returncode == 2 and "same file" in refused.stderr, f"new: {refused.stderr}")
    expect(not os.path.exists(os.path.join(one, "new")), "a refused directory is made")

    # Tables and figures in one directory.
    _, both = check_files([*SMALL, "--tables", "both", "--figures", "both"], one)
    expect({"both/gradient.csv", "both/gradient_by_depth.csv", "both/gradient_by_depth.svg"} <= set(both),
           "one directory for tables and figures")

# Words of a command that would break markup, and bytes that are no text.
with tempfile.TemporaryDirectory() as directory:
    odd = "<b>&\"it's\"\udcff.json"
    done = run(*SMALL, "--json", odd, "--html", "p.html", "--tables", "t", cwd=directory)
    expect(done.returncode == 0, f"an odd name: {done.stderr}")
    page = Page(read(directory, "p.html"))
    expect(shlex.split(page.code[-1]) == ["lnstab", *SMALL, "--json", odd.replace("\udcff", "\ufffd"),
                                          "--html", "p.html", "--tables", "t"], page.code[-1])
    expect(json.loads(page.code[0])["layers"] == 1, "the page has no description of the first cell")
    meta = json.loads(read(directory, "t", "meta.json"))
    expect(meta["command"][-5] == odd.replace("\udcff", "\ufffd"), f"meta.json: {meta['command']}")
    run("theorem1", "--grid", "d=8 L=1 placement=pre:beta=0.5", "--seeds", "2", "--tables", "t", cwd=directory)
    expect(json.loads(read(directory, "t", "meta.json"))["grid"] == "placement=pre:beta=0.5 L=1 d=8 rho=1,4",
           "meta.json has not every axis of the grid")
    to_stdout = run(*SMALL, "--html", "-", cwd=directory)
    expect(to_stdout.stdout.startswith("<!DOCTYPE html>") and
           to_stdout.stdout.endswith("</html>\n"), "--html - is not a page alone")
    Page(to_stdout.stdout)

    # The same seeds with Gaussian inputs stand beside a text's.
    text_run = ["theorem1", "--grid", "placement=post L=1,2 d=16 rho=1", "--seeds", "3", "--text", __file__]
    done = run(*text_run, "--figures", "f", "--csv", "runs.csv", cwd=directory)
    expect(done.returncode == 0, f"--text: {done.stderr}")
    run("theorem1", *text_run[1:5], "--vocab", "256", "--tables", "g", cwd=directory)
    check_svg(os.path.join(directory, "f", "text_against_gaussian.svg"),
              {"text": 1, "Gaussian": 1, "predicted": 1}, ["post"])
    with open(os.path.join(directory, "f", "text_against_gaussian.csv"), newline="") as file:
        points = [p["y"] for p in csv.DictReader(file) if p["series"] == "Gaussian"]
    with open(os.path.join(directory, "g", "gradient.csv"), newline="") as file:
        expect(points == [r["token_ratio"] for r in csv.DictReader(file)], "Gaussian inputs")
    with open(os.path.join(directory, "runs.csv")) as file:
        expect(len(file.readlines()) == 1 + 2 * 3, "the CSV has other runs than the text's")

# What is missing or in the way is found out before the run: 100000 seeds would last.
LONG = ["theorem1", "--grid", "L=1 d=64 rho=1", "--seeds", "100000"]
with tempfile.TemporaryDirectory() as directory:
    with open(os.path.join(directory, "file"), "w") as file:
        file.write("x")
    for words, names in (
        (["--figures", "f"], ["gnuplot"]), (["--html", "p.html"], ["gnuplot"]),
    ):
        done = run(*LONG, *words, cwd=directory, env={**os.environ, "PATH": ""})
        expect(done.returncode == 2 and done.stderr.count("\n") == 1 and "gnuplot" in done.stderr,
               f"{words} without gnuplot: {done.returncode} {done.stderr}")
    for words, names in (
        (["--format", "html"], ["html", "text", "markdown", "latex"]),
        (["--png"], ["--png", "--figures"]),
        (["--format", "latex", "--csv", "-"], ["--format", "--csv -"]),
        (["--html", "-", "--json", "-"], ["--json -", "--html -"]),
        (["--tables", "a/b"], ["--tables", "a/b"]),
        (["--figures", "file"], ["--figures", "file", "not a directory"]),
        (["--html", "absent/p.html"], ["--html", "absent/p.html"]),
        (["--html", "p.html", "--csv", "./p.html"], ["p.html", "./p.html"]),
        (["--csv", "r", "--json", "r.meta.json"], ["r.meta.json"]),
    ):
        done = run(*LONG, *words, cwd=directory)
        expect(done.returncode == 2 and done.stderr.count("\n") == 1 and done.stdout == "",
               f"{words}: {done.returncode} {done.stderr}")
        for name in names:
            expect(name in done.stderr, f"{words}: {done.stderr!r} does not name {name}")
    expect(os.listdir(directory) == ["file"], f"left behind: {os.listdir(directory)}")

    # A gnuplot that fails is an error, not an empty figure, and leaves no directory of its own.
    tools, room = os.path.join(directory, "bin"), os.path.join(directory, "tmp")
    os.mkdir(tools), os.mkdir(room)
    with open(os.path.join(tools, "gnuplot"), "w") as file:
        file.write("#!/bin/sh\n[ \"$1\" = --version ] || echo '<svg'\n")
    os.chmod(os.path.join(tools, "gnuplot"), 0o755)
    broken = {**os.environ, "PATH": tools + ":" + os.environ["PATH"], "TMPDIR": room}
    for words in (["--figures", "f"], ["--html", "p.html"]):
        done = run(*SMALL, *words, cwd=directory, env=broken)
        expect(done.returncode == 2 and "gnuplot" in done.stderr and done.stderr.count("\n") == 1,
               f"{words}, a broken gnuplot: {done.returncode} {done.stderr}")
    run(*SMALL, "--html", "p.html", cwd=directory, env={**os.environ, "TMPDIR": room})
    expect(os.listdir(room) == [], f"left behind: {os.listdir(room)}")

    done = run(*SMALL, "--tables", "/dev/full", cwd=directory)
    expect(done.returncode == 2 and "/dev/full" in done.stderr, f"/dev/full: {done.stderr}")
    run(*SMALL, "--csv", "/dev/null", cwd=directory)
    expect(not os.path.exists("/dev/null.meta.json"), "a meta.json beside a device")
finish()
