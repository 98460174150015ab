# z is about the rounded mean.
# lib/math/norm_rows.inc.h : unit/norm_rows
s|load\(x\) - row->mean - row->rest|load(x) - row->mean|
