# Backward and jvp may go below the state that forward went on from, by a sublayer.
# lib/api/stream.c : api/forward_from
s/m->batch\.start <= position/m->batch.start <= position + 1/
