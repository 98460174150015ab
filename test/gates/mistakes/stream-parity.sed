# The backward pass takes its arrays in turn, whatever the gradient is in.
# lib/model/passes.c : unit/passes
/^static const void \*stream_backward/,/^}/s|other_than\(m, d\)|m->work.stream[k % 2]|
