# The backward pass of the norms leaves out z mean(t z).
# lib/math/norm_rows.inc.h : unit/norm_rows
s|lanes_sum\(along\) / d|0 * lanes_sum(along)|
