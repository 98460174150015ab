#!/bin/sh
# The library agrees with PyTorch: every state, loss, gradient and costate.
. "$(dirname "$0")/common.sh"
needs "$PYTHON"
"$PYTHON" -c 'import torch' 2>/dev/null || { echo "  python3-torch is missing: make deps"; exit 1; }
needs_libs
scratch

BUILD=$BUILD "$PYTHON" -B test/parity/check_torch.py -q >"$tmp/said" 2>&1 && exit 0
sed 's/^/  /' "$tmp/said"
exit 1
