# gamma multiplies the columns of the Jacobian.
# lib/analysis/norm_rows.c : unit/norm_handle
s|gamma\[i\] \* j\.rstd|gamma[k] * j.rstd|
