#include <lnstab.h>

int main(void) {
    return lnstab_version() != 100;
}
