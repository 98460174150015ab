# A token has n others.
# lib/analysis/costate.c : unit/costate
s|square \* \(n - 1\.0\) \* alike|square * n * alike|
