/* Half of 2^-1060 is a number, before and after the library is loaded. */
#include <dlfcn.h>
#include <stdio.h>

static int alive(void) {
    volatile double x = 0x1p-1060, half = 0.5;
    volatile float y = 0x1p-140f, halff = 0.5f;
    return x * half != 0 && y * halff != 0;
}

int main(int argc, char **argv) {
    if (argc != 2 || !alive()) {
        puts("  subnormals are flushed already");
        return 1;
    }
    if (!dlopen(argv[1], RTLD_NOW)) {
        printf("  %s\n", dlerror());
        return 1;
    }
    if (!alive()) {
        puts("  loading the library flushes subnormals to zero");
        return 1;
    }
    return 0;
}
