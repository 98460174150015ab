# Every sequence uses the keep mask of the first.
# lib/nn/attention.c : unit/attention
s|run->keep \+ p->batch \* run->tokens|run->keep + 0 * p->batch|
