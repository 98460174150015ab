"""lnstab check: what is said about designs whose properties are known."""

import json
import math
import os
import re
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "support"))
from program import expect, finish, rows, run  # noqa: E402

directory = tempfile.mkdtemp()
THEORY = "layers=4 width=64 ffn_width=64 gain_qk=0 input=embedded"


def write(text, name="design.conf"):
    path = os.path.join(directory, name)
    with open(path, "w") as file:
        file.write(text)
    return path


def verdicts(*words):
    """The line below each statement, by the statement's beginning."""
    done = run("check", *words)
    expect(done.returncode == 0, f"{words}: status {done.returncode}: {done.stderr}")
    lines = done.stdout.splitlines()
    return {lines[i - 1]: lines[i].strip() for i in range(1, len(lines))
            if re.match(r"^[a-z0-9 ]+: ", lines[i - 1]) and lines[i].startswith("  ")}


def verdict(found, beginning):
    lines = [line for statement, line in found.items()
             if beginning in statement and not statement.startswith("b" + beginning)]
    expect(len(lines) == 1, f"{len(lines)} verdicts on {beginning}")
    return lines[0] if lines else ""


def predicted(design, *more):
    return verdicts(design, "--seeds", "0", "--set", THEORY, *more)


# How the states grow, for every class.
for design, words in {
    "post": "bounded", "deepnorm": "bounded", "pre": "linear", "peri": "linear",
    "output-norm": "linear", "ln-scaling": "logarithmic", "pre:beta=1*L^-0.5": "bounded",
    "peri:beta=1*l^-0.5": "logarithmic", "peri:beta=1*l^0.5": "power 2.0", "pre:alpha=0.9": "bounded",
    "peri:beta=1*l^-1": "bounded", "peri:alpha=1.1": "exponential, x1.46 a layer",
    "peri:beta=0": "bounded",
    # Tokens become one, and then q grows by 2 (1 + c_f) = 3 a layer at rho = 1.
    "none": "exponential, x3 a layer", "pre:alpha=1.0003": "exponential, x2 in 578 layers",
    "peri:alpha=0.9999": "bounded", "none:beta=1*L^-0.25": "faster than L^6",
}.items():
    line = verdict(predicted(design), "its growth")
    expect(f" {words}" in line, f"{design} is not {words}: {line}")
    fast = "exponential" in words or "power 2" in words or "faster" in words
    expect(("warning" in line) == fast,
           f"{design}: {line}")

# Rank collapse, and from which layer: post's cosines at n = 32, rho = 1 are .1314 .3180 .5238 .7114 and
# .9987 behind layer 12.
found = predicted("post", "--set", "layers=12")
line = verdict(found, "cosine between two tokens")
expect("warning: rank collapse" in line and "0.999" in line, line)
layer = int(re.search(r"from layer (\d+) on", line).group(1))
expect(6 < layer < 12, f"collapse from layer {layer}")
expect("stay apart" in verdict(predicted("pre"), "cosine between two tokens"), "pre collapses")

# The last gradient: rank one, and its exponent between L = 96 and 384 is in doc/theory.md.
found = predicted("pre", "--set", "layers=96")
line = verdict(found, "exponents in L and d")
expect("L^-0.52, d^0.50" in line, line)
line = verdict(predicted("post"), "exponents in L and d")
expect(" 0.577 " in line and "flat in depth" in line, line)

# Bounds that hold for any weights.
for design, bound in {"post": "1 ", "peri": "9 ", "output-norm:beta=0.5": "5 ", "pre": None,
                      "peri:ffn.norm_out=0": None, "none": None,
                      "pre:layer.L.ffn.norm_res=1": "1 ", "deepnorm": "1 "}.items():
    line = verdict(predicted(design), "any weights")
    expect(f" {bound}" in line if bound else "none: only the weights" in line, f"{design}: {line}")

