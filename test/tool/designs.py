"""Random designs: what `lnstab check` predicts is what a simulation finds, within its interval and the
stated finite-width term; and it is not what a simulation of something else finds."""

import json
import os
import random
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "support"))
from program import expect, finish, run  # noqa: E402

DESIGNS = 100
SEEDS = 16
WIDTH = 64
STATES = ["state", "cosine", "sum", "branch", "update_ratio"]
OTHERS = ["costate", "jacobian", "w_v", "w_o", "w_1", "w_2", "token_w_v", "token_w_o", "token_w_1",
          "token_w_2"]
# A t of 15 degrees of freedom is beyond it with probability .0008: 63 comparisons share .05.
QUANTILE = 4.2
# A mistake that moves nothing by more is none that 16 seeds could find.
VISIBLE = 0.25
directory = tempfile.mkdtemp()


def rule(r, low, high):
    text = f"{r.uniform(low, high):.3g}"
    for base in "Ll":
        if r.random() < 0.3:
            text += f"*{base}^{r.choice([-0.5, -0.25, 0.25])}"
    return text


def design(seed):
    """About twenty lines: any norms, coefficients, gains, scopes."""
    r = random.Random(seed)
    layers = r.choice([1, 2, 3, 4, 6])
    keys = {
        "layers": layers, "width": WIDTH, "ffn_width": int(WIDTH * r.choice([0.5, 1, 2, 4])),
        "placement": r.choice(["custom"] * 4 + ["post", "pre", "peri", "output-norm", "deepnorm",
                                                "ln-scaling", "mix"]),
        "norm": r.choice(["layer", "rms"]), "bias": r.randint(0, 1), "out_proj": r.randint(0, 1),
        "heads": r.choice([1, 2, 4]), "gain_qk": 0, "input": "embedded",
        "final_norm": r.choice([0, 1, 1, 1]),
    }
    for key in ("norm_in", "norm_out", "norm_res"):
        if r.random() < 0.5:
            keys[key] = r.randint(0, 1)
    for key, (low, high) in {"kappa": (0.5, 1.5), "alpha": (0.7, 1.1), "beta": (0.2, 1.2),
                             "gain_v": (0.5, 1.3), "gain_o": (0.5, 1.3), "gain_w1": (0.5, 1.3),
                             "gain_w2": (0.5, 1.3)}.items():
        if r.random() < 0.35:
            keys[key] = rule(r, low, high)
    for _ in range(r.randint(0, 3)):
        scope = r.choice(["attn", "ffn", "layer.1", "layer.L", f"layer.1-{max(1, layers // 2)}",
                          f"layer.{(layers + 1) // 2}-L.ffn"])
        key = r.choice(["norm_in", "norm_out", "norm_res", "alpha", "beta"])
        keys[f"{scope}.{key}"] = (r.randint(0, 1) if key.startswith("norm") else
                                  rule(r, 0.3, 1.1))
    return keys


def write(name, keys):
    path = os.path.join(directory, name)
    with open(path, "w") as file:
        file.write(f"# {name}\n" + "".join(f"{k} = {v}  # {k}\n" for k, v in keys.items()))
    return path


def check(name, keys, seeds):
    """The numbers of the design, and the lines of the simulation's verdicts."""
    numbers = os.path.join(directory, "numbers.json")
    done = run("check", write(name, keys), "--json", numbers, "--seeds", str(seeds))
    expect(done.returncode == 0, f"{name}: status {done.returncode}, {done.stderr}")
    with open(numbers) as file:
        found = json.load(file)["designs"][0]
    lines = done.stdout.splitlines()
    verdicts = [lines[i + 1] for i, line in enumerate(lines) if line.startswith("simulation: ")]
    return found, verdicts


def allowed(name, layers):
    """What finite width may take away and add, doc/theory.md, section 12."""
    below, above = (4, 4) if name == "cosine" else (3, 3) if name in STATES else (2, 3 + layers)
    return below / WIDTH, above / WIDTH


def departures(measured, predicted):
    """Of every value that has a prediction: (name, departure, standard error)."""
    for name in STATES + OTHERS:
        for m, e, p in zip(measured[name]["measured"], measured[name]["standard_error"],
                           predicted[name]["predicted"]):
            if p is None or m is None:
                continue
            if name == "cosine":
                yield name, m - p, e
            elif p != 0:
                yield name, m / p - 1, e / p


def outside(measured, predicted):
    found = []
    for name, d, error in departures(measured, predicted):
        below, above = allowed(name, measured["layers"])
        if not -(QUANTILE * error + below) <= d <= QUANTILE * error + above:
            found.append((name, d, error))
    return found


def visible(right, wrong):
    """Does the mistake move a prediction?"""
    for name in STATES + OTHERS:
        for p, q in zip(right[name]["predicted"], wrong[name]["predicted"]):
            if (p is None) != (q is None):
                return True
            if p is None or q == 0:
                continue
            if abs(p - q if name == "cosine" else p / q - 1) > VISIBLE:
                return True
    return False


def without(keys, end):
    return {k: v for k, v in keys.items() if k.split(".")[-1] != end}


def renamed(key, names):
    front, last = key[:key.rfind(".") + 1], key.split(".")[-1]
    return front + names.get(last, last)


MISTAKES = {
    "alpha and beta swapped": lambda keys: {
        renamed(k, {"alpha": "beta", "beta": "alpha"}): v for k, v in keys.items()},
    "N_out dropped": lambda keys: {**without(keys, "norm_out"), "norm_out": 0},
    "no residual": lambda keys: {**without(keys, "alpha"), "alpha": 0},
}

compared, found = 0, {mistake: 0 for mistake in MISTAKES}
for seed in range(DESIGNS):
    keys = design(seed)
    numbers, verdicts = check(f"design {seed}.conf", keys, SEEDS)
    compared += sum(1 for _ in departures(numbers, numbers))
    away = outside(numbers, numbers)
    expect(not away, f"design {seed}: {away} are not as predicted")
    expect(len(verdicts) == 3 and all("agrees" in v for v in verdicts),
           f"design {seed}: {verdicts}")
    for mistake, make in MISTAKES.items():
        wrong, _ = check("wrong.conf", make(keys), 0)
        if visible(numbers, wrong):
            found[mistake] += 1
            expect(outside(numbers, wrong), f"design {seed}: {mistake} is not found")
expect(compared > 50 * DESIGNS, f"only {compared} comparisons")
for mistake, count in found.items():
    expect(count >= 20, f"{mistake}: only {count} designs show it")
finish()
