#!/bin/sh
# The scripts are as shellcheck wants them.
. "$(dirname "$0")/common.sh"
needs shellcheck
set --
for f in .ci/run test/*/*.sh; do
    if [ -f "$f" ]; then set -- "$@" "$f"; fi
done
shellcheck -x -P SCRIPTDIR -e SC1091 "$@"
