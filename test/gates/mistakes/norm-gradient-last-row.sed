# The last row is missing in the gradients of gamma and bias.
# lib/math/norm_rows.inc.h : unit/norm_rows
s/if \(dgamma \|\| dbias\)/if ((dgamma || dbias) \&\& i + 1 < rows)/
