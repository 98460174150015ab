# The norm of the states counts an array once for each of its names.
# lib/analysis/health.c : unit/health
s|array && !is_repeated\(m, i, set\)|array \&\& (!is_repeated(m, i, set) \|\| 1)|
