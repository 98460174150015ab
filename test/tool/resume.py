"""--resume: whatever ends a run, the next one gives the bytes of a run that nothing ended."""

import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "support"))
from program import PROGRAM, SMALL, expect, finish, rows, run  # noqa: E402

# Eight seeds of four jobs each; and the least there is, two records of one run.
MANY = ["theorem1", "--grid", SMALL, "--tokens", "4", "--seeds", "8"]
LEAST = ["theorem1", "--grid", "placement=post L=1 d=8 rho=1", "--tokens", "1", "--seeds", "2",
         "--threads", "1"]
HEADER = 11  # lines before the records
draw = random.Random(3)
directory = tempfile.mkdtemp()


def path(name):
    return os.path.join(directory, name)


def read(name):
    with open(name, "rb") as file:
        return file.read()


def write(name, content):
    with open(name, "wb") as file:
        file.write(content)
    return name


def outputs(words, *more):
    """Status, tables, CSV and JSON."""
    names = [path("out.csv"), path("out.json")]
    done = run(*words, *more, "--csv", names[0], "--json", names[1])
    expect(done.stderr == "", f"{more}: {done.stderr}")
    return [done.returncode, done.stdout] + [read(name) for name in names]


def refused(what, name, words, *names):
    """One line that has names, status 2, and the file as it was."""
    before = read(name)
    old = write(path("old.csv"), b"an older CSV")
    done = run(*words, "--resume", name, "--csv", old)
    expect(done.returncode == 2, f"{what}: status {done.returncode}")
    expect(done.stderr.count("\n") == 1, f"{what}: {done.stderr!r} is not one line")
    for word in ("--resume " + name, *names):
        expect(word in done.stderr, f"{what}: {done.stderr!r} does not name {word!r}")
    expect(read(name) == before, f"{what}: the file is changed")
    expect(read(old) == b"an older CSV", f"{what}: the CSV is emptied")


def fingerprint(text):
    value = 0xCBF29CE484222325
    for byte in text:
        value = (value ^ byte) * 0x100000001B3 % 2**64
    return b"%016x" % value


def sealed(record):
    """The record with the fingerprint that its numbers have."""
    text = record.rsplit(b" ", 1)[0]
    return text + b" " + fingerprint(text) + b"\n"


