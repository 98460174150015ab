# Every panel is masked as if it were the first.
# lib/nn/attention.c : unit/attention
s|\.first = p->first|.first = 0 * p->first|
