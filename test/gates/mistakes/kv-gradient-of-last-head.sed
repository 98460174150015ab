# The gradient of a shared key and value head is that of the last head of its group.
# lib/nn/attention.c : unit/attention
s|h\.first_of_group \? 0\.0 : 1\.0|0.0|
