/* Tells how to build another.
 * Build: cc 01_version.c $(pkg-config --cflags --libs lnstab)
 * Output:
 *   version 100
 *   the end, of 2
 */
#include <lnstab.h>
#include <stdio.h>

int main(void) {
    printf("version %d\n", (int)lnstab_version());
    printf("the end, of %d\n", 2);
    return 0;
}
