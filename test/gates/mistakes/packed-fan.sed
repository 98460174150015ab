# W_Q, W_K and W_V start by the fan of one packed matrix.
# lib/model/plan_sublayer.c : unit/plan_sublayer
s|\(size_t\)\*in, \(size_t\)\*out, branches|(size_t)*in, (size_t)*out * (m.kind >= LNSTAB__KIND_W_Q \&\& m.kind <= LNSTAB__KIND_W_V ? 3 : 1), branches|
