#!/bin/sh
# The parts of a report by themselves, in a C program of their own.
set -eu
cd "$(dirname "$0")/../.."
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
tool=examples/tool
# CC may hold options.
# shellcheck disable=SC2086
${CC:-cc} -std=c11 -Wall -Wextra -o "$tmp/parts" test/tool/parts_test.c $tool/pool.c $tool/table.c \
    $tool/table_csv.c $tool/fields.c $tool/escape.c $tool/utf8.c $tool/figure.c $tool/figure_axis.c \
    $tool/figure_layout.c -lm
"$tmp/parts"
