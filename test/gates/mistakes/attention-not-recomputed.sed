# Weights that are not kept are not made anew.
# lib/nn/attention.c : api/recompute
s|if \(!f->weights_are_kept\)|if (0)|
