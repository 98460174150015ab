"""lnstab sensitivity: the table by sublayer, the singular values of the stack, and what is refused."""

import json
import math
import os
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "support"))
from program import expect, finish, rows, run  # noqa: E402

directory = tempfile.mkdtemp()
SMALL = ["--seeds", "2", "--set", "layers=3 width=16 heads=2 dtype=float64"]


def close(text, value, tolerance=1e-12):
    return text != "" and math.isclose(float(text), value, rel_tol=tolerance)


def numbers(*words, tokens="6"):
    done = run("sensitivity", *words, *SMALL, "--tokens", tokens, "--json", "-")
    expect(done.returncode == 0, done.stderr)
    return json.loads(done.stdout)


# What each seed says, by what the words mean.
for design in ("post", "pre", "peri:ffn.beta=0.5", "none"):
    told = numbers(design, "--values", "5", "--probes", "40")
    final = design in ("pre", "peri:ffn.beta=0.5")
    expect(len(told["seeds"]) == 2 and told["tokens"] == 6 and told["token"] == 0, f"{design}: sizes")
    for seed in told["seeds"]:
        expect(len(seed["local"]) == 6 + final, f"{design}: {len(seed['local'])} rows")
        product = 1
        for k, local in enumerate(seed["local"]):
            whole, frobenius = seed["whole"][k], seed["frobenius"][k]
            product *= local
            expect(close(seed["product"][k], product), f"{design}: product {k}")
            expect(close(seed["ratio"][k], product / whole), f"{design}: ratio {k}")
            expect(seed["ratio"][k] >= 1 - 1e-9, f"{design}: the norm of a product is above its bound")
            expect(close(seed["growth"][k], math.log(whole) / (min(k + 1, 6) / 2)), f"{design}: growth {k}")
            expect(whole < frobenius + 4 * seed["frobenius_error"][k] and
                   frobenius < math.sqrt(6 * 16) * whole, f"{design}: ||J||_F {frobenius}, ||J||_2 {whole}")
        expect(seed["local"][0] == seed["whole"][0], f"{design}: the first sublayer is the whole way to it")
        expect(close(seed["sigma"][0], seed["whole"][-1], 1e-9), f"{design}: the stack ends elsewhere")
        expect(len(seed["sigma"]) == 5 and seed["sigma"] == sorted(seed["sigma"], reverse=True), "sigma")
        expect(all(r <= 1e-10 * seed["sigma"][0] for r in seed["residual"]), "residuals")
        expect(seed["converged"] == 5 and seed["norms_not_converged"] == 0, "convergence")
        expect(5 < seed["iterations"] < 400, f"{seed['iterations']} iterations")
    expect(told["seeds"][0] != told["seeds"][1], f"{design}: two seeds are one")

# A token alone: the first of a causal stack sees itself only, the last one more; neither is the sequence.
whole = numbers("pre:causal=1")
first, last = numbers("pre:causal=1", "--token", "1"), numbers("pre:causal=1", "--token", "6")
for k in range(7):
    for seed in range(2):
        parts = [told["seeds"][seed]["whole"][k] for told in (first, last)]
        expect(max(parts) <= whole["seeds"][seed]["whole"][k] * (1 + 1e-9) and parts[0] != parts[1],
               f"token blocks {parts}")
alone = numbers("pre:causal=1", "--token", "1", tokens="1")
expect(first["token"] == 1 and last["token"] == 6 and alone["tokens"] == 1, "tokens")
for k in range(7):
    values = [[seed["whole"][k] for seed in told["seeds"]] for told in (first, alone)]
    expect(all(math.isclose(a, b, rel_tol=1e-9) for a, b in zip(*values)), f"the first token sees {values}")

# Tables, means over seeds, JSON and threads tell the same.
tables = os.path.join(directory, "tables")
words = ["peri", *SMALL, "--tokens", "6", "--values", "3"]
done = run("sensitivity", *words, "--tables", tables, "--json", os.path.join(directory, "s.json"),
           "--html", os.path.join(directory, "s.html"), "--figures", tables, "--threads", "1")
expect(done.returncode == 0 and "growth" in done.stdout and "norm_final" in done.stdout, done.stderr)
with open(os.path.join(directory, "s.json")) as file:
    text = file.read()
expect(run("sensitivity", *words, "--threads", "2", "--json", "-").stdout == text, "threads")
told = json.loads(text)
with open(os.path.join(tables, "sublayers.csv")) as file:
    table = rows(file.read())
expect([row["sublayer"] for row in table] == 3 * ["attn", "ffn"] + ["norm_final"], "rows")
for k, row in enumerate(table):
    for name in ("local", "product", "whole", "ratio", "frobenius", "frobenius_error", "growth"):
        expect(close(row[name], sum(seed[name][k] for seed in told["seeds"]) / 2), f"{name} of row {k}")
with open(os.path.join(tables, "singular_values.csv")) as file:
    table = rows(file.read())
for i, row in enumerate(table):
    expect(close(row["sigma"], sum(seed["sigma"][i] for seed in told["seeds"]) / 2), f"sigma {i}")
    expect(close(row["residual"], max(seed["residual"][i] / seed["sigma"][0] for seed in told["seeds"])) and
           row["converged"] == "2 of 2", f"residual {i}")
expect(len(table) == 3 and os.path.exists(os.path.join(tables, "norms_by_layer.svg")), "files")
expect("<svg" in open(os.path.join(directory, "s.html")).read(), "the page has no figure")
for form in ("markdown", "latex"):
    expect("Singular values" in run("sensitivity", *words, "--format", form).stdout, form)

# --width is of what is measured; --set counts over the design.
shrunk = numbers("post:width=32", "--width", "8")
expect(shrunk["width"] == 8, "--width")

# What is not finite is said, and is no violation.
done = run("sensitivity", "none:beta=1e300", *SMALL)
expect(done.returncode == 0 and "nan" in done.stdout and "0 of 2" in done.stdout, done.stdout + done.stderr)


def wrong(said, *words):
    failed = run("sensitivity", *words)
    expect(failed.returncode == 2 and failed.stdout == "" and failed.stderr.count("\n") == 1 and
           all(part in failed.stderr for part in said), f"{words}: {failed.returncode} {failed.stderr}")


wrong(["sensitivity wants a design"])
wrong(["nowhere"], "nowhere")
wrong(["peri:beta=x"], "peri:beta=x")
wrong(["--seeds 0 measures nothing"], "pre", "--seeds", "0")
wrong(["--seeds 1 gives no interval"], "pre", "--seeds", "1")
wrong(["--token", "33", "1..32"], "pre", "--token", "33")
wrong(["--values", "129", "1..128"], "pre", "--values", "129")
wrong(["--values 9 is above 8"], "pre", "--values", "9", "--token", "1", "--set", "width=8")
wrong(["--probes", "1", "2.."], "pre", "--probes", "1")
wrong(["layers 1001 is above 1000"], "pre", "--set", "layers=1001")
wrong(["heads 3 does not divide width 64"], "pre", "--set", "heads=3 width=64")
finish()
