# The high word of a block's number is the first lane's.
# lib/math/philox.c : unit/philox
s/\(uint32_t\)\(\(block \+ \(uint64_t\)i\) >> 32\)/(uint32_t)(block >> 32)/
