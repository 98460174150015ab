"""A placement beside others has the rows that it has alone, whatever keys are attached to it, and so has a depth."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "support"))
from program import expect, finish, rows, run  # noqa: E402

# Keys that change shapes, distributions, dtypes, or which parameters there are.
ATTACHED = ["gated=1", "out_proj=1", "positions=learned", "heads=2", "heads=2:kv_heads=1",
            "dtype=float64", "gain_v=2", "gain_v=-1", "gain_w2=0.5*l^1", "init=xavier_uniform",
            "init=bert", "head_init=gpt2", "bias=1", "qk_norm=head:eps=1e-5",
            "heads=2:qk_norm=head", "norm=rms", "embed_norm=1"]
WITH_TEXT = ["embed_init=bert", "gain_embed=5", "gain_embed=-1", "positions=learned"]
# A deeper model goes on from where a shallower one ended, but for those whose layers tell of the depth, or are told
# apart by it.
DEPTHS = ["post", "pre", "peri:beta=0.1", "none:embed_norm=1", "deepnorm", "ln-scaling", "mix", "pre:dtype=float64",
          "pre:beta=1*L^-0.5", "pre:init=gpt2", "peri:layer.1.ffn.beta=0.5", "peri:layer.L.attn.beta=0.3",
          "post:layer.L.ffn.gain_w2=0", "pre:positions=learned"]
SIZES = " d=16 rho=2"


def sweep(placements, extra, depths="1,3"):
    done = run("theorem1", "--grid", "placement=" + placements + SIZES + " L=" + depths, "--seeds", "2", "--tokens",
               "6", "--csv", "-", "--threads", "2", *extra)
    expect(done.returncode == 0, f"{placements}: {done.stderr}")
    return rows(done.stdout)


def of(table, name, attached=""):
    return [r for r in table if r["placement"] == name
            and r["assignments"] == attached.replace(":", " ")]


def check(attached, extra, plain):
    words = "pre:" + attached
    alone = sweep(words, extra)
    expect(len(alone) == 4 and of(alone, "pre", attached) == alone, f"{words}: not its own rows")
    for order in ("post," + words, words + ",post"):
        both = sweep(order, extra)
        expect(of(both, "pre", attached) == alone, f"{order}: {words} differs from {words} alone")
        expect(of(both, "post") == plain, f"{order}: post differs from post alone")


for keys, extra in ((ATTACHED, []), (WITH_TEXT, ["--text", os.path.abspath(__file__)])):
    plain = sweep("post", extra)
    for attached in keys:
        check(attached, extra, plain)

# All of them at once, and a mix that is one of its two kinds: its rows are that kind's.
crowd = sweep("post," + ",".join("pre:" + a for a in ATTACHED[:8]), [])
for attached in ATTACHED[:8]:
    expect(of(crowd, "pre", attached) == sweep("pre:" + attached, []), f"{attached} in a crowd")
mixed = sweep("pre,mix:mix_fraction=0", [])
for one, other in zip(of(mixed, "pre"), of(mixed, "mix", "mix_fraction=0")):
    one["placement"], one["assignments"] = other["placement"], other["assignments"]
    expect(one == other, "mix with mix_fraction=0 is not pre")
for words in DEPTHS:
    alone = [row for depth in "1346" for row in sweep(words, [], depth)]
    key = lambda row: (row["seed"], int(row["L"]))
    for order in ("1,3,4,6", "4,1,6,3"):
        expect(sorted(sweep(words, [], order), key=key) == sorted(alone, key=key),
               f"{words}: depths {order} differ from each alone")
finish()
