#define _POSIX_C_SOURCE 200809L

#include "blas_threads.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef void set_int(int threads);
typedef void set_i64(int64_t threads); /* BLIS's dim_t */

void blas_threads_one(void) {
    static const char *const names[] = {"openblas_set_num_threads", "flexiblas_set_num_threads",
                                        "MKL_Set_Num_Threads"};
    set_int *with_int;
    set_i64 *with_i64;
    void *process = dlopen(NULL, RTLD_NOW), *symbol;
    if (!process)
        return;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if ((symbol = dlsym(process, names[i]))) {
            memcpy(&with_int, &symbol, sizeof with_int);
            with_int(1);
        }
    if ((symbol = dlsym(process, "bli_thread_set_num_threads"))) {
        memcpy(&with_i64, &symbol, sizeof with_i64);
        with_i64(1);
    }
    dlclose(process);
}
