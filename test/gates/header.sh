#!/bin/sh
# The header alone, twice, in four languages and two compilers; and only types every language can call.
. "$(dirname "$0")/common.sh"
needs gcc g++ clang clang++
scratch

printf '#include "lnstab.h"\n#include "lnstab.h"\n' >"$tmp/alone.h"
flags='-Wall -Wextra -Wpedantic -Werror -Iinclude -fsyntax-only'
for try in 'gcc c c99' 'gcc c c11' 'clang c c99' 'clang c c11' \
    'g++ c++ c++11' 'g++ c++ c++20' 'clang++ c++ c++11' 'clang++ c++ c++20'; do
    # shellcheck disable=SC2086
    set -- $try
    # shellcheck disable=SC2086
    "$1" -x "$2" -std="$3" $flags - <"$tmp/alone.h" >"$tmp/log" 2>&1 ||
        { cat "$tmp/log"; wrong "include/lnstab.h alone: $try"; }
done

# Without comments and without what it includes.
gcc -E -x c include/lnstab.h |
    awk '/^# [0-9]+ "/ { own = ($3 ~ /lnstab\.h"$/); next } own' >"$tmp/text"
forbid() { # PATTERN WHAT
    grep -nE -e "$1" "$tmp/text" | cut -d: -f2- >"$tmp/list" || :
    none_of "$tmp/list" "$2 in the public header"
}
forbid '\<(enum|union|bool|_Bool|long|short|FILE|va_list|inline|__int128)\>' 'a type of no fixed layout'
forbid '\.\.\.' 'variable arguments'
forbid '\<struct\>.*\{' 'a struct with a layout'
forbid ':' 'a bit-field'
forbid '^ *struct +[a-z_]+ *$' 'a struct with a layout'
exit $bad
