# What eps leaves of u counts as k, not k^2.
# lib/analysis/norm_spectrum.c : unit/norm_spectrum
s/eps = row->k \* row->k \/ t/eps = row->k \/ t/
