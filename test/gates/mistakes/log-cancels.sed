# The logarithm of u near 1 is 1 - ..., less 1.
# lib/math/box_muller.h : unit/box_muller
s/const double s = f \/ \(2\.0 \+ f\), slope = (.*);/const double s = f \/ (2.0 + f), slope = 1.0 + \1 - 1.0;/
