# The backward pass takes the soft cap for the identity.
# lib/nn/attention.c : unit/attention
/^static void through_cap/,/^}/s|f->soft_cap > 0|f->soft_cap < 0|
