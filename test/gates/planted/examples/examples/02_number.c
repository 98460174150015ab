/* A number that is off by two per cent.
 * Build: cc 02_number.c $(pkg-config --cflags --libs lnstab)
 * Output:
 *   version 102
 *   the end, of 2
 */
#include <lnstab.h>
#include <stdio.h>

int main(void) {
    printf("version %d\n", (int)lnstab_version());
    printf("the end, of %d\n", 2);
    return 0;
}
