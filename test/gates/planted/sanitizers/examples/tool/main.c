int main(int argc, char **argv) {
    int shift = argv[0][0] == 0 ? 1 : 31 + argc;
    return (1 << shift) == 1;
}
