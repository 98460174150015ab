# The panel that overwrites the gradient of keys does not see every column.
# lib/nn/panel.c : unit/attention
s|each - 1 - i % each|i % each|
