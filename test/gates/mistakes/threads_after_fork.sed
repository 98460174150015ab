# A child after fork waits for the parent's workers.
# lib/base/workers.c : unit/workers api/threads
s/return w && w->owner == getpid\(\);/return w != NULL;/