# Structure, predicted and tried out.
for design, identity, attention, ffn in [
        ("none", "yes", "no", "no"), ("post", "no", "no", "no"), ("pre", "yes", "no", "no"),
        ("peri", "yes", "yes", "yes"), ("peri:eps=0", "no", "yes", "yes"),
        ("output-norm", "yes", "yes", "yes"), ("deepnorm", "no", "no", "no"),
        ("ln-scaling", "yes", "no", "no"), ("mix", "no", "no", "no"),
        ("peri:ffn.norm_out=0", "yes", "yes", "no"), ("peri:layer.2.attn.norm_out=0", "yes", "no", "yes"),
        ("pre:alpha=0.9", "no", "no", "no"), ("peri:out_proj=0", "yes", "yes", "yes")]:
    found = verdicts(design, "--seeds", "2", "--set", THEORY)
    for statement, wanted in [("zeroed branches", identity), ("of attention times 4", attention),
                              ("of the FFN times 4", ffn)]:
        line = verdict(found, statement)
        expect(f" {wanted} " in line and "warning" not in line, f"{design}, {statement}: {line}")

# Ranges of numbers.
line = verdict(predicted("none", "--set", "layers=24"), "float16: head-room")
expect("overflow float16" in line, line)
line = verdict(predicted("none", "--set", "layers=24"), "bfloat16: head-room")
expect("overflow" not in line, line)
line = verdict(predicted("pre", "--set", "width=4096 ffn_width=16384 layers=48 vocab=50000",
                         "--tokens", "2048"), "float16: head-room")
bits = re.search(r"loss scale of 2\^(\d+)", line)
expect(bits is not None and int(bits.group(1)) > 0, line)

# Updates and gradients that are out of the way.
expect("outweighs" in verdict(predicted("peri:beta=5"), "residual-update"), "beta = 5")
expect("next to nothing" in verdict(predicted("peri:beta=0.01"), "residual-update"), "beta = .01")
line = verdict(predicted("peri:alpha=0.5:beta=0.01", "--set", "layers=24"), "layer 1 over layer L")
expect("warning: the gradient fades" in line, line)
line = verdict(predicted("pre:alpha=1.2", "--set", "layers=24"), "layer 1 over layer L")
expect("warning: the gradient grows" in line, line)

# A file with all that a file may have.
own = write("""# A decoder with norms around each branch, but for the first two FFNs.
layers = 6
width = 96      # d
ffn_width = 384
heads = 3
vocab = 500
max_tokens = 64
placement = peri
norm = rms
causal = 1
activation = gelu
beta = 1*L^-0.5
layer.1-2.ffn.norm_out = 0   # plain
ffn.gain_w2 = 0.5
""")
done = run("check", own, "--seeds", "4", "--tables", os.path.join(directory, "tables"), "--json",
           os.path.join(directory, "own.json"))
expect(done.returncode == 0, done.stderr)
for word in ("gain_qk=0 (not 1)", "causal=0 (not 1)", "activation=relu (not gelu)",
             "input=embedded (not tokens)", '"as written"', "agrees, all of"):
    expect(word in " ".join(done.stdout.split()), f"the report does not say {word}")
with open(os.path.join(directory, "own.json")) as file:
    numbers = json.load(file)
expect([d["design"] for d in numbers["designs"]] == [own, "as written"], "designs of the JSON")
expect(numbers["seeds"] == 4, "seeds of the JSON")
design, written = numbers["designs"]
expect(len(design["state"]["predicted"]) == 12 and len(design["w_2"]["measured"]) == 6, "lengths")
expect(all(v is None for v in written["state"]["predicted"]), "gelu is predicted")
expect(written["not_covered"] != "" and design["not_covered"] == "", "what is covered")
# beta^2 = 1/6, N_out in every sublayer but two FFNs, whose branch is c_f/4 with c_f = .32.
q = 1.0
for k, value in enumerate(design["state"]["predicted"]):
    q += (0.32 / 4 if k in (1, 3) else 1) / 6
    expect(math.isclose(value, q, rel_tol=1e-12), f"state {k}: {value}, not {q}")
