#!/bin/sh
# Every member of the product of options at one layer has the derivatives that differences give: about
# two million models, some twenty minutes of one processor. `make check` has a covering part of them.
. "$(dirname "$0")/common.sh"
scratch

program=$BUILD/test/api/options
"$MAKE" -s "$program"
OPTIONS_TEST=all CK_RUN_CASE=product "$program" >"$tmp/product" 2>&1 || wrong "$(cat "$tmp/product")"
grep -q 'Checks: [1-9]' "$tmp/product" || wrong "no member of the product was checked"
exit $bad
