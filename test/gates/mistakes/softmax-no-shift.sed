# The softmax does not subtract the largest score.
# lib/math/softmax_rows.inc.h : unit/softmax_rows
s|any \? largest : 0|0 * largest|
