"""What the benches share: programs that answer by lines, and a line of the table."""
import dataclasses
import os
import statistics
import subprocess
import sys
import time
import typing


class Program:
    """A program of $BUILD/bench, or a script beside this file, that does a line of its input at a time, and
    waits in between. It starts with the first question, in this environment and what is given."""

    def __init__(self, name, **environment):
        self.name, self.environment, self.process = name, environment, None

    def command(self):
        if self.name.endswith(".py"):
            return [sys.executable, "-B", os.path.join(os.path.dirname(__file__), self.name)]
        return [os.path.join(os.environ["BUILD"], "bench", self.name)]

    def start(self):
        self.process = subprocess.Popen(self.command(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                        env={**os.environ, **self.environment})

    def end(self):
        """The next question starts it anew."""
        if self.process:
            self.process.communicate()
            self.process = None

    def ask(self, line, answers=1):
        if not self.process:
            self.start()
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        lines = [self.process.stdout.readline() for _ in range(answers)]
        if not all(lines):
            raise RuntimeError(f"{self.name} ended at: {line}")
        return [text.rstrip("\n") for text in lines]

    def seconds(self, line):
        return float(self.ask("time " + line)[0])

    def settled(self, line, choose=statistics.median):
        """The median, or else, of what line answers, asked as often as a second has room for, at most 9 times."""
        found, until = [], time.perf_counter() + 1
        while not found or (len(found) < 9 and time.perf_counter() < until):
            found.append(float(self.ask(line)[0]))
        return choose(found)


class Fastest:
    """The least seconds of several ways to do the same, which have seconds() and end(): each turn leaves the faster
    half of them to the next. Only the last one keeps its memory from turn to turn."""

    def __init__(self, ways):
        self.ways = list(ways)

    def seconds(self):
        found = []
        for way in self.ways:
            found.append((way.seconds(), len(found)))
            if len(self.ways) > 1:
                way.end()
        found.sort()
        self.ways = [self.ways[i] for _, i in found[:(len(found) + 1) // 2]]
        return found[0][0]

    def end(self):
        for way in self.ways:
            way.end()


@dataclasses.dataclass
class Case:
    """ours and other return the seconds of one unit and are called in turn. Where there is nothing to compare
    with, other is None and other_name says why. check raises AssertionError if the numbers disagree; end gives back
    what the two hold."""

    bench: str
    name: str
    ours: typing.Callable
    other: typing.Optional[typing.Callable]
    other_name: str
    sense: str  # the ratio: "of", ours over the other; "faster", the other over ours; "above", no ratio, but how
    # many microseconds more ours takes
    at_most: typing.Optional[float] = None
    at_least: typing.Optional[float] = None
    aim: typing.Optional[float] = None  # beyond at_least
    check: typing.Callable = lambda: None
    end: typing.Callable = lambda: None
    samples: list = dataclasses.field(default_factory=list)
    other_samples: list = dataclasses.field(default_factory=list)

    def measure(self):
        self.samples.append(self.ours())
        if self.other:
            self.other_samples.append(self.other())

    def run(self, turns, before_turn):
        for turn in range(turns):
            before_turn(self, turn)
            self.measure()
        self.end()

    def ratio(self):
        """Of the medians; None without an other."""
        if not self.other_samples:
            return None
        ours, other = statistics.median(self.samples), statistics.median(self.other_samples)
        return {"of": ours / other, "faster": other / ours, "above": 1e6 * (ours - other)}[self.sense]

    def target(self):
        bounds = (("<=", self.at_most), (">=", self.at_least), ("aim", self.aim))
        return " ".join(f"{sign} {bound:g}" for sign, bound in bounds if bound)

    def met(self):
        """A word for each part of the target."""
        ratio = self.ratio()
        if ratio is None:
            return ""
        parts = [ratio <= self.at_most] if self.at_most else []
        parts += [ratio >= bound for bound in (self.at_least, self.aim) if bound]
        return " ".join("yes" if part else "no" for part in parts)


def microseconds(samples):
    """Median, smallest, largest; three times None without samples."""
    return [1e6 * f(samples) if samples else None for f in (statistics.median, min, max)]
