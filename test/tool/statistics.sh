#!/bin/sh
# The program's statistics against published values, in a C program of their own.
set -eu
cd "$(dirname "$0")/../.."
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
# CC may hold options.
# shellcheck disable=SC2086
${CC:-cc} -std=c11 -Wall -Wextra -o "$tmp/statistics" test/tool/statistics_test.c \
    examples/tool/statistics.c -lm
"$tmp/statistics"
