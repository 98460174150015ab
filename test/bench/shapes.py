"""The models that are timed, in the words of each program that times them."""
import dataclasses


@dataclasses.dataclass(frozen=True)
class Shape:
    name: str
    placement: str  # post, or pre: causal, GELU and a tied head too
    vocab: int
    batch: int
    tokens: int
    layers: int
    width: int
    heads: int
    ffn: int
    recompute: str = "none"

    def is_decoder(self):
        return self.placement == "pre"

    def floor_words(self):
        """Of floor.c."""
        return (f"{self.batch} {self.tokens} {self.layers} {self.width} {self.heads} {self.ffn} {self.vocab} "
                f"{int(self.is_decoder())}")

    def keys(self):
        """Of model_bench.c."""
        decoder = " causal=1 activation=gelu head=tied" if self.is_decoder() else ""
        return (f"{self.batch} {self.tokens} placement={self.placement} layers={self.layers} width={self.width} "
                f"heads={self.heads} ffn_width={self.ffn} vocab={self.vocab} recompute={self.recompute}{decoder}")


S1 = Shape("S1", "post", 1000, 8, 64, 6, 512, 8, 2048)
S2 = Shape("S2", "post", 1000, 32, 16, 6, 64, 4, 256)
S3 = Shape("S3", "pre", 50257, 4, 64, 12, 768, 12, 3072)
S4 = dataclasses.replace(S3, name="S4", batch=1, tokens=1024, recompute="nonlinear")
XL = Shape("XL", "pre", 50257, 1, 1024, 48, 1600, 25, 6400)
TINY = Shape("tiny", "post", 100, 1, 4, 2, 16, 1, 64)
