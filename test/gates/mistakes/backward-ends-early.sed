# Backward stops at the end of the layer whose input it should reach.
# lib/model/passes.c : unit/passes
s/\(int\)\(2 \* \(layer - 1\)\)/(int)(2 * layer)/
