# The activation of a gated FFN is on W_3.
# lib/model/plan_sublayer.c : api/oracle
s|f->w_3 = linear\(p, k, w_3, d, d_ff\);|\n        f->w_3 = f->w_1;\n        f->w_1 = linear(p, k, w_3, d, d_ff);|
