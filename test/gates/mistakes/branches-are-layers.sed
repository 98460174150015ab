# 0.02/sqrt(L) instead of 0.02/sqrt(2L) at the end of a branch.
# lib/model/plan_sublayer.c : unit/plan_sublayer
s|\(2 \* spec->layers\) : 0|spec->layers : 0|
