# Entries of u are not counted from that at the nearest pole.
# lib/analysis/norm_spectrum.c : unit/norm_spectrum
s/row->x\[nearest\(r, t\)\]/row->x[0]/
