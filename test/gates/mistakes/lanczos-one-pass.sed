# Vectors are orthogonalised once.
# lib/math/basis.c : unit/basis
s|if \(pass > 0 && after|if (after|;s|0\.5 \* before|0.0 * before|
