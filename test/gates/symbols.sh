#!/bin/sh
# Every external name starts with lnstab_ (the map's) or lnstab__ (the others, only in the archive).
. "$(dirname "$0")/common.sh"
needs nm
needs_libs
scratch

mapped >"$tmp/mapped"
nm -g --defined-only "$BUILD/liblnstab.a" | awk 'NF == 3 { print $3 }' | sort -u >"$tmp/archive"
[ -s "$tmp/archive" ] || wrong "the archive defines nothing"

grep -v '^lnstab_' "$tmp/archive" >"$tmp/foreign" || :
none_of "$tmp/foreign" "an external name of liblnstab.a without the prefix lnstab_"
comm -23 "$tmp/archive" "$tmp/mapped" | grep '^lnstab_[^_]' >"$tmp/inner" || :
none_of "$tmp/inner" "external in liblnstab.a, not in lib/lnstab.map: call it lnstab__..."
exported | grep -v '^lnstab_[^_]' >"$tmp/leaked" || :
none_of "$tmp/leaked" "exported by liblnstab.so, but not a public name"
exit $bad
