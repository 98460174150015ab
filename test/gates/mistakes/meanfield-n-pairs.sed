# Attention's costates count a token among its own others.
# lib/analysis/costate.c : unit/costate
s|all \* \(1\.0 - 1\.0 / n\)|all|
