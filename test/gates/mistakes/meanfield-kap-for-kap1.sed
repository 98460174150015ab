# ReLU lets two tokens' gradients through as it does their sizes: kap in place of its derivative.
# lib/analysis/costate.c : unit/costate
s|2\.0 \* lnstab__meanfield_kap1\(lnstab__meanfield_cosine\(m->f_in\)\)|2.0 * lnstab__meanfield_kap(lnstab__meanfield_cosine(m->f_in))|
