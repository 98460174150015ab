"""Ctrl-C leaves a valid CSV with the runs that were finished, JSON and page that say so, and status 130."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "support"))
from program import PROGRAM, expect, finish, rows  # noqa: E402


def interrupt(number):
    with tempfile.TemporaryDirectory() as directory:
        name, sums, page = (os.path.join(directory, end) for end in ("runs.csv", "sums.json", "page.html"))
        process = subprocess.Popen(
            [PROGRAM, "theorem1", "--grid", "L=1,2 d=64 rho=1", "--seeds", "100000", "--csv", name,
             "--json", sums, "--html", page],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        end = time.monotonic() + 20
        while time.monotonic() < end:
            if os.path.exists(name) and os.path.getsize(name) > 2000:
                break
            time.sleep(0.05)
        process.send_signal(number)
        _, message = process.communicate(timeout=30)
        expect(process.returncode == 130, f"status {process.returncode} after signal {number}")
        expect(message.count("\n") == 1, f"{message!r} is not one line")
        with open(name) as file:
            text = file.read()
        with open(sums) as file:
            expect(json.load(file) == {"interrupted": True}, "the JSON does not tell the interrupt")
        with open(page) as file:
            shown = file.read()
        expect("interrupted" in shown and shown.endswith("</html>\n"), "the page does not tell the interrupt")
    table = rows(text)
    expect(text.endswith("\n") and len(table) > 0, "no finished rows")
    # A job is one seed with its 4 placements and 2 depths, and is there wholly or not at all.
    expect(len(table) % 8 == 0, f"{len(table)} rows are not whole jobs")
    expect(all(None not in r.values() and float(r["raw_norm"]) > 0 for r in table), "a torn row")


def interrupt_designs(*words):
    with tempfile.TemporaryDirectory() as directory:
        numbers, page = (os.path.join(directory, end) for end in ("numbers.json", "page.html"))
        process = subprocess.Popen(
            [PROGRAM, *words, "--seeds", "100000", "--json", numbers,
             "--html", page, "--progress"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        process.stderr.read(1)  # the progress: it measures
        process.send_signal(signal.SIGINT)
        output, message = process.communicate(timeout=30)
        expect(process.returncode == 130, f"{words}: status {process.returncode}")
        expect(output == "" and message.endswith("lnstab: interrupted\n"), f"{words}: {message!r}")
        with open(numbers) as file:
            expect(json.load(file) == {"interrupted": True}, f"{words}: the JSON")
        with open(page) as file:
            expect("interrupted" in file.read(), f"{words}: the page")


interrupt(signal.SIGINT)
interrupt(signal.SIGTERM)
for words in (["check", "peri"], ["compare", "post", "pre"], ["sensitivity", "post"]):
    interrupt_designs(*words, "--set", "layers=2 width=32")
interrupt_designs("verify", "--grid", "L=1 d=32 rho=1", "--claims", "lemma2")
finish()
