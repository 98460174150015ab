# The causal mask hides a token from itself.
# lib/math/softmax_rows.inc.h : unit/softmax_rows
s/mask\.first \+ row \+ 1 < columns \? mask\.first \+ row \+ 1/mask.first + row < columns ? mask.first + row/
