# A squared gradient is multiplied by alpha^4.
# lib/analysis/meanfield.c : unit/costate
s|m\.kept = alpha2 /|m.kept = alpha2 * alpha2 /|
