volatile int lnstab__calls = 1, lnstab__table[100];
_Thread_local int lnstab__last;

__attribute__((constructor)) static void start(void) {
    lnstab__calls++;
}
