# Lanczos vectors have room for one token.
# lib/model/layout.c : unit/layout
s|\(size_t\)\(spec->max_batch \* spec->max_tokens\) \* width;|width;|
