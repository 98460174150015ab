# Rotary frequencies fall half as fast.
# lib/nn/rotary.c : unit/rotary
s|-2\.0 \* \(double\)i|-1.0 * (double)i|
