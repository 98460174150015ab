#!/bin/sh
# Every claim holds on every placement, on a part of the grid of `make verify`; and models and claims that are
# wrong are found out: each mistake below, made in a copy of the tree, is exit status 1.
. "$(dirname "$0")/common.sh"
needs "${CC%% *}" sed
scratch
"$MAKE" -s BUILD="$BUILD" CC="$CC" LDFLAGS="$LDFLAGS" \
    VERIFY='--grid "L=1,6 d=64,257 rho=1,4" --weights 100000' verify >"$tmp/log" 2>&1 || {
    grep VIOLATED "$BUILD/verify/verify.txt" || tail -n 5 "$tmp/log"
    wrong "make verify fails"
}
tail -n 1 "$tmp/log"

unset MAKEFLAGS MFLAGS MAKEOVERRIDES MAKELEVEL
mkdir -p "$tmp/base/examples"
cp -R Makefile lnstab.pc.in include lib "$tmp/base"
cp -R examples/tool "$tmp/base/examples"

# NAME CLAIMS: lnstab verify on the tree with the mistake NAME violates one of CLAIMS.
is_found() {
    script=test/gates/mistakes/$1.sed
    [ -f "$script" ] || { wrong "no mistake $1"; return; }
    heading=$(sed -n '2s/^# *//p' "$script")
    for file in ${heading%:*}; do sed -E -f "$script" "$file" >"$tmp/base/$file"; done
    if (cd "$tmp/base" && "$MAKE" -s -j"$jobs" BLAS=builtin CC="$CC" LDFLAGS="$LDFLAGS" build/lnstab) >"$tmp/log" 2>&1; then
        status=0
        "$tmp/base/build/lnstab" verify --claims "$2" --grid 'placement=post,pre,peri L=2 d=32 rho=1' \
            --seeds 24 >"$tmp/log" || status=$?
        if [ "$status" != 1 ] || ! grep -q VIOLATED "$tmp/log"; then wrong "$1: exit status $status of $2"; fi
    else
        wrong "$1: $(grep -m 1 error "$tmp/log")"
    fi
    for file in ${heading%:*}; do cp "$file" "$tmp/base/$file"; done
}
is_found norm-out-ignored bound.state
is_found missing-residual lemma2
is_found bound-of-norm-res bound
is_found forward-without-beta forward.norm
is_found euler-without-eps scale.euler
exit $bad
