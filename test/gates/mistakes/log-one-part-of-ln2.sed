# log 2 has the bits of its first part only.
# lib/math/box_muller.h : unit/box_muller
s/e \* 0x1\.ef35793c76730p-45/0.0/
