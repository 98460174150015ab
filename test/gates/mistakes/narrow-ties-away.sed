# What lies in the middle of two numbers of 16 bits is rounded away from 0.
# lib/math/narrow.inc.h : unit/narrow
s| - 1 \+ \(x >> shift & 1\)||
