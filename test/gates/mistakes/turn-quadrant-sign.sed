# The cosine has the sign of the half turn, not of the quadrant.
# lib/math/box_muller.h : unit/box_muller unit/philox
s/\(odd \^ half\) << 63/half << 63/
