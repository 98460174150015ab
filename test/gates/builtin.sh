#!/bin/sh
# The unit and api tests pass with the built-in BLAS.
. "$(dirname "$0")/common.sh"
"$MAKE" -s -j"$jobs" BLAS=builtin BUILD="$BUILD/builtin" check-programs 2>&1
