# Rules count layers from 0.
# lib/model/placement.c : unit/placement
s|power\(l, r\.layer_power\);|power(l - 1, r.layer_power);|
