#!/usr/bin/env python3
"""Each examples/NN_*.c says what it shows, how to build it alone, and what it prints; and so it does.

Its head is a comment of three lines, the last of which has the output below it. The file is copied to
an empty directory and built there by its own second line, against an installed library. What it prints
has to be what it says, word by word, and numbers within one per cent or 1e-6 (the last digits belong to
the BLAS)."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from printed import differences, numbers

BUILD = os.environ.get("BUILD", "build")
MAKE = os.environ.get("MAKE", "make")
HEAD = re.compile(r"/\* \S.*\n \* Build: (.*)\n \* Output:\n((?: \*(?:   .*)?\n)*) \*/\n")
COMMAND = "cc {} $(pkg-config --cflags --libs lnstab)"


def install(prefix):
    places = {
        "DESTDIR": "", "prefix": prefix, "exec_prefix": prefix, "bindir": f"{prefix}/bin",
        "libdir": f"{prefix}/lib", "includedir": f"{prefix}/include", "datarootdir": f"{prefix}/share",
        "mandir": f"{prefix}/share/man", "pkgconfigdir": f"{prefix}/lib/pkgconfig",
    }
    words = [f"{key}={value}" for key, value in places.items()]
    subprocess.run([MAKE, "-s", f"BUILD={BUILD}", "install", *words], check=True)


def run(command, where, prefix):
    environment = dict(
        os.environ, PKG_CONFIG_PATH=f"{prefix}/lib/pkgconfig", LD_LIBRARY_PATH=f"{prefix}/lib"
    )
    return subprocess.run(
        ["sh", "-c", command], cwd=where, env=environment, capture_output=True, text=True
    )


def faults(source, scratch, prefix):
    head = HEAD.match(source.read_text())
    if not head:
        yield "does not start with three lines: what it shows, Build:, Output: with the output below"
        return
    command, output = head[1], re.sub(r"^ \* *", "", head[2], flags=re.M)
    if command not in (COMMAND.format(source.name), COMMAND.format(source.name) + " -lm"):
        yield f"is not built by: {command}"
        return
    if not numbers(output):
        yield "expects no number"
        return
    alone = scratch / source.stem
    alone.mkdir()
    shutil.copy(source, alone)
    built = run(command, alone, prefix)
    if built.returncode != 0:
        yield f"cannot be built alone:\n{built.stderr}"
        return
    ran = run("./a.out", alone, prefix)
    if ran.returncode != 0:
        yield f"ends with status {ran.returncode}: {ran.stderr}"
    yield from differences(output, ran.stdout)


def all_faults():
    sources = sorted(pathlib.Path("examples").glob("[0-9]*.c"))
    if not sources:
        yield "there are no examples"
    with tempfile.TemporaryDirectory(prefix="lnstab.") as name:
        scratch = pathlib.Path(name)
        prefix = scratch / "prefix"
        install(prefix)
        for source in sources:
            for fault in faults(source, scratch, prefix):
                yield f"{source}: {fault}"


found = list(all_faults())
for fault in found:
    print(f"  {fault}")
sys.exit(1 if found else 0)
