# The keep mask hides what it should show.
# lib/math/softmax_rows.inc.h : unit/softmax_rows
s/\|\| mask\.keep\[column \+ lane\]/|| !mask.keep[column + lane]/
