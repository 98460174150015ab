# Workers take the host's signals.
# lib/base/workers.c : unit/workers
s/^ *sigfillset\(&all\);/    pthread_sigmask(SIG_SETMASK, NULL, \&all);/
