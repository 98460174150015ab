#!/bin/sh
# The library agrees with ONNX's published vectors of LayerNormalization and softmax
# cross-entropy; test/gates/onnx.minimum says how many there have to be.
. "$(dirname "$0")/common.sh"
needs "$PYTHON"
needs_libs
[ -d /usr/share/libonnx-testdata ] || { echo "  libonnx-testdata is missing: make deps"; exit 1; }
"$PYTHON" -B "$here/../parity/onnx_vectors.py" "$BUILD/liblnstab.so" test/gates/onnx.minimum 2>&1
