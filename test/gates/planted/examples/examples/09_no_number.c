/* Expects no number.
 * Build: cc 09_no_number.c $(pkg-config --cflags --libs lnstab)
 * Output:
 *   version
 */
#include <lnstab.h>
#include <stdio.h>

int main(void) {
    printf("version %d\n", (int)lnstab_version());
    printf("the end, of %d\n", 2);
    return 0;
}
