# The causal mask lets a token see the next one.
# lib/math/softmax_rows.inc.h : unit/softmax_rows
s/mask\.first \+ row \+ 1 < columns \? mask\.first \+ row \+ 1/mask.first + row + 2 < columns ? mask.first + row + 2/
