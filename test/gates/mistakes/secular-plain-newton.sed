# The poles are not taken out of the function before a Newton step.
# lib/math/secular.c : unit/secular
s/ \+ f\.value \* \(1 \/ above_left - 1 \/ below_right\)//
