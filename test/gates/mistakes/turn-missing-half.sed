# The angle of a word is at its beginning, not in its middle.
# lib/math/box_muller.h : unit/box_muller
s/0x20000000\) \+ 0\.5\)/0x20000000) + 0.0)/
