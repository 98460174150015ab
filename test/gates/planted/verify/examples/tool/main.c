#include <stdio.h>

int main(void) {
    puts("  post  VIOLATED, 1 of 2");
    puts("1 claims, 1 placements, 2 comparisons: 1 violated");
    return 1;
}
