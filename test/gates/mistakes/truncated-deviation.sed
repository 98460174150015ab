# The truncated normal distribution has 0.88 of its standard deviation.
# lib/nn/init.c : unit/init
s|init->value / sqrt\(TRUNCATED_VARIANCE\)|init->value|
