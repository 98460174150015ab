# Rotary positions, and b_K drops out of softmax all the same.
# lib/analysis/attention_bounds.c : unit/attention_bounds api/lipschitz_attained
s/out\.query = w_q \* part_norm.*/out.query = 0;/
