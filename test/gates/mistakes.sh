#!/bin/sh
# Mistakes that the tests have to notice.  test/gates/mistakes/NAME.sed is one, as a sed -E script:
#     # What it does, in one line.
#     # FILE... : TEST...
# Each is made in a copy of the tree, where a unit or api test has to fail: the TESTs are tried
# first, then all others.  Any test that notices one has to pass without it.
#   mistakes.sh                 all of them
#   mistakes.sh --one NAME      one, in copies of the tree $WORK/base
. "$(dirname "$0")/common.sh"
needs "${CC%% *}" sed
unset MAKEFLAGS MFLAGS MAKEOVERRIDES MAKELEVEL

build() { # TARGET...
    "$MAKE" -s -j"${SLOTS:-1}" BUILD=build BLAS=builtin CC="$CC" CFLAGS=-O1 LDFLAGS="$LDFLAGS" "$@" >log 2>&1
}
tests() { # unit/NAME and api/NAME, the slow ones last
    for test in test/unit/*_test.c test/api/*_test.c; do
        test=${test#test/}
        case $test in *'*'*) ;; api/cases* | api/gradient* | api/meanfield* | api/options*) late="${late:-} ${test%_test.c}" ;; *) echo "${test%_test.c}" ;; esac
    done
    # shellcheck disable=SC2086
    if [ -n "${late:-}" ]; then printf '%s\n' $late; fi
}
fails() { # TEST: in the tree here; what it said is in the file said
    ! CK_FORK=no timeout 300 "build/test/$1" >said 2>&1
}

one() { # NAME: says what noticed it, or what is wrong
    script=$WORK/base/test/gates/mistakes/$1.sed
    heading=$(sed -n '2s/^# *//p' "$script")
    cp -Rp "$WORK/base" "$WORK/$1"
    cd "$WORK/$1"
    for file in ${heading%:*}; do
        sed -E -f "$script" "$WORK/base/$file" >changed
        ! cmp -s changed "$WORK/base/$file" || { echo "  $1: does not apply to $file"; return; }
        cat changed >"$file"
    done
    for test in ${heading#*:} $(tests); do
        build "build/test/$test" || { grep -m 3 error log; echo "  $1: does not compile"; return; }
        fails "$test" || continue
        echo "$test" >>"$WORK/noticed"
        echo "$1: $test$(grep -m 1 -oE ':[FE]:[^:]*:[^:]*' said | sed 's/.*:/ /')"
        cd "$WORK"
        rm -rf "${WORK:?}/$1"
        return
    done
    echo "  $1: survives every test: $(sed -n '1s/^# *//p' "$script")"
}

if [ "${1:-}" = --one ]; then
    one "$2"
    exit 0
fi

scratch
WORK=$tmp
export WORK BUILD CC LDFLAGS MAKE
ls test/gates/mistakes/*.sed >"$tmp/scripts" 2>/dev/null || { echo "  there is no mistake"; exit 1; }
mkdir "$tmp/base"
cp -R Makefile lnstab.pc.in include lib test "$tmp/base"
gates=$(cd "$(dirname "$0")" && pwd)
cd "$tmp/base"
# Objects only: a program is linked where it is needed, and copies are small.
for source in test/unit/*_test.c test/api/*_test.c test/support/*.c; do
    if [ -f "$source" ]; then echo "build/${source%.c}.o"; fi
done >"$tmp/objects"
# shellcheck disable=SC2046
SLOTS=$jobs build libs $(cat "$tmp/objects") || { cat log; echo "  the tests do not build"; exit 1; }
: >"$tmp/noticed"
# shellcheck disable=SC2016
sed 's|.*/||; s|\.sed$||' "$tmp/scripts" |
    xargs -P "$jobs" -n 1 sh -c 'sh "$0/mistakes.sh" --one "$1" >"$WORK/$1.result" 2>&1' "$gates" || bad=1
cat "$tmp"/*.result
if grep -q '^ ' "$tmp"/*.result; then bad=1; fi
sort -u "$tmp/noticed" >"$tmp/needed"
while read -r test; do
    if ! build "build/test/$test" || fails "$test"; then
        cat log said
        wrong "$test fails without any mistake"
    fi
done <"$tmp/needed"
exit $bad
