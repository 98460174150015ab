# The causal mask hides a token from itself.
# lib/math/softmax_rows.inc.h : unit/softmax_rows
s/mask\.causal && row \+ 1 < columns \? row \+ 1/mask.causal \&\& row < columns ? row/
