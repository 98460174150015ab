# The caller does not wait for the parts of others.
# lib/base/workers.c : unit/workers
s/^    await\(w, &w->finished, .*//
