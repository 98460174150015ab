# The local s is that of the first token, not the smallest.
# lib/analysis/norm_facts.c : unit/norm_facts
/double lnstab__norm_largest_rstd/,/^}/s/i < s->rows/i < 1/
