# Every part adds its columns to the first entries of the bias's gradient.
# lib/nn/linear.c : api/threads
/add_doubles/s|p->bias, span.first|p->bias, 0|
