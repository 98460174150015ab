#ifndef LNSTAB_BASE_MEMORY_H
#define LNSTAB_BASE_MEMORY_H

#include <stddef.h>

void *lnstab__alloc(size_t size);
void lnstab__free(void *p);

#endif
