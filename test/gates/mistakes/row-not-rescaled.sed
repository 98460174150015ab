# Rows whose squares overflow or vanish are not measured again.
# lib/math/norm_rows.inc.h : unit/norm_rows
s/square > 1e290 \|\| square < 1e-280/0 \&\& square > 0/
