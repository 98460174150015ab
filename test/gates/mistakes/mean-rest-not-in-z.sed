# z is about the rounded mean.
# lib/math/norm_rows.inc.h : unit/norm_rows
/^lanes_inline lanes normalised_lanes/,/^}/s|row->mean, row->rest|row->mean, 0 * row->rest|
