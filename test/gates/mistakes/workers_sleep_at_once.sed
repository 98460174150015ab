# Workers have no patience.
# lib/base/workers.c : unit/workers
s/i < w->patience/w->patience < i/
