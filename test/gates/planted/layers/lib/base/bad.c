#include "math/sum.h"

#include <stdio.h>
#include <stdlib.h>

/* A comment may say malloc() and printf(). */
void *lnstab__bad(double x);

void *lnstab__bad(double x) {
    if (getenv("LNSTAB") == NULL)
        fprintf(stderr, "malloc(%g)\n", x);
    if (x < 0)
        abort();
    return malloc(1);
}
