# A key of the FFN is set for attention.
# lib/model/scope.c : unit/scope
s/k % 2 \? LNSTAB__FFN : LNSTAB__ATTN/k % 2 ? LNSTAB__ATTN : LNSTAB__FFN/
