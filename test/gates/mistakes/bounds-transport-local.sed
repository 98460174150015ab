# As a Lipschitz constant of the whole map, the columns of the weights at one point.
# lib/analysis/branch_bounds.c : unit/branch_bounds
s/where == LNSTAB__AT_THE_POINT \|\| is_fixed/where != LNSTAB__AT_THE_POINT || is_fixed || 1/
