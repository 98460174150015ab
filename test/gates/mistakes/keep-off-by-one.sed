# The keep mask of a token is read at the one before.
# lib/math/softmax_rows.inc.h : unit/softmax_rows
s/\|\| mask\.keep\[column \+ lane\]/|| mask.keep[column + lane > 0 ? column + lane - 1 : 0]/
