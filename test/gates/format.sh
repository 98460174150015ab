#!/bin/sh
# The C sources are as clang-format writes them (make format).
. "$(dirname "$0")/common.sh"
needs "$CLANG_FORMAT"
"$MAKE" -s format-check 2>&1
