# A transposed matrix is read as it is stored.
# lib/analysis/weight_norm.c : unit/weight_norm
s|b = scaled\(m, transpose\(right\)\)|b = ((void)transpose, scaled(m, right))|
