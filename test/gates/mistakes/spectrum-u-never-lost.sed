# Without eps the direction of the row still counts.
# lib/analysis/norm_spectrum.c : unit/norm_spectrum
s/\(size_t\)lost/(size_t)(lost \& 0)/
