#!/usr/bin/env python3
"""README.md and doc/guide.md, followed to the letter: every block of them is executed.

Each page is one shell session, which starts at the top of a clone with a home of its own and ends at the
first command that fails. ```sh blocks are its commands. ```text is what the block of commands before it
prints (printed.py); "..." stands for lines left out. ```c, ```conf and ```python are files, whose name is
the last one in `...` before the block: a file of the clone has to be the same, another one is written, and a
command below has to name it. A page's figures are drawn by its commands and are those of doc/figures. Blocks of
any other kind are faults."""
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

from printed import differences

PAGES = ("README.md", "doc/guide.md")
FIGURES = pathlib.Path("doc/figures")
PARTS = (".svg", ".csv", ".gp")
# Blocks that are not executed: they reach a network, or run this gate.
LEFT_OUT = (
    "make deps demo      # install what is missing (Debian, Ubuntu), build, measure Theorem 1: about a minute\n"
    "make deps check     # the same, then every test and the fast gates: under five minutes\n",
    "sudo apt-get install gcc libc6-dev make pkg-config libopenblas-dev gnuplot-nox\n",
)
BLOCK = re.compile(r"^```(.*)\n((?:.*\n)*?)```$", re.M)
MARK = "\1"  # before the output of each block of commands


class Page:
    """What a page has: the shell script of its blocks, and the texts that they should print."""

    def __init__(self, name):
        self.text = pathlib.Path(name).read_text()
        self.script, self.commands, self.files = "set -e\n", "", []
        self.prints, self.count, self.faults = [], 0, []
        at = 0
        for block in BLOCK.finditer(self.text):
            self.add(block[1], block[2], self.text[at:block.start()])
            at = block.end()
        prose = BLOCK.sub("", self.text)
        self.faults += [f"a block without a kind: {line.strip()}"
                        for line in re.findall(r"^(?: {4,}|\t).*\S.*", prose, re.M)]
        self.faults += [f"no command uses {file}" for file, commands in self.files
                        if file not in self.commands[commands:]]

    def add(self, kind, text, before):
        if text in LEFT_OUT:
            return
        if kind == "sh":
            self.count += 1
            self.script += f"printf '\\1'\n{text}"
            self.commands += text
        elif kind == "text":
            self.prints.append((self.count, text))
        elif kind in ("c", "conf", "python"):
            self.add_file(text, re.findall(r"`([\w./-]+\.\w+)`", before))
        else:
            self.faults.append(f"a block that nothing executes: {kind or text.splitlines()[0]}")

    def add_file(self, text, names):
        if not names:
            self.faults.append(f"a file without a name: {text.splitlines()[0]}")
            return
        self.files.append((names[-1], len(self.commands)))
        if not pathlib.Path(names[-1]).exists():
            self.script += f"cat >{names[-1]} <<'END OF FILE'\n{text}END OF FILE\n"
        elif pathlib.Path(names[-1]).read_text() != text:
            self.faults.append(f"the block differs from {names[-1]}")

    def figures(self):
        return [pathlib.Path(path).stem for path in re.findall(r"!\[[^]]*\]\(([^)]*)\)", self.text)]


def clone(scratch):
    """The tree by links, so that what a page writes stays out of it and what is built is used."""
    top = scratch / "clone"
    top.mkdir()
    for entry in pathlib.Path().iterdir():
        if entry.name != ".git":
            (top / entry.name).symlink_to(entry.resolve())
    return top


def environment(home):
    """Places that make was given for its own install are not a newcomer's."""
    places = re.compile(r"\b(DESTDIR|\w*prefix|[a-z]+dir)=\S*")
    kept = {key: value for key, value in os.environ.items() if not places.match(f"{key}=")}
    kept["MAKEFLAGS"] = places.sub("", kept.get("MAKEFLAGS", ""))
    return dict(kept, HOME=str(home), LC_ALL="C")


def follow(page, scratch):
    """The status of the session and what each block of commands prints."""
    home, script = scratch / "home", scratch / "script"
    home.mkdir()
    script.write_text(page.script)
    ran = subprocess.run(["sh", script], cwd=clone(scratch), env=environment(home), text=True,
                         stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return ran.returncode, ran.stdout.split(MARK)


def figure_faults(page, scratch):
    for name in page.figures():
        for part in PARTS:
            drawn = [pathlib.Path(top, file) for top, _, files in os.walk(scratch) for file in files
                     if file == name + part]
            kept = FIGURES / (name + part)
            if not drawn or not kept.exists():
                yield f"{kept}: no command draws it" if not drawn else f"{kept} is missing: make figures"
                continue
            texts = (re.sub("<desc>.*</desc>", "", path.read_text()) for path in (kept, drawn[-1]))
            yield from (f"{kept}: {fault}" for fault in list(differences(*texts))[:1])


def page_faults(page):
    yield from page.faults
    with tempfile.TemporaryDirectory(prefix="lnstab.") as name:
        status, printed = follow(page, pathlib.Path(name))
        if status != 0:
            yield f"the commands end with status {status}:\n{printed[-1]}"
            return
        for block, text in page.prints:
            if block == 0:
                yield f"no command prints: {text.splitlines()[0]}"
                continue
            yield from differences(text, printed[block])
        yield from figure_faults(page, pathlib.Path(name))


def tree_faults(pages):
    """doc/figures has the figures of the pages and no others; make figures draws them as the pages do."""
    shown = {name + part for page in pages.values() for name in page.figures() for part in PARTS}
    for file in sorted(FIGURES.glob("*")):
        if file.name not in shown:
            yield f"{file}: no page shows it"
    commands = [shlex.split(line, comments=True) for page in pages.values() for line in page.commands.splitlines()]
    for line in re.findall(r"^\t\$\(BUILD\)/(lnstab .*) --figures", pathlib.Path("Makefile").read_text(), re.M):
        words = shlex.split(line)
        if not any(command[:len(words)] == words for command in commands):
            yield f"Makefile: no page draws figures by: {line}"


def all_faults():
    pages = {name: Page(name) for name in PAGES if pathlib.Path(name).exists()}
    for name in PAGES:
        if name not in pages:
            yield f"{name} is missing"
    for name, page in pages.items():
        yield from (f"{name}: {fault}" for fault in page_faults(page))
    yield from tree_faults(pages)
    text = "".join(page.text for page in pages.values())
    yield from (f"nowhere to be left out: {block.splitlines()[0]}" for block in LEFT_OUT if block not in text)


found = list(all_faults())
for fault in found:
    print(f"  {fault}")
sys.exit(1 if found else 0)
