/* The version of the library that runs.
 * Build: cc 01_version.c $(pkg-config --cflags --libs lnstab)
 * Output:
 *   100
 */
#include <lnstab.h>
#include <stdio.h>

int main(void) {
    printf("%d\n", (int)lnstab_version());
    return 0;
}
