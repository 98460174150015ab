"""What a document says is printed, beside what is: words alike, numbers within one per cent or 1e-6
(the last digits belong to the BLAS), blanks of no account."""
import re

# A sign belongs to a number unless something stands before it, as in a-1 and in 2+-1.
TOKEN = re.compile(r"(?:(?<![\w)+])[-+])?(?:\d+(?:\.\d+)?|(?<![\d.])\.\d+)(?:[eE][-+]?\d+)?|[A-Za-z_]+|\S")
NONE = "no such line"


def number(token):
    try:
        return float(token)
    except ValueError:
        return None


def numbers(text):
    return [token for token in TOKEN.findall(text) if number(token) is not None]


def close(said, real):
    if said == real:
        return True
    s, r = number(said), number(real)
    return s is not None and r is not None and abs(s - r) <= max(0.01 * abs(s), 1e-6)


def alike(said, real):
    s, r = TOKEN.findall(said), TOKEN.findall(real)
    return len(s) == len(r) and all(map(close, s, r))


def differences(said, real):
    """Each line of one text that the other does not have in its place; a line "..." of what is said
    stands for the lines, or none, up to the first one that is as the next."""
    real, at, left_out = real.splitlines(), 0, False
    for line in said.splitlines():
        if line.strip() == "...":
            left_out = True
            continue
        if left_out:
            at = next((i for i in range(at, len(real)) if alike(line, real[i])), len(real))
        found = real[at] if at < len(real) else NONE
        if not alike(line, found):
            yield f"says: {line.strip()}; prints: {found.strip()}"
        at, left_out = at + 1, False
    if not left_out:
        yield from (f"says: {NONE}; prints: {line.strip()}" for line in real[at:])
