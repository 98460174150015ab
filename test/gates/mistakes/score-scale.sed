# Scores are scaled by the square root of the width, not of the head width.
# lib/nn/attention.c : unit/attention
s|sqrt\(\(double\)f->head_dim\)|sqrt((double)(f->heads * f->head_dim))|
