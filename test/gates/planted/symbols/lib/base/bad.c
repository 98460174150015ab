int helper(void);
int lnstab_inner(void);
__attribute__((visibility("default"))) int lnstab__shown(void);

int helper(void) {
    return 1;
}

int lnstab_inner(void) {
    return 2;
}

int lnstab__shown(void) {
    return 3;
}
