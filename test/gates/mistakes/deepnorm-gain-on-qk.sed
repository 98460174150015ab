# DeepNorm shrinks W_Q and W_K as well.
# lib/model/placement.c : api/oracle
s|\.gain = \{ONE, DEEPNORM_GAIN|.gain = {DEEPNORM_GAIN, DEEPNORM_GAIN|
