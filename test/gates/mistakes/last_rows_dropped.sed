# The last row of a span that is one longer than others is left out.
# lib/nn/split.c : unit/split api/threads
s/first \+ each \+ \(part < more \? 1 : 0\)/first + each/
