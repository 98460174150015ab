"""One row of the CSV again, from the library's calls alone; formats; independence of threads."""

import ctypes
import json
import math
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "support"))
from program import PROGRAM, SMALL, expect, finish, rows, run  # noqa: E402

LAYERS, WIDTH, RHO, TOKENS, VOCAB, SEED = 2, 16, 2, 4, 10, 3
DOUBLE = "dtype=float64"
GRID = "placement=post,peri:beta=0.5 L=1,2 d=16 rho=2"

LIBRARY = os.path.join(os.path.dirname(PROGRAM), "liblnstab.so")


def loadable():
    """False for a build that python cannot load, as one with a sanitizer."""
    code = "import ctypes, sys; ctypes.CDLL(sys.argv[1])"
    return subprocess.run([sys.executable, "-c", code, LIBRARY], capture_output=True).returncode == 0


def load():
    library = ctypes.CDLL(LIBRARY)
    for name in ("model_tensor", "tensor_data", "tensor_grad"):
        getattr(library, "lnstab_" + name).restype = ctypes.c_void_p
    return library


lib = load() if loadable() else None


def close(a, b):
    return math.isclose(a, b, rel_tol=1e-7, abs_tol=1e-12)


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def call(name, *arguments):
    expect(getattr(lib, "lnstab_" + name)(*arguments) == 0, f"lnstab_{name} fails")


def values(model, name, count, grad=False):
    tensor = ctypes.c_void_p(lib.lnstab_model_tensor(model, name.encode()))
    get = lib.lnstab_tensor_grad if grad else lib.lnstab_tensor_data
    pointer = ctypes.cast(get(tensor), ctypes.POINTER(ctypes.c_double))
    return pointer[:count]


def in_rows(flat):
    size = len(flat) // TOKENS
    return [flat[i * size : (i + 1) * size] for i in range(TOKENS)]


def random(kind, stream, count):
    out = (ctypes.c_double * count)()
    call(f"random_{kind}", ctypes.c_uint64(SEED), ctypes.c_uint32(stream), ctypes.c_uint64(0),
         ctypes.c_size_t(count), out)
    return out


def build():
    config, model = ctypes.c_void_p(), ctypes.c_void_p()
    call("config_create", None, None, None, ctypes.byref(config))
    keys = (
        f"placement=peri beta=0.5 layers={LAYERS} width={WIDTH} ffn_width={RHO * WIDTH} heads=1 "
        f"bias=0 out_proj=0 gain_qk=0 eps=0 input=embedded init=xavier_normal causal=0 "
        f"head_init=lecun_normal vocab={VOCAB} max_tokens={TOKENS} keep_states=2 {DOUBLE}"
    )
    call("config_set", config, keys.encode())
    call("model_create", config, ctypes.byref(model))
    call("model_init", model, ctypes.c_uint64(SEED))
    return config, model


def run_model(model):
    x = random("normal", 1, TOKENS * WIDTH)
    targets = (ctypes.c_int32 * TOKENS)(*[int(VOCAB * u) for u in random("uniform", 3, TOKENS)])
    loss = ctypes.c_double()
    size = ctypes.c_int64(TOKENS)
    call("model_forward_embedded", model, ctypes.c_int64(1), size, x, None)
    call("model_loss", model, targets, ctypes.byref(loss), None)
    call("model_backward", model, None)
    return loss.value


def check_row(row):
    config, model = build()
    loss = run_model(model)
    last = f"layer.{LAYERS}.ffn."
    hidden = in_rows(values(model, last + "hidden", TOKENS * RHO * WIDTH))
    costate = in_rows(values(model, last + "branch", TOKENS * WIDTH, grad=True))
    state = in_rows(values(model, last + "out", TOKENS * WIDTH))
    g = in_rows(values(model, "output", TOKENS * WIDTH, grad=True))
    w_2 = values(model, last + "w_2", RHO * WIDTH * WIDTH, grad=True)
    norms = [TOKENS * math.sqrt(dot(v, v)) for v in g]
    ratios = [
        TOKENS * math.sqrt(dot(h, h) * dot(c, c)) / norm
        for h, c, norm in zip(hidden, costate, norms)
    ]
    squares = [dot(z, z) / WIDTH for z in state]
    wanted = {
        "loss": loss,
        "raw_norm": math.sqrt(dot(w_2, w_2)),
        "token_ratio": sum(ratios) / TOKENS,
        "gradient_max": max(norms),
        "gradient_mean_square": sum(n * n for n in norms) / TOKENS,
        "state_mean_square": sum(squares) / TOKENS,
        "state_min": min(squares),
        "state_max": max(squares),
    }
    for name, value in wanted.items():
        expect(close(float(row[name]), value), f"{name} is {row[name]}, not {value:.9g}")
    # dLoss/dW_2 is the sum over tokens of v_i^T h_i: its square is a sum over pairs of tokens.
    pairs = sum(
        dot(hidden[i], hidden[j]) * dot(costate[i], costate[j])
        for i in range(TOKENS)
        for j in range(TOKENS)
    )
    expect(close(math.sqrt(pairs), wanted["raw_norm"]), "the sum of rank-one terms is not W_2's")
    lib.lnstab_model_destroy(model)
    lib.lnstab_config_destroy(config)


