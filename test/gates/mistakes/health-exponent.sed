# Rescaling a sum of squares does not keep the unit and its inverse in range.
# lib/analysis/health.c : unit/health
s|exponent < -1020 \? -1020 : exponent > 1020 \? 1020 : exponent|exponent|
