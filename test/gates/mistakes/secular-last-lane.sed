# What is left over when the lanes are full is not summed.
# lib/math/secular.c : unit/secular
s/for \(; i < n; \+\+i\)/for (; i + LANES < n; ++i)/
