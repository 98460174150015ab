#include "lnstab.h"

#include <stdio.h>

int main(void) {
    printf("%d\n", (int)lnstab_version());
    return 0;
}
