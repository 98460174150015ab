# Odd quarters of a turn keep the sine in the sine's place.
# lib/math/box_muller.h : unit/box_muller unit/philox
s/& \(0 - odd\)/\& (0 * odd)/