common = ["--tokens", str(TOKENS), "--vocab", str(VOCAB), "--set", DOUBLE, "--csv", "-"]
table = rows(run("theorem1", "--grid", GRID, "--seeds", "3", "--seed", "1", *common).stdout)
expect(len(table) == 2 * 2 * 3, f"{len(table)} rows, not 12")
if lib is None:
    print("the library's own row is not checked: this build cannot be loaded (a sanitizer)")
else:
    check_row([r for r in table if r["placement"] == "peri" and r["L"] == "2"
               and r["seed"] == "3"][0])

# Weights are shared between placements and depths: alone, a cell must come out the same.
alone = rows(run("theorem1", "--grid", "placement=peri:beta=0.5 L=1 d=16 rho=2", "--seeds", "3",
                 *common).stdout)
together = [r for r in table if r["placement"] == "peri" and r["L"] == "1"]
expect(alone == together, "a cell alone differs from the same cell in a grid")

# DeepNorm's gains are a rule of the depth: its weights are its own, beside others as alone.
deep = ["theorem1", "--seeds", "2", *common, "--grid"]
beside = rows(run(*deep, "placement=post,deepnorm L=1,3 d=8 rho=1").stdout)
own = rows(run(*deep, "placement=deepnorm L=1 d=8 rho=1").stdout)
expect(own == [r for r in beside if r["placement"] == "deepnorm" and r["L"] == "1"],
       "deepnorm beside others differs from deepnorm alone")

# The same bytes for every number of threads: table, CSV and JSON.
with tempfile.TemporaryDirectory() as directory:
    outputs = []
    for threads in ("1", "3"):
        names = [os.path.join(directory, threads + end) for end in (".csv", ".json")]
        done = run("theorem1", "--grid", SMALL, "--seeds", "16", "--threads", threads,
                   "--csv", names[0], "--json", names[1])
        expect(done.returncode == 0 and done.stderr == "", f"status {done.returncode} {done.stderr}")
        outputs.append([done.stdout] + [open(name).read() for name in names])
    expect(outputs[0] == outputs[1], "the output depends on the number of threads")

report, _, text = outputs[0]
summary = json.loads(text)
expect(len(summary["cells"]) == 16, "16 cells in the JSON")
long = [line for line in report.splitlines() if len(line) > 110]
expect(not long, f"a line of the table is too long: {long[:1]}")
for word in ("Verdicts", "rank one", "Theorem 1, bound", "gap", "undecided"):
    expect(word in report, f"the report does not say {word}")
expect(all(v["verdict"] and not v["violated"] for v in summary["verdicts"]), "a claim is violated")

progress = run("theorem1", "--grid", "L=1 d=8 rho=1", "--seeds", "2", "--json", "-", "--progress")
expect(json.loads(progress.stdout)["setting"]["seeds"] == 2, "JSON on standard output")

text_run = run("theorem1", "--grid", "L=1 d=16 rho=1", "--seeds", "3", "--text", os.path.abspath(__file__))
expect(text_run.returncode == 0, "--text: " + text_run.stderr)
expect("Repetition" in text_run.stdout, "--text does not tell the repetition")

odd = run("theorem1", "--grid", "placement=none,deepnorm,mix,custom:norm_in=1 L=1,2 d=16 rho=0.5",
          "--seeds", "3", "--tokens", "1", "--set", "norm=rms")
expect(odd.returncode == 0, "other placements: " + odd.stderr)
finish()
