# A double becomes a number of 16 bits by dropping digits.
# lib/math/narrow.inc.h : unit/narrow
s|return \(x \+ .* >> shift;|return x >> shift;|