with open(os.path.join(directory, "tables", "states.csv")) as file:
    states = rows(file.read())
expect(len(states) == 24, f"{len(states)} rows of states")
for row, value in zip(states, design["state"]["predicted"]):
    expect(math.isclose(float(row["state_predicted"]), value, rel_tol=1e-12), row)
    expect(float(row["state_low"]) < float(row["state"]) < float(row["state_high"]), row)
with open(os.path.join(directory, "tables", "design.csv")) as file:
    table = {row["property"]: row for row in rows(file.read())}
expect(math.isclose(float(table["||x||^2/d, last state"]["peri"]), 1 + 12, rel_tol=1e-12),
       "peri beside the design")
expect(table["growth of ||x||^2/d with L"]["ln_scaling"] == "logarithmic", "growth of a peer")

# Measured at --width, with rho kept; predictions are of the design's own sizes.
wide = write("layers=2 width=512 ffn_width=1024 heads=8 placement=pre", "wide.conf")
done = run("check", wide, "--seeds", "2", "--width", "32", "--json", "-")
numbers = json.loads(done.stdout)["designs"]
expect({d["width"] for d in numbers} == {32}, "the width that is measured")
expect("ffn_width=64" in numbers[0]["assignments"], "rho is not kept")

# Without seeds nothing is measured.
done = run("check", "pre", "--seeds", "0")
expect("predictions only" in done.stdout and "+-" not in done.stdout, "something is measured")

# What the mean field wants reaches single sublayers too, and designs that are measured smaller.
for design in ("pre:attn.gain_qk=0.5", "pre:layer.2.gain_qk=3", "pre:heads=8:kv_heads=2:width=256",
               "pre:head=none", "peri:recompute=blocks"):
    found = verdicts(design, "--seeds", "2", "--set", "layers=2 vocab=100")
    line = verdict(found, "simulation: states")
    expect("agrees, all of 20" in line, f"{design}: {line}")
full = write("layers=64\n" + "".join(f"layer.{l}.gain_qk=0.5\n" for l in range(1, 65)), "full.conf")
expect("linear" in verdict(verdicts(full, "--seeds", "0", "--set", "placement=pre"), "its growth"),
       "64 scoped keys")

# What is predicted to be 0, and is; what has no prediction since a norm of nothing has no slope.
found = verdicts("pre:beta=0", "--seeds", "3", "--set", THEORY)
for statement in ("simulation: states", "simulation: costates", "simulation: gradients"):
    expect("agrees" in verdict(found, statement), f"beta = 0: {verdict(found, statement)}")
expect("a gradient is 0" in verdict(found, "float16: head-room"), "beta = 0: the range")
found = verdicts("peri:gain_v=0", "--seeds", "3", "--set", THEORY)
expect("agrees, all of 2" in verdict(found, "simulation: costates"), "what is behind such a branch")

# States that fade, gradients that vanish, a stream that is cut, one token, a width too small to tell.
expect("states fade" in verdict(predicted("none:alpha=0.5:beta=0.5"), "its growth"), "fading")
expect("does not learn" in verdict(predicted("none:alpha=0.5:beta=0.5"), "exponents"), "vanishing")
expect("not covered" in verdict(predicted("pre", "--tokens", "1"), "cosine between"), "one token")
expect("undecided: at this width" in
       verdict(verdicts("post", "--seeds", "2", "--set", "width=4 heads=1"), "simulation: states"), "width 4")

# Structure goes by values: (-1)^8 = 1, and branches of no size.
for design, statement in [("pre:alpha=-1", "zeroed branches"), ("pre:layers=1:alpha=1*L^0.5", "zeroed"),
                          ("pre:beta=1e-6", "of attention times 4"), ("pre:ffn.beta=0", "the FFN times 4")]:
    line = verdict(verdicts(design, "--seeds", "2", "--set", "width=64 ffn_width=64 gain_qk=0 "
                                                              "input=embedded"), statement)
    expect("warning" not in line, f"{design}: {line}")

