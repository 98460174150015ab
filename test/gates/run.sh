#!/bin/sh
# Runs gates:  test/gates/run.sh NAME...   (from the top of the tree, or `make check-fast`).
#
# A gate NAME is NAME.sh or NAME.py: run inside a tree, it prints what is wrong and
# exits non-zero.  Each is run on this tree and on its planted violations: the tree
# planted/common, which is clean, with planted/NAME (and planted/NAME-*) laid over it.
# There the gate has to fail and to print every line of the case's file `expect`.
# A case may bring a script `plant` that prepares the tree once it is laid out.
. "$(dirname "$0")/common.sh"
scratch

# Under make, its options reach the gates, but not its job slots.
MAKEFLAGS=$(echo " ${MAKEFLAGS:-}" | sed -E 's/ -j[0-9]*//g; s/ --jobserver-[a-z]+=[^ ]*//g; s/^ //')
GATE_DIR=$here
export GATE_DIR MAKEFLAGS BUILD CC LDFLAGS MAKE PYTHON CLANG_FORMAT

gate() { # NAME: the gate on the tree here
    if [ -f "$here/$1.py" ]; then "$PYTHON" "$here/$1.py"; else sh "$here/$1.sh"; fi
}

planted() { # NAME CASE: 0 if the gate catches the case
    tree=$tmp/$2
    cp -R "$here/planted/common" "$tree"
    cp Makefile lnstab.pc.in LICENSE .clang-format "$tree"
    cp -R "$here/planted/$2/." "$tree"
    (
        cd "$tree"
        unset MAKEFLAGS MFLAGS MAKEOVERRIDES MAKELEVEL
        BUILD=build
        if [ -f plant ]; then sh ./plant; fi
        if grep -q 'needs_libs' "$here/$1."*; then "$MAKE" -s -j"$jobs" BLAS=builtin CC="$CC" libs; fi
    ) >"$tmp/log" 2>&1 || { echo "planted/$2 cannot be prepared:"; cat "$tmp/log"; return 1; }
    if (cd "$tree" && unset MAKEFLAGS MFLAGS MAKEOVERRIDES MAKELEVEL && BUILD=build && gate "$1") \
        >"$tmp/log" 2>&1; then
        echo "planted/$2 was not caught"
        return 1
    fi
    while IFS= read -r line; do
        grep -qF -e "$line" "$tmp/log" && continue
        echo "planted/$2: the gate did not say: $line"
        echo "it said:"
        cat "$tmp/log"
        return 1
    done <"$here/planted/$2/expect"
    rm -rf "$tree"
}

passed=0 failed=''
for name in "$@"; do
    ok=yes cases=0
    gate "$name" || ok=no
    for case in "$here/planted/$name" "$here/planted/$name"-*; do
        [ -f "$case/expect" ] || continue
        cases=$((cases + 1))
        planted "$name" "$(basename "$case")" || ok=no
    done
    [ "$cases" -gt 0 ] || { echo "gate $name has no planted violation"; ok=no; }
    if [ $ok = yes ]; then
        echo "gate $name: ok (planted violation caught)"
        passed=$((passed + 1))
    else
        echo "gate $name: FAILED"
        failed="$failed $name"
    fi
done
[ -z "$failed" ] || { echo "failed gates:$failed" >&2; exit 1; }
