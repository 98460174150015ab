# Workers spin for ever.
# lib/base/workers.c : unit/workers
s/i < w->patience/i <= w->patience + i/
