#!/bin/sh
# Every member of the product of options at one layer has the derivatives that differences give: about
# two million models, a part for each processor, some twenty minutes of one. `make check` has a covering share.
. "$(dirname "$0")/common.sh"
scratch

program=$BUILD/test/api/options
"$MAKE" -s "$program"
export program tmp jobs
# shellcheck disable=SC2016
seq "$jobs" | xargs -P "$jobs" -n 1 sh -c \
    'OPTIONS_TEST=$0/$jobs CK_RUN_CASE=product "$program" >"$tmp/part.$0" 2>&1 || touch "$tmp/bad.$0"'
for part in $(seq "$jobs"); do
    [ ! -e "$tmp/bad.$part" ] || wrong "$(cat "$tmp/part.$part")"
    grep -q 'Checks: [1-9]' "$tmp/part.$part" || wrong "no member of the product was checked"
done
exit $bad
