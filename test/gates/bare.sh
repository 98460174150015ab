#!/bin/sh
# The library builds without its Makefile: one line, built-in BLAS.
. "$(dirname "$0")/common.sh"
needs gcc clang
scratch

for cc in gcc clang; do
    "$cc" -std=c11 -Iinclude -Ilib lib/*/*.c "$here/bare_main.c" -lm -lpthread -o "$tmp/bare" ||
        { wrong "$cc -std=c11 -Iinclude -Ilib lib/*/*.c: does not build"; continue; }
    "$tmp/bare" || wrong "$cc: the program does not run"
done
exit $bad
