#!/bin/sh
# Every member of the product of options at one layer has the derivatives that differences give: about
# two million models, in quarters, some twenty minutes of one processor. `make check` has a covering part of them.
. "$(dirname "$0")/common.sh"
scratch

program=$BUILD/test/api/options
"$MAKE" -s "$program"
export OPTIONS_TEST=all program tmp
# shellcheck disable=SC2016
printf '%s\n' product-1 product-2 product-3 product-4 | xargs -P "$jobs" -n 1 sh -c \
    'CK_RUN_CASE=$0 "$program" >"$tmp/$0" 2>&1 || touch "$tmp/$0.bad"'
for said in "$tmp"/product-?; do
    [ ! -e "$said.bad" ] || wrong "$(cat "$said")"
    grep -q 'Checks: [1-9]' "$said" || wrong "no member of ${said##*/} was checked"
done
exit $bad
