"""lnstab compare: designs side by side, in the same sizes."""

import json
import math
import os
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "support"))
from program import expect, finish, rows, run  # noqa: E402

directory = tempfile.mkdtemp()
tables = os.path.join(directory, "tables")


def table(name):
    with open(os.path.join(tables, name + ".csv")) as file:
        return rows(file.read())


def close(text, value):
    return text != "" and math.isclose(float(text), value, rel_tol=1e-12)


# Placements alone: the setting of Xiong 2020. q of pre, L = 6, n = 32, rho = 1 is 5.8906 (doc/theory.md).
done = run("compare", "post", "pre", "peri:beta=0.5", "none", "--seeds", "2", "--set",
           "width=64 ffn_width=64", "--tables", tables, "--json", os.path.join(directory, "c.json"))
expect(done.returncode == 0, done.stderr)
designs = {row["design"]: row for row in table("designs")}
expect(list(designs) == ["post", "pre", "peri:beta=0.5", "none"], f"designs {list(designs)}")
expect(abs(float(designs["pre"]["last_state_predicted"]) - 5.8906) < 1e-4, "q of pre")
expect(close(designs["peri:beta=0.5"]["last_state_predicted"], 1 + 12 * 0.25), "q of peri")
expect(close(designs["peri:beta=0.5"]["any_weights"], (1 + 12 * 0.5) ** 2), "bound of peri")
expect(close(designs["post"]["any_weights"], 1) and designs["pre"]["any_weights"] == "", "bounds")
expect(close(designs["pre"]["lemma2_lower"], 1 + 0.5 * 6) and
       close(designs["pre"]["lemma2_upper"], 1 + 1.5 * 6), "Lemma 2 of pre")
expect(close(designs["post"]["lemma2_upper"], 1.5) and designs["none"]["lemma2_lower"] == "",
       "Lemma 2 of post and none")
# 64 sqrt(40/3 ln 6400): Theorem 1 for one token at d = 64, rho = 1.
expect(close(designs["post"]["theorem1_printed"], 64 * math.sqrt(40 / 3 * math.log(6400))),
       "Theorem 1 of post")
expect(close(designs["pre"]["theorem1_printed"], 64 * math.sqrt(40 / 8 * math.log(6400))),
       "Theorem 1 of pre")
expect(designs["peri:beta=0.5"]["theorem1_printed"] == "", "Theorem 1 covers peri")
with open(os.path.join(directory, "c.json")) as file:
    numbers = {d["design"]: d for d in json.load(file)["designs"]}
for row in table("states"):
    k = 2 * int(row["layer"]) - (2 if row["sublayer"] == "attn" else 1)
    of = numbers[row["design"]]
    expect(close(row["state_predicted"], of["state"]["predicted"][k]) and
           close(row["cosine"], of["cosine"]["measured"][k]), f"{row['design']}, state {k}")
for name, quantity in [("gradients", "w_2"), ("token_gradients", "token_w_2")]:
    for row in table(name):
        value = numbers[row["design"]][quantity]["predicted"][int(row["layer"]) - 1]
        # none has no norm at its end: how alike the gradients are is not predicted.
        expect(row["w_2_predicted"] == "" if value is None else close(row["w_2_predicted"], value),
               f"{row['design']}, {name}")
        expect(row["w_o"] == row["w_o_predicted"] == "", "a gradient of W_O without W_O")
expect(numbers["none"]["w_2"]["predicted"][0] is None, "coherence of none")
# The last layer's is the rank-one prediction; of post at rho = 1 it is sqrt(d/3).
expect(math.isclose(numbers["post"]["token_w_2"]["predicted"][5], math.sqrt(64 / 3), rel_tol=1e-12),
       "rank one")

# The same seed gives the same numbers, whoever stands beside and on however many threads.
one = run("compare", "pre", "post", "--seeds", "2", "--set", "width=64", "--threads", "1", "--json", "-")
two = run("compare", "pre", "peri", "--seeds", "2", "--set", "width=64", "--threads", "3", "--json", "-")
expect(json.loads(one.stdout)["designs"][0] == json.loads(two.stdout)["designs"][0], "pre differs")

# A file brings its sizes to the placements beside it.
own = os.path.join(directory, "own.conf")
with open(own, "w") as file:
    file.write("layers = 3\nwidth = 32\nffn_width = 96\nheads = 4\ncausal = 1\nnorm = rms\n"
               "placement = custom\nnorm_out = 1\nfinal_norm = 1 # as output-norm\n")
done = run("compare", own, "output-norm", "pre", "--seeds", "2", "--json", "-")
expect(done.returncode == 0, done.stderr)
designs = json.loads(done.stdout)["designs"]
expect({(d["layers"], d["width"]) for d in designs} == {(3, 32)}, "sizes beside a file")
for quantity in ("state", "w_1", "jacobian"):
    expect(designs[0][quantity] == designs[1][quantity], f"{quantity}: the file is output-norm")
    expect(designs[0][quantity] != designs[2][quantity], f"{quantity}: the file is pre")


# --set counts over all, words and files.
done = run("compare", "pre:beta=0.1", own, "--seeds", "0", "--set", "beta=0.5 width=64", "--json", "-")
states = [d["state"]["predicted"] for d in json.loads(done.stdout)["designs"]]
expect(math.isclose(states[1][1], 1 + 2 * 0.25, rel_tol=1e-12), "a file's beta")
expect(states[0][0] == 1 + 0.25 / 32, "the beta of a word")  # attention averages 32 tokens


# Every file of a directory is known beforehand: nobody else may have it.
with tempfile.TemporaryDirectory() as whole:
    words = ["compare", "pre", "post", "--seeds", "2", "--set", "layers=1 width=16", "--tables", whole, "--figures", whole]
    expect(run(*words).returncode == 0, "tables and figures")
    for name in sorted(os.listdir(whole)):
        failed = run(*words, "--json", os.path.join(whole, name))
        expect(failed.returncode == 2 and "same file" in failed.stderr, f"{name} is overwritten")


def wrong(said, *words):
    failed = run("compare", *words)
    expect(failed.returncode == 2 and failed.stdout == "" and failed.stderr.count("\n") == 1 and
           all(part in failed.stderr for part in said), f"{words}: {failed.returncode} {failed.stderr}")


wrong(["two designs or more, not 0"])
wrong(["two designs or more, not 1"], "pre")
wrong(["DESIGN too many: the limit is 16"], *["pre"] * 17)
wrong(["nowhere"], "pre", "nowhere")
wrong(["peri:beta=x"], "pre", "peri:beta=x")
wrong(["no key 'depth'"], "pre", "post", "--set", "depth=3")
finish()
