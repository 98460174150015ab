int lnstab__bad(double x, int m);

int lnstab__bad(double x, int m) {
    int n = x;
    int table[m];
    table[0] = n;
    return table[0];
}
