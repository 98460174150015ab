#ifndef LNSTAB_TEST_ALLOCATOR_H
#define LNSTAB_TEST_ALLOCATOR_H

#include <stddef.h>

/* An allocator that counts, and that can be told to give nothing from some call on. */
struct counting {
    int taken, given;    /* calls of alloc that gave something, of release */
    int left;            /* how many more alloc may give; negative: any number */
    size_t last_size;    /* of the last alloc */
    int misaligned_asks; /* asks whose align is no power of two */
};

void *counting_alloc(void *counting, size_t size, size_t align);
void counting_release(void *counting, void *p);

#endif
