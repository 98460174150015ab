"""Wrong usage is one line on stderr that names the value and the limit, and status 2."""

import os
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "support"))
from program import expect, finish, run  # noqa: E402

directory = tempfile.mkdtemp()
empty = os.path.join(directory, "empty")
short = os.path.join(directory, "short")
open(empty, "w").close()
with open(short, "w") as f:
    f.write("ten bytes.")

# Words of the command line, and what the line must name.
WRONG = [
    (["theorem2"], ["theorem2", "theorem1", "describe"]),
    ([], ["help"]),
    (["help", "theorem2"], ["theorem2"]),
    (["placements", "--all"], ["--all"]),
    (["theorem1", "--deeds", "3"], ["--deeds"]),
    (["theorem1", "stray"], ["stray"]),
    (["theorem1", "--seeds"], ["--seeds"]),
    (["theorem1", "--seeds", "1"], ["1", "2.."]),
    (["theorem1", "--seeds", "many"], ["many"]),
    (["theorem1", "--seeds=3x"], ["3x"]),
    (["theorem1", "--tokens", "0"], ["--tokens", "0"]),
    (["theorem1", "--threads", "0"], ["--threads", "0"]),
    (["theorem1", "--progress=yes"], ["--progress"]),
    (["theorem1", "--progress", "--no-progress"], ["--progress"]),
    (["theorem1", "--grid", "L=0"], ["L=0"]),
    (["theorem1", "--grid", "L=1,,2"], ["L="]),
    (["theorem1", "--grid", "L=two"], ["two"]),
    (["theorem1", "--grid", "L=2,2"], ["L=2", "twice"]),
    (["theorem1", "--grid", "L=" + ",".join(str(i) for i in range(1, 18))], ["17", "16"]),
    (["theorem1", "--grid", "d=-4"], ["d=-4"]),
    (["theorem1", "--grid", "width=4"], ["width=4"]),
    (["theorem1", "--grid", "rho=0"], ["rho=0"]),
    (["theorem1", "--grid", "rho=nan"], ["nan"]),
    (["theorem1", "--grid", "d=10 rho=0.25"], ["0.25", "10", "2.5"]),
    (["theorem1", "--grid", "placement=nowhere"], ["nowhere"]),
    (["theorem1", "--grid", "placement=peri:beta=x"], ["beta", "x"]),
    (["theorem1", "--grid", "placement=peri:width=4"], ["width"]),
    (["theorem1", "--grid", "placement=" + "p" * 200], ["too long"]),
    (["theorem1", "--set", "width=64"], ["width", "--grid"]),
    (["theorem1", "--set", "eps=0 layers=3"], ["layers", "--grid"]),
    (["theorem1", "--set", "vocab=12"], ["vocab", "--vocab"]),
    (["theorem1", "--set", "epsilon=0"], ["epsilon"]),
    (["theorem1", "--set", "eps=-1"], ["eps", "-1"]),
    (["theorem1", "--text", "/nonexistent"], ["/nonexistent"]),
    (["theorem1", "--text", directory], [directory]),
    (["theorem1", "--text", empty], [empty, "0 bytes", "33"]),
    (["theorem1", "--text", short, "--tokens", "10"], [short, "10 bytes", "11"]),
    (["theorem1", "--text", short, "--vocab", "12"], ["--vocab", "--text"]),
    (["theorem1", "--csv", "/nonexistent/x"], ["/nonexistent/x"]),
    (["theorem1", "--csv", "-", "--json", "-"], ["--csv", "--json"]),
    (["theorem1", "--grid", "L=100001"], ["100001", "100000"]),
    (["theorem1", "--grid", "d=9999999999999999999"], ["9999999999999999999", "1048576"]),
    (["theorem1", "--grid", "d=64 rho=1e300"], ["1e+300", "d=64", "4194304"]),
    (["theorem1", "--grid", "d=64 rho=65537"], ["65537", "d=64", "4194304"]),
    (["describe", "--set", "layers=0"], ["layers", "0"]),
    (["describe", "--set", "heads=3 width=8"], ["3", "8"]),
    (["describe", "--set", "laters=2"], ["laters"]),
]

# The library's blanks are the program's: no key that it decides gets past the check.
for blank in " \t\n\r\f\v":
    WRONG.append((["theorem1", "--set", f"bias=0{blank}keep_states=0"], ["keep_states"]))
    WRONG.append((["theorem1", "--grid", f"L=1{blank}L=0"], ["L=0"]))

# What cannot be printed stands in the line as \\xNN, letters of UTF-8 as they are.
for word, shown in ((b"a\nb", "a\\x0Ab"), (b"\x1b[31m\x7f", "\\x1B[31m\\x7F"), (b"\xff\xc3", "\\xFF\\xC3"),
                    ("\u03b2\u2260".encode(), "\u03b2\u2260"), (b"\xc2\x9b", "\\xC2\\x9B"),
                    (b"\xed\xa0\x80\xc0\x80", "\\xED\\xA0\\x80\\xC0\\x80"), (b"p" * 2000, "p" * 2000)):
    for words in (["--" + os.fsdecode(word)], ["--seeds", os.fsdecode(word)],
                  ["--grid", os.fsdecode(b"K=" + word)], ["--text", os.fsdecode(b"/x/" + word)]):
        # Blanks part the words of a grid.
        if words[0] != "--grid" or b"\n" not in word:
            WRONG.append((["theorem1", *words], [shown]))

for words, names in WRONG:
    done = run(*words)
    what = " ".join(words)[:60]
    expect(done.returncode == 2, f"{what}: status {done.returncode}")
    expect(done.stdout == "", f"{what}: writes to stdout")
    expect(done.stderr.count("\n") == 1, f"{what}: {done.stderr!r} is not one line")
    for name in names:
        expect(name in done.stderr, f"{what}: {done.stderr!r} does not name {name!r}")

for name in (empty, short):
    os.remove(name)
os.rmdir(directory)
finish()
