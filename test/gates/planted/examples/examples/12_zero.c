/* A zero that is none.
 * Build: cc 12_zero.c $(pkg-config --cflags --libs lnstab)
 * Output:
 *   rest -0.0000
 *   rest 0.0000
 */
#include <lnstab.h>
#include <stdio.h>

int main(void) {
    printf("rest %.4f\n", 0.0);
    printf("rest %.4f\n", 0.0001 * lnstab_version() / 100);
    return 0;
}