# The head-room is that of the design as it is written, where that is larger.
line = verdict(verdicts("pre:gain_embed=1e5", "--seeds", "2", "--set", "layers=2 width=16"),
               "float16: head-room")
expect("overflow float16" in line, line)

# What is built, equal layers together.
built = os.path.join(directory, "built")
run("check", "peri:layers=4:layer.1-2.ffn.norm_out=0:attn.beta=0.5*L^-0.5", "--seeds", "0", "--tables", built)
with open(os.path.join(built, "built.csv")) as file:
    table = [(row["layers"], row["attention"], row["ffn"]) for row in rows(file.read())]
expect(table == [("1-2", "x + 0.5*L^-0.5 N(F(N(x)))", "x + F(N(x))"),
                 ("3-4", "x + 0.5*L^-0.5 N(F(N(x)))", "x + N(F(N(x)))")], f"built: {table}")


# Nothing is made or lost before the designs are known to be good, and no output is a design.
for words in (["check", "--json", own], ["check", own, "--html", own], ["check", "nosuch", "--json", own],
              ["compare", own, "pre", "--json", own], ["compare", own, "--html", own]):
    before = open(own).read()
    failed = run(*words)
    expect(failed.returncode == 2 and failed.stderr.count("\n") == 1, f"{words}: {failed.stderr}")
    expect(open(own).read() == before, f"{words}: the design is lost")
inside = write("layers=2", "range.csv")
failed = run("check", inside, "--tables", directory, "--seeds", "0")
expect(failed.returncode == 2 and open(inside).read() == "layers=2", "a table over the design")

# Every file of a directory is known beforehand: nobody else may have it.
with tempfile.TemporaryDirectory() as whole:
    words = ["check", "pre", "--seeds", "2", "--set", "layers=1 width=16", "--tables", whole, "--figures", whole]
    expect(run(*words).returncode == 0, "tables and figures")
    for name in sorted(os.listdir(whole)):
        failed = run(*words, "--json", os.path.join(whole, name))
        expect(failed.returncode == 2 and "same file" in failed.stderr, f"{name} is overwritten")

# Wrong words.
def wrong(said, *words):
    failed = run("check", *words)
    expect(failed.returncode == 2 and failed.stdout == "" and failed.stderr.count("\n") == 1 and
           all(part in failed.stderr for part in said), f"{words}: {failed.returncode} {failed.stderr}")


wrong(["check wants a design"])
wrong(["nowhere.conf", "no placement", "No such file"], "nowhere.conf")
wrong(["pre is one DESIGN too many: the limit is 1"], "post", "pre")
wrong([directory], directory)
wrong(["no key 'depth'", "bad.conf"], write("layers=2\ndepth=3\n", "bad.conf"))
wrong(["norm_in 3"], write("norm_in = 3\n", "bad.conf"))
wrong(["heads 3 does not divide width 64"], write("heads=3 width=64", "bad.conf"))
wrong(["zero byte"], write("layers=2\0", "bad.conf"))
wrong(["65536 bytes"], write("#" * 65537, "bad.conf"))
wrong(["layer.9", "1..4"], write("layers=4 layer.9.beta=1", "bad.conf"))
wrong(["sandwich"], "sandwich")
wrong(["layers 1001 is above 1000"], "pre:layers=1001")
wrong(["width 500 / heads 100 is 5"], "pre:width=500:heads=100:positions=rotary")
wrong(["--width", "4..4096"], "pre", "--width", "3")
wrong(["--seeds 1", "interval"], "pre", "--seeds", "1")
wrong(["--tokens", "0"], "pre", "--tokens", "0")
wrong(["no key 'x'"], "pre", "--set", "x=1")
wrong(["no key 'x'"], "pre:x=1")
empty = run("check", write("# nothing but defaults\n", "empty.conf"), "--seeds", "0")
expect(empty.returncode == 0, "an empty file is the defaults")
finish()
