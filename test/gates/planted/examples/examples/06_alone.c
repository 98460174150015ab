/* Does not stand alone.
 * Build: cc 06_alone.c $(pkg-config --cflags --libs lnstab)
 * Output:
 *   version 100
 *   the end, of 2
 */
#include "tool/beside.h"
#include <stdio.h>

int main(void) {
    printf("version %d\n", (int)lnstab_version());
    printf("the end, of %d\n", 2);
    return 0;
}
