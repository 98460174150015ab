# The causal mask lets a token see the next one.
# lib/math/softmax_rows.inc.h : unit/softmax_rows
s/mask\.causal && row \+ 1 < columns \? row \+ 1/mask.causal \&\& row + 2 < columns ? row + 2/
