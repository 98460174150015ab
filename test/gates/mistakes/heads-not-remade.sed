# What attention gave is not made anew from the weights.
# lib/nn/attention.c : api/recompute
s|run->record \&\& f->output_is_remade|0|
