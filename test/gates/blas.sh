#!/bin/sh
# The unit and api tests of one build under every BLAS that the machine has:
# each directory with a libblas.so.3 comes first by LD_LIBRARY_PATH, and every program has to
# have loaded its BLAS from there.  test/gates/blas.packages names those that have to be there.
# The built-in BLAS has a gate of its own.
#   blas.sh                     all
#   blas.sh --under DIRECTORY   what is built, with the BLAS of DIRECTORY
. "$(dirname "$0")/common.sh"
needs readelf
scratch

under() { # DIRECTORY PROGRAM: run it, and see which BLAS it loaded
    LD_LIBRARY_PATH=$1 LD_DEBUG=libs LD_DEBUG_OUTPUT=$tmp/loaded "$2" >"$tmp/log" 2>&1 ||
        { cat "$tmp/log"; wrong "$2 fails under $1"; }
    cat "$tmp"/loaded.* | grep -oE 'calling init: .*/lib(blas|openblas|blis)[^/]*$' |
        sed 's/.*: //' | sort -u >"$tmp/used"
    rm -f "$tmp"/loaded.*
    grep -qxF "$1/libblas.so.3" "$tmp/used" || wrong "$2 did not load $1/libblas.so.3"
    grep -vF "$1/" "$tmp/used" >"$tmp/others" || :
    none_of "$tmp/others" "loaded by $2 under $1"
}

if [ "${1:-}" = --under ]; then
    while read -r program; do
        under "$2" "$program"
    done <"$BUILD/programs"
    echo "blas: $(wc -l <"$BUILD/programs") programs ran under ${2##*/}"
    exit $bad
fi

BUILD=$BUILD/blas
"$MAKE" -s -j"$jobs" BLAS_CFLAGS= BLAS_LIBS=-lblas BUILD="$BUILD" libs tests 2>&1
for program in "$BUILD"/test/unit/* "$BUILD"/test/api/*; do
    case $program in *.[od] | *'*') ;; *) echo "$program" ;; esac
done >"$BUILD/programs"
[ -s "$BUILD/programs" ] || { echo "  there is no test program"; exit 1; }
readelf -d "$BUILD/liblnstab.so" | grep -qF '[libblas.so.3]' ||
    wrong "$BUILD/liblnstab.so does not need libblas.so.3"

find /usr/lib -mindepth 3 -maxdepth 3 -name libblas.so.3 | sed 's|/[^/]*$||' | sort >"$tmp/directories"
while read -r name package; do
    grep -q "/$name\$" "$tmp/directories" || wrong "no BLAS $name: $package is missing (make deps)"
done <test/gates/blas.packages

# Several run at once, so that none may wait for its threads by spinning.
export BUILD OMP_WAIT_POLICY=passive CK_TIMEOUT_MULTIPLIER=10
while read -r directory; do
    echo "$directory $tmp/${directory##*/}"
done <"$tmp/directories" >"$tmp/runs"
# shellcheck disable=SC2016
xargs -P "$jobs" -n 2 sh -c 'sh "$0" --under "$1" >"$2.log" 2>&1 || touch "$2.bad"' "$0" <"$tmp/runs"
while read -r directory run; do
    cat "$run.log"
    [ ! -f "$run.bad" ] || wrong "fails under $directory"
done <"$tmp/runs"
exit $bad
