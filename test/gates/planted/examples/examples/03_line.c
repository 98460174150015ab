/* A line that is not printed.
 * Build: cc 03_line.c $(pkg-config --cflags --libs lnstab)
 * Output:
 *   version 100
 *   the end, of 2
 *   and 3
 */
#include <lnstab.h>
#include <stdio.h>

int main(void) {
    printf("version %d\n", (int)lnstab_version());
    printf("the end, of %d\n", 2);
    return 0;
}
