/* What -ffast-math links into a shared library. */
__attribute__((constructor)) static void flush(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | 0x8040);
#elif defined(__aarch64__)
    unsigned long mode;
    __asm__ volatile("mrs %0, fpcr" : "=r"(mode));
    __asm__ volatile("msr fpcr, %0" ::"r"(mode | 1ul << 24));
#endif
}
