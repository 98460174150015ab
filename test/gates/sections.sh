#!/bin/sh
# No writable data and no start-up code: the shared library has as much of both as an empty one.
. "$(dirname "$0")/common.sh"
needs readelf
needs_libs
scratch

: >"$tmp/empty.c"
# shellcheck disable=SC2086
cc -shared -fPIC -g -x c "$tmp/empty.c" $LDFLAGS -o "$tmp/empty.so"

sizes() { # SHARED: name and size of the sections in question
    readelf -SW "$1" | sed 's/^ *\[ *[0-9]*\] *//' |
        awk '$1 ~ /^\.(data|bss|(pre)?init_array|fini_array|ctors|dtors|tdata|tbss|tm_clone_table)$/ { print $1, $5 }' |
        sort
}
sizes "$BUILD/liblnstab.so" >"$tmp/ours"
sizes "$tmp/empty.so" | comm -23 "$tmp/ours" - >"$tmp/more"
none_of "$tmp/more" "(section, hexadecimal size) of liblnstab.so, not so in an empty library"

readelf -SW "$BUILD/liblnstab.a" |
    awk '/^File: / { file = $2 }
         match($0, /\.(init_array|fini_array|ctors|dtors|preinit_array)[^ ]*/) {
             print file " " substr($0, RSTART, RLENGTH) }' | sort -u >"$tmp/startup"
none_of "$tmp/startup" "an object of liblnstab.a with start-up code"
exit $bad
