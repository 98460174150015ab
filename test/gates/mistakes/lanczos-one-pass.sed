# Vectors are orthogonalised once.
# lib/math/lanczos.c : unit/lanczos
s|if \(pass > 0 && after|if (after|;s|0\.5 \* before|0.0 * before|
