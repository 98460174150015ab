# Rules count layers from 0.
# lib/model/placement.c : unit/placement
s|pow\(\(double\)l, r\.layer_power\)|pow((double)(l - 1), r.layer_power)|
