# Rows that fill no group are left out.
# lib/math/lanes.inc.h : unit/norm_rows
s/\? rows : first \+ ROWS_AT_ONCE/? first : first + ROWS_AT_ONCE/
