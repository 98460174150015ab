# A parameter is shared whatever its size and type.
# lib/model/plan.c : api/sharing
s/is_alike\(p, t, axes\) \? t->held\.data : NULL/(is_alike(p, t, axes), t->held.data)/
