#!/bin/sh
# Loading the library leaves the host's subnormal numbers alone, in C and in Python.
. "$(dirname "$0")/common.sh"
needs "${CC%% *}" "$PYTHON"
needs_libs
scratch

library=$(cd "$BUILD" && pwd)/liblnstab.so
cc -std=c11 "$here/subnormals_main.c" -ldl -o "$tmp/host"
"$tmp/host" "$library" || wrong "a C host"
"$PYTHON" - "$library" <<'PY' || wrong "a Python host"
import ctypes, sys
x = 2.0 ** -1060
assert x * 0.5 != 0, "subnormals are flushed already"
ctypes.CDLL(sys.argv[1])
if x * 0.5 == 0:
    sys.exit("  loading the library flushes subnormals to zero")
PY
exit $bad
