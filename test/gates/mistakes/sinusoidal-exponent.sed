# A sine and its cosine have different frequencies.
# lib/nn/position.c : unit/position
s|\(double\)\(j - j % 2\)|(double)j|
