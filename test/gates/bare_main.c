#include "lnstab.h"

int main(void) {
    int32_t made_for =
        LNSTAB_VERSION_MAJOR * 10000 + LNSTAB_VERSION_MINOR * 100 + LNSTAB_VERSION_PATCH;
    return lnstab_version() != made_for;
}
