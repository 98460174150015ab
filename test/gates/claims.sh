#!/bin/sh
# Both sides of every claim agree with an evaluation from the statements.
. "$(dirname "$0")/common.sh"
needs "$PYTHON"
"$PYTHON" -c 'import numpy' 2>/dev/null || { echo "  python3-numpy is missing: make deps"; exit 1; }
needs_libs
scratch

BUILD=$BUILD "$PYTHON" -B test/parity/check_claims.py -q >"$tmp/said" 2>&1 && exit 0
sed 's/^/  /' "$tmp/said"
exit 1
