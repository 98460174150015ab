#!/bin/sh
# The values of the header's constants are pinned in test/gates/constants.expected: programs hold
# them compiled in, and an ABI dump does not see them.  The version numbers are the docs gate's.
. "$(dirname "$0")/common.sh"
needs "${CC%% *}"
scratch

cc -dM -E -x c include/lnstab.h | awk '$2 ~ /^LNSTAB_/ { print $2 }' |
    grep -vxE 'LNSTAB_(H|API|VERSION_(MAJOR|MINOR|PATCH))' | sort >"$tmp/names"
grep '(' "$tmp/names" >"$tmp/calls" || :
none_of "$tmp/calls" "a macro with arguments in the header"
[ $bad = 0 ] || exit 1
{
    printf '#include "lnstab.h"\n#include <stdio.h>\nint main(void)\n{\n'
    sed 's/.*/    printf("%s %d\\n", "&", _Generic((&), int32_t: (&)));/' "$tmp/names"
    printf '    return 0;\n}\n'
} >"$tmp/show.c"
cc -std=c11 -Iinclude "$tmp/show.c" -o "$tmp/show" 2>"$tmp/log" ||
    { cat "$tmp/log"; echo "  a constant is not an int32_t"; exit 1; }
"$tmp/show" | sort >"$tmp/values"
sort test/gates/constants.expected >"$tmp/pinned"
comm -23 "$tmp/values" "$tmp/pinned" >"$tmp/list"
none_of "$tmp/list" "in the header, not so in constants.expected"
comm -13 "$tmp/values" "$tmp/pinned" >"$tmp/list"
none_of "$tmp/list" "in constants.expected, not so in the header"
exit $bad
