/* Expects nothing.
 * Build: cc 08_empty.c $(pkg-config --cflags --libs lnstab)
 * Output:
 */
#include <lnstab.h>
#include <stdio.h>

int main(void) {
    printf("version %d\n", (int)lnstab_version());
    printf("the end, of %d\n", 2);
    return 0;
}
