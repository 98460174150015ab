"""The claims that the oracle knows: a function for both sides of each."""

PLAIN, CERTIFIED, LANCZOS = 'plain', 'certified', 'lanczos'
STATES = 'states'
CLAIMS = {}


class Claim:
    """place: the argument that the caller gives, or None.

    stated, measured: how exactly the library has each side; CERTIFIED is an
    upper bound close to the value, LANCZOS an iteration,
    STATES has the rounding of the states of a float32 model taken off.
    """

    def __init__(self, place, kind, relation, stated, measured, sides):
        self.place, self.kind, self.relation = place, kind, relation
        self.stated, self.measured, self.sides = stated, measured, sides


def claim(name, place, kind, relation, stated=PLAIN, measured=PLAIN):
    def known(sides):
        CLAIMS[name] = Claim(place, kind, relation, stated, measured, sides)
        return sides
    return known


def alias(name, place, kind, relation, sides):
    """A claim of a family that one function evaluates."""
    CLAIMS[name] = Claim(place, kind, relation, PLAIN, PLAIN, sides)
