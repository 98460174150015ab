# The bound on ||x|| forgets what the branch adds.
# lib/analysis/stream_bounds.c : api/bounds_claims
s|alpha \* before\.norm \+ beta \* step\.norm|alpha * before.norm|
