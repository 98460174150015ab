#!/bin/sh
# The library's ABI against the last release's, test/abi/RELEASE.abi.
#   abi.sh           compares; after 1.0 nothing may change or go, before it, and for an addition
#                    always, the top section of CHANGELOG.md has to name the function
#   abi.sh --write   writes RELEASE.abi (make release)
. "$(dirname "$0")/common.sh"
needs abidw abidiff nm gcc
scratch
release=test/abi/RELEASE.abi

# One compiler and one format on both sides (of clang's DWARF 5, abidw 2.2 loses where a type is from).
BUILD=$BUILD/abi
"$MAKE" -s -j"$jobs" CC=gcc CFLAGS='-O2 -gdwarf-4' BLAS=builtin BUILD="$BUILD" libs 2>&1

abidw --no-corpus-path --no-comp-dir-path --no-show-locs --no-elf-needed --drop-private-types \
    --headers-dir include --suppressions "$here/abi.exported" "$BUILD/liblnstab.so" >"$tmp/new.abi"

# A dump without debug information has no functions and compares clean: count them.
described=$(grep -c ' elf-symbol-id=' "$tmp/new.abi" || :)
names=$(exported | wc -l)
[ "$described" -eq "$names" ] ||
    wrong "the dump describes $described of $names exported functions (a build without -g?)"
grep -E '<(class|union)-decl' "$tmp/new.abi" | grep -vE "size-in-bits='0'|is-declaration-only='yes'|name='__va_list_tag'" |
    grep -oE " name='[^']*'" >"$tmp/sized" || :
none_of "$tmp/sized" "a type with a layout in the ABI"
[ $bad = 0 ] || exit 1

if [ "${1:-}" = --write ]; then
    mkdir -p "$(dirname $release)"
    cp "$tmp/new.abi" $release
    echo "$release: $names functions"
    exit 0
fi
[ -f $release ] || { echo "  no $release yet (make release): nothing to compare with"; exit 0; }

status=0
abidiff --no-architecture $release "$tmp/new.abi" >"$tmp/diff" 2>&1 || status=$?
[ $status = 0 ] && exit 0
cat "$tmp/diff"
[ $((status & 3)) = 0 ] || { wrong "abidiff failed: status $status"; exit 1; }
major=$(awk '$1 == "#define" && $2 == "LNSTAB_VERSION_MAJOR" { print $3 }' include/lnstab.h)
if [ $((status & 8)) != 0 ] && [ "$major" -gt 0 ]; then wrong "an incompatible change"; fi

awk '/^## / { n++ } n == 1' CHANGELOG.md >"$tmp/changes"
grep -E '^ *\[[ACD]\]' "$tmp/diff" | grep -oE 'lnstab_[a-z0-9_]+ *(\(|\}|@)|\{lnstab_[a-z0-9_]+' |
    grep -oE 'lnstab_[a-z0-9_]+' | sort -u >"$tmp/changed" || :
[ -s "$tmp/changed" ] || wrong "a change of the ABI that names no function"
while IFS= read -r name; do
    grep -qE "\<$name\>" "$tmp/changes" ||
        wrong "$name: its ABI changed, and the top section of CHANGELOG.md does not say so"
done <"$tmp/changed"
exit $bad
