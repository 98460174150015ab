# Sums of the rows of all workers but the caller are lost.
# lib/nn/split.c : unit/split api/threads
s/for \(size_t part = 1; part < parts; \+\+part\)/for (size_t part = parts; part < parts; ++part)/
