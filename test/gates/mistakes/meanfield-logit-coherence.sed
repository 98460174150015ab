# The coherence of the gradients does not know the cosine of the states.
# lib/analysis/head.c : unit/head
s|expm1\(s \* cosine\)|expm1(s)|
