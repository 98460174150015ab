# A soft cap, and b_K drops out of softmax all the same.
# lib/analysis/attention_bounds.c : unit/attention_bounds api/lipschitz_attained
s/out\.query = f->soft_cap > 0 \?/out.query = f->soft_cap < 0 ?/
