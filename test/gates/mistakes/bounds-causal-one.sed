# Columns of causal attention sum to at most 1.
# lib/analysis/attention_bounds.c : unit/attention_bounds api/lipschitz_attained
s/return sqrt\(most\)/return most < 1.0 ? sqrt(most) : 1.0/
