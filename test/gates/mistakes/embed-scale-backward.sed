# The backward pass forgets the scale of the embedding.
# lib/nn/embedding.c : unit/embedding
/^void lnstab__embedding_backward/,/^}/s|e->scale|1.0|
