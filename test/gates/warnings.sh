#!/bin/sh
# Library, programs and tests with two compilers and both BLAS back ends: no warning.
. "$(dirname "$0")/common.sh"
needs gcc clang
for cc in gcc clang; do
    for blas in auto builtin; do
        "$MAKE" -s -j"$jobs" CC=$cc BLAS=$blas WERROR=-Werror BUILD="$BUILD/warnings-$cc-$blas" all tests 2>&1 ||
            wrong "$cc with BLAS=$blas"
    done
done
exit $bad
