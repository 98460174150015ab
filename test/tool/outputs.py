"""What cannot be written is one line on stderr and status 2; no file is written twice or over its input."""

import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "support"))
from program import PROGRAM, expect, finish, run  # noqa: E402

SMALL = ["theorem1", "--grid", "placement=post L=1 d=8 rho=1", "--seeds", "2", "--tokens", "4"]
BYTES = b"forty bytes of text that nobody overwrites"


def one_line(done, what, *names):
    expect(done.returncode == 2, f"{what}: status {done.returncode}")
    expect(done.stderr.count("\n") == 1, f"{what}: {done.stderr!r} is not one line")
    for name in names:
        expect(name in done.stderr, f"{what}: {done.stderr!r} does not name {name!r}")


def to_shell(words, redirection):
    return subprocess.run(["sh", "-c", f'"$0" "$@" {redirection}', PROGRAM, *words], text=True,
                          stderr=subprocess.PIPE, timeout=60)


with tempfile.TemporaryDirectory() as directory:
    csv, link, text = (os.path.join(directory, name) for name in ("csv", "link", "text"))
    for redirection in (">/dev/full", ">&-"):
        for words in ([], ["--csv", "-"], ["--json", "-"], ["--csv", csv]):
            one_line(to_shell(SMALL + words, redirection), f"{words} {redirection}")
        one_line(to_shell(["keys"], redirection), "keys " + redirection)
    with open(csv) as file:
        content = file.read().splitlines()
    expect(len(content) == 3 and content[0].startswith("placement,"), f"the closed stdout: {content}")
    one_line(run(*SMALL, "--csv", "/dev/full", "--json", "/dev/full/x"), "two bad files")
    one_line(run(*SMALL, "--csv", "/dev/full"), "/dev/full", "--csv")

    os.remove(csv)
    one_line(run(*SMALL, "--csv", csv, "--json", csv), "one file twice", csv)
    expect(not os.path.exists(csv), "a refused file is made")
    dotted = os.path.join(directory, ".", "csv")
    one_line(run(*SMALL, "--csv", csv, "--json", dotted), "two spellings of a new file", dotted)
    with open(text, "wb") as file:
        file.write(BYTES)
    os.link(text, link)
    one_line(run(*SMALL, "--csv", text, "--json", link), "two names of a file", text, link)
    for option in ("--csv", "--json"):
        for path in (text, link):
            one_line(run(*SMALL, "--text", text, option, path), f"--text and {option}", path)
    with open(text, "rb") as file:
        expect(file.read() == BYTES, "the text is overwritten")
finish()
