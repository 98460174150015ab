#!/bin/sh
# The unit and api tests under the address, leak and undefined-behaviour sanitizers.  The built-in
# BLAS, because nobody sees into another one.
. "$(dirname "$0")/common.sh"
needs gcc
CK_FORK=no ASAN_OPTIONS=detect_leaks=1 UBSAN_OPTIONS=print_stacktrace=1 \
    "$MAKE" -s -j"$jobs" CC=gcc BLAS=builtin BUILD="$BUILD/sanitizers" \
    CFLAGS='-O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all' \
    check-programs 2>&1