def started(name, size, *more):
    """A run that does not end by itself, once its checkpoint has so many bytes."""
    process = subprocess.Popen([PROGRAM, *MANY, "--seeds", "100000", "--resume", name, *more],
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    end = time.monotonic() + 60
    while time.monotonic() < end and not (os.path.exists(name) and os.path.getsize(name) >= size):
        time.sleep(0.002)
    return process


def limited(words, size):
    """A run that may write no longer files, as on a full disk."""
    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
    return run(*words, preexec_fn=limit, restore_signals=False)


many, least = outputs(MANY), outputs(LEAST)
whole = path("whole")
expect(outputs(LEAST, "--resume", whole) == least, "a checkpoint changes the results")
WHOLE = read(whole)
lines = WHOLE.splitlines(keepends=True)
expect(len(lines) == HEADER + 2, f"{len(lines)} lines in the checkpoint")
expect(all(sealed(line) == line for line in lines[HEADER:]), "the fingerprint is not FNV-1a")
expect(outputs(LEAST, "--resume", whole) == least, "nothing left to run changes the results")
expect(read(whole) == WHOLE, "nothing left to run changes the checkpoint")

# A kill or an interrupt, wherever it comes; then with fewer or more seeds than there were.
for number in [signal.SIGKILL] * 6 + [signal.SIGINT, signal.SIGTERM]:
    name, csv = path("killed"), path("killed.csv")
    process = started(name, draw.randrange(1, 120000), "--csv", csv, "--threads", "3")
    process.send_signal(number)
    _, message = process.communicate(timeout=60)
    caught = number != signal.SIGKILL
    expect(process.returncode == (130 if caught else -number), f"status {process.returncode}")
    expect(not caught or (message.count("\n") == 1 and f"goes on from --resume {name}" in message),
           f"{message!r} does not say how to go on")
    text = read(csv).decode() if os.path.exists(csv) else ""
    records = read(name).splitlines(keepends=True)[HEADER:]
    jobs = len(rows(text[:text.rfind("\n") + 1])) // 4
    expect(len(records) >= jobs, f"{jobs} jobs are in the CSV, {len(records)} in the checkpoint")
    expect(outputs(MANY, "--resume", name) == many, f"resumed after signal {number}")
    os.remove(name)

# A disk that is full, at any byte: the run ends, and goes on when there is room.
for size in [0, 1, 100] + [draw.randrange(200, 30000) for _ in range(8)]:
    name = path("limited")
    done = limited([*MANY, "--resume", name], size)
    expect(done.returncode == 2 and done.stderr == f"lnstab: --resume {name}: File too large\n",
           f"status {done.returncode} {done.stderr}")
    expect(0 <= size - os.path.getsize(name) < 2000, f"the limit of {size} bytes is not met")
    expect(outputs(MANY, "--resume", name, "--threads", "2") == many, f"cut at {size} bytes")
    os.remove(name)

# Every beginning of a checkpoint goes on as the whole.
for size in range(len(WHOLE)):
    if size < len(WHOLE) - len(lines[-2]) - len(lines[-1]) and size % 7:
        continue
    name = write(path("torn"), WHOLE[:size])
    done = run(*LEAST, "--resume", name)
    expect((done.returncode, done.stdout) == tuple(least[:2]), f"cut at {size}: {done.stderr}")
    expect(read(name) == WHOLE, f"cut at {size}: the checkpoint differs")

# A damaged record is dropped at the end, where a write may have been torn, and refused before.
for i in range(0, len(lines[-1]), 9):
    last = WHOLE[:len(WHOLE) - 1 - i] + b"\0" + WHOLE[len(WHOLE) - i:]
    name = write(path("damaged"), last)
    expect(run(*LEAST, "--resume", name).stdout == least[1], f"byte {-i} of the last record")
    expect(read(name) == WHOLE, "a damaged last record stays")
    middle = bytearray(WHOLE)
    middle[len(WHOLE) - len(lines[-1]) - 2 - i % (len(lines[-2]) - 1)] ^= 1
    refused("damaged", write(name, middle), LEAST, f"line {HEADER + 1} is damaged")
refused("damaged twice", write(path("damaged"), WHOLE + b"x\n" + WHOLE), LEAST,
        f"line {HEADER + 3} is damaged")
refused("no name", write(path("damaged"), WHOLE.replace(b"tokens", b"t0kens")), LEAST,
        "line 8 is damaged")
for content in (b"forty bytes that are no checkpoint at all", b"\n", b"lnstab\n" + WHOLE, b"\0" * 99):
    refused("no checkpoint", write(path("other"), content), LEAST, "not a checkpoint")

# Places that the grid does not have, with a fingerprint that fits.
for place in (b"0 1 0 ", b"0 0 1 ", b"-1 0 0 ", b"0 -1 0 "):
    odd = lines[:HEADER] + [sealed(place + lines[HEADER][6:])] + lines[-1:]
    refused(f"{place}", write(path("odd"), b"".join(odd)), LEAST, f"line {HEADER + 1} is damaged")
numbers = lines[HEADER].split(b" ")
for words in (numbers[:-2] + numbers[-1:], numbers[:-1] + [b"1"] + numbers[-1:],
              numbers[:5] + [b"one"] + numbers[6:]):
    odd = lines[:HEADER] + [sealed(b" ".join(words))] + lines[-1:]
    refused("fewer, more, no numbers", write(path("odd"), b"".join(odd)), LEAST,
            f"line {HEADER + 1} is damaged")

# What was finished is not run again; but for one run, which tells whether numbers are as before.
changed = [line.split(b" ") for line in lines[HEADER:]]
for record in changed:
    record[3] = b"0x1p0"
changed = [sealed(b" ".join(record)) for record in changed]
trusted = b"".join(lines[:HEADER + 1] + changed[1:])
table = rows(run(*LEAST, "--csv", "-", "--resume", write(path("trusted"), trusted)).stdout)
expect([float(r["loss"]) == 1 for r in table] == [False, True], "a finished job is run again")
refused("other numbers", write(path("trusted"), b"".join(lines[:HEADER] + changed)), LEAST,
        "post, L=1, d=8, seed 1 gives other numbers")

# What a number depends on is as it was, or is named. More seeds are not among that.
text, longer = write(path("text"), bytes(range(90))), write(path("longer"), bytes(range(91)))
for more, old, new in (
        (["--grid", "placement=pre"], "placement=post", "pre"), (["--grid", "L=2"], "L=1", "2"),
        (["--grid", "d=4,8"], "d=8", "4,8"), (["--grid", "rho=0.5"], "rho=1", "0.5"),
        (["--seed", "2"], "seed=1", "2"), (["--tokens", "3"], "tokens=1", "3"),
        (["--vocab", "7"], "vocab=1000", "7"), (["--text", text], "vocab=1000", "256"),
        (["--set", "dtype=float64"], "set=none", "dtype=float64"),
        (["--set", "eps=0.1", "--set", " bias=1\t"], "set=none", "eps=0.1 bias=1")):
    refused(str(more), whole, [*LEAST, *more], f"was begun with {old}, not {new}\n")
for old, new, told in ((b"checkpoint=1", b"checkpoint=2", "lnstab-checkpoint=2, not 1\n"),
                       (b"library=lnstab", b"library=linstab", "library=linstab")):
    refused("another version", write(path("older"), WHOLE.replace(old, new)), LEAST,
            "was begun with " + told)
reads = [*LEAST, "--set", "eps=0.1\nbias=1", "--text"]
plain = outputs([*reads, text])
expect(outputs([*reads, text], "--resume", path("reads")) == plain, "a text with a checkpoint")
blanks = [*reads, text, "--set", " \t"]
expect(outputs(blanks, "--resume", path("reads")) == outputs(blanks), "other blanks of --set")
refused("a longer text", path("reads"), [*reads, longer], "was begun with text=90 bytes", "not 91")
refused("another text", path("reads"), [*reads, write(longer, bytes(range(89)) + b"z")], "text=90 bytes")
for seeds in ("3", "8", "5"):
    expect(outputs([*MANY, "--seeds", seeds], "--resume", path("grown"))
           == outputs([*MANY, "--seeds", seeds]), f"grown to {seeds} seeds")

# Two processes do not share a checkpoint; the lock goes with its process.
process = started(path("shared"), 3000)
done = run(*MANY, "--resume", path("shared"))
expect(done.returncode == 2 and "in use by another process" in done.stderr, done.stderr)
process.kill()
process.communicate()
expect(outputs(MANY, "--resume", path("shared")) == many, "after two processes")

# Names that are no place for a checkpoint.
for name, why in ((directory, "directory"), ("/nonexistent/x", "No such"), ("/dev/full", "regular file"),
                  ("/dev/null", "regular file"), (whole + "/x", "Not a directory")):
    done = run(*LEAST, "--resume", name)
    expect(done.returncode == 2 and done.stdout == "", f"{name}: status {done.returncode}")
    expect(done.stderr.count("\n") == 1 and f"--resume {name}: " in done.stderr
           and why in done.stderr, f"{name}: {done.stderr!r}")
os.link(whole, path("link"))
for option in ("--text", "--csv", "--json"):
    for name in (whole, path("link")):
        done = run(*LEAST, "--resume", whole, option, name)
        expect(done.returncode == 2 and "same file" in done.stderr and name in done.stderr,
               f"--resume and {option}: {done.stderr}")
expect(read(whole) == WHOLE, "the checkpoint is overwritten")

for name in os.listdir(directory):
    os.remove(path(name))
os.rmdir(directory)
finish()
