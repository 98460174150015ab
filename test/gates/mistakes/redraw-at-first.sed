# What the cut refuses is drawn again at the first place of its chunk.
# lib/nn/init.c : unit/init
s/lnstab__draw_normal\(stream, first \+ i, 1/lnstab__draw_normal(stream, first, 1/
