#!/bin/sh
# The unit and api tests, the examples and the program under the address, leak and
# undefined-behaviour sanitizers.  The built-in BLAS, because nobody sees into another one.
. "$(dirname "$0")/common.sh"
needs gcc
scratch
BUILD=$BUILD/sanitizers
export CK_FORK=no ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1 UBSAN_OPTIONS=print_stacktrace=1
"$MAKE" -s -j"$jobs" CC=gcc BLAS=builtin BUILD="$BUILD" \
    CFLAGS='-O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all' \
    all check-programs 2>&1 || bad=1

run() { # PROGRAM [ARGUMENT...]
    "$@" >"$tmp/log" 2>&1 || { tail -n 40 "$tmp/log"; wrong "$*: fails"; }
}
for example in "$BUILD"/examples/[0-9]*; do
    case $example in *.o | *.d | *'*') ;; *) run "$example" ;; esac
done
run "$BUILD/lnstab" placements
run "$BUILD/lnstab" describe --set layers=2
run "$BUILD/lnstab" theorem1 --seeds 2 --threads 2 --grid 'placement=post,pre,peri L=1,2 d=16 rho=1'
run "$BUILD/lnstab" theorem1 --seeds 2 --grid 'placement=post L=2 d=16 rho=1' --text LICENSE
for seeds in 2 3 3; do
    run "$BUILD/lnstab" theorem1 --paper --grid d=8 --seeds $seeds --resume "$tmp/checkpoint"
done
printf 'layers=3 width=48 heads=3\ncausal=1 # twin\nffn.beta = 0.5\n' >"$tmp/design.conf"
run "$BUILD/lnstab" check "$tmp/design.conf" --width 32 --seeds 2 --json "$tmp/json" --html "$tmp/html"
run "$BUILD/lnstab" check peri --seeds 0 --format markdown
run "$BUILD/lnstab" compare "$tmp/design.conf" post pre:beta=0.5 --seeds 2 --set width=48 \
    --tables "$tmp/tables" --figures "$tmp/figures" --format latex
run "$BUILD/lnstab" sensitivity "$tmp/design.conf" --width 16 --seeds 2 --tokens 5 --json "$tmp/json" --html "$tmp/html"
run "$BUILD/lnstab" verify --grid 'placement=post,peri L=2 d=16 rho=1' --seeds 2 --tokens 3 --threads 2 \
    --csv "$tmp/csv" --json "$tmp/json" --html "$tmp/html" --tables "$tmp/tables"
exit $bad
