# Sourced by the gates.
# shellcheck shell=sh disable=SC2034
set -eu
here=$(cd "$(dirname "$0")" && pwd)
: "${BUILD:=build}" "${CC:=cc}" "${LDFLAGS:=}" "${MAKE:=make}" "${PYTHON:=/usr/bin/python3}"
: "${CLANG_FORMAT:=clang-format}" "${GXX:=g++}"
LC_ALL=C
export LC_ALL
jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)

cc() { # CC may be several words
    # shellcheck disable=SC2086
    command $CC "$@"
}

scratch() { # a directory $tmp that goes away at the end
    tmp=$(mktemp -d "${TMPDIR:-/tmp}/lnstab.XXXXXX")
    trap 'rm -rf "$tmp"' EXIT
    trap 'exit 1' HUP INT TERM
}

bad=0
wrong() { # MESSAGE: what is wrong; go on
    echo "  $*"
    bad=1
}
none_of() { # FILE MESSAGE: every line of FILE is a fault
    while IFS= read -r line; do wrong "$line: $2"; done <"$1"
}

needs() { # TOOL...: a gate without its tool fails
    for need in "$@"; do
        command -v "$need" >/dev/null || { echo "  $need is missing: make deps"; exit 1; }
    done
}
needs_libs() { # the gate reads the built libraries
    for need in "$BUILD/liblnstab.a" "$BUILD/liblnstab.so"; do
        [ -f "$need" ] || { echo "  $need is missing: make"; exit 1; }
    done
}

# Sorted lists of names: declared in the header, in the map, exported by the library.
declared() {
    cc -E -P -x c include/lnstab.h | tr '\n' ' ' | tr ';' '\n' | grep -v '^ *typedef' |
        grep -oE 'lnstab_[a-z0-9_]+ *\(' | tr -d '( ' | sort -u
}
mapped() {
    sed -E 's|/\*.*\*/||' lib/lnstab.map | grep -oE '\<lnstab_[a-z0-9_]+ *;' | tr -d '; ' | sort -u
}
exported() { # everything but the names of the version nodes
    nm -D --defined-only "$BUILD/liblnstab.so" | awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' |
        sort -u
}
