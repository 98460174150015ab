#!/bin/sh
# The header declares, the map lists and the shared library exports the same functions.
. "$(dirname "$0")/common.sh"
needs nm "${CC%% *}"
needs_libs
scratch

declared >"$tmp/header"
mapped >"$tmp/map"
exported >"$tmp/library"
[ -s "$tmp/header" ] || wrong "include/lnstab.h declares no function"
comm -23 "$tmp/header" "$tmp/map" >"$tmp/list"
none_of "$tmp/list" "declared in include/lnstab.h, not in lib/lnstab.map"
comm -13 "$tmp/header" "$tmp/map" >"$tmp/list"
none_of "$tmp/list" "in lib/lnstab.map, not declared in include/lnstab.h"
comm -23 "$tmp/map" "$tmp/library" >"$tmp/list"
none_of "$tmp/list" "in lib/lnstab.map, not exported by liblnstab.so"
comm -13 "$tmp/map" "$tmp/library" >"$tmp/list"
none_of "$tmp/list" "exported by liblnstab.so, not in lib/lnstab.map"
exit $bad
