#!/bin/sh
# What the shared library takes from others is in imports.allow, each name with its reason.
. "$(dirname "$0")/common.sh"
needs nm
needs_libs
scratch

grep -vE '^(#|$)' "$here/imports.allow" >"$tmp/list"
awk 'NF < 2' "$tmp/list" >"$tmp/bare"
none_of "$tmp/bare" "in imports.allow without a reason"
awk '{ print $1 }' "$tmp/list" | sort -u >"$tmp/allowed"
nm -D --undefined-only "$BUILD/liblnstab.so" | awk '{ sub(/@.*/, "", $2); print $2 }' | sort -u |
    comm -23 - "$tmp/allowed" >"$tmp/others"
none_of "$tmp/others" "imported by liblnstab.so, not in imports.allow"
exit $bad
