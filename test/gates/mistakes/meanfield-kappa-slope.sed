# A gradient on its way into the branch is not multiplied by kappa.
# lib/analysis/meanfield.c : unit/costate
s|m\.entered = kappa2 /|m.entered = 1.0 /|
