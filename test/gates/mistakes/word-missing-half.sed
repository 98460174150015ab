# The number of a word is its beginning: 0 is drawn, and its log is not finite.
# lib/math/box_muller.h : unit/box_muller unit/philox
s/\(0x1p31 \+ 0\.5\)/0x1p31/
