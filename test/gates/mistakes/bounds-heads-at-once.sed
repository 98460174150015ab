# What heads add to W_O is taken as if each had columns of its own.
# lib/analysis/branch_bounds.c : unit/branch_bounds api/bounds_attained
s/w_o\.weight\.data \? all \+ one : hypot/w_o.weight.data ? hypot(all, one) : hypot/
