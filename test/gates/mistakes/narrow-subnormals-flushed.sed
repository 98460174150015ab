# Subnormal numbers of 16 bits are flushed when stored.
# lib/math/narrow.inc.h : unit/narrow
s|below > narrow_digits \+ 1|below > 0|
