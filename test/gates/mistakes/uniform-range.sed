# The uniform distribution reaches to a, not to a sqrt 3.
# lib/nn/init.c : unit/init
s|2\.0 \* sqrt\(3\.0\) \* init|2.0 * init|
