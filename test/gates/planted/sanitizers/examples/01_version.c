int main(int argc, char **argv) {
    volatile int table[2] = {1, 2};
    return argv[0][0] == 0 ? 0 : table[1 + argc] == 3;
}
