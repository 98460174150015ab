# A row of RMSNorm with an infinity, whose 1/s is 0, is not counted.
# lib/analysis/norm_rows.c : api/norm
s| && isfinite\(j\.square\)||
