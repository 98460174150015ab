# The gradient of a shared key and value head is that of the last head of its group.
# lib/nn/panel.c : unit/attention
s|p->starts_group \? 0\.0 : 1\.0|0.0|
