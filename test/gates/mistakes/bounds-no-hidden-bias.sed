# The FFN's bound without b_1.
# lib/analysis/branch_bounds.c : unit/branch_bounds api/bounds_attained
s/w_1 \* r \+ bias_norm\(s, &f->w_1\)/w_1 * r/
