#!/bin/sh
# What is written about the build is so: make help lists every target, README's commands are
# targets, CHANGELOG's top section is this version.
. "$(dirname "$0")/common.sh"
scratch

"$MAKE" -rqp help 2>/dev/null | sed -n 's/^\.PHONY: *//p' | tr ' ' '\n' | grep . | sort -u >"$tmp/phony" || :
"$MAKE" -s help | awk '{ print $1 }' | sort -u >"$tmp/help"
[ -s "$tmp/phony" ] || wrong "no .PHONY target found"
comm -23 "$tmp/phony" "$tmp/help" >"$tmp/list"
none_of "$tmp/list" "a target that make help does not list"
comm -13 "$tmp/phony" "$tmp/help" >"$tmp/list"
none_of "$tmp/list" "in make help, not a target"

for command in 'make deps demo' 'make deps check'; do
    grep -qF "$command" README.md || wrong "README.md does not name: $command"
done
grep -hoE '(^|`|\$) *make( +[a-z][a-z-]*)+' README.md | sed 's/.*make//' | tr -s ' ' '\n' | grep . |
    sort -u | comm -23 - "$tmp/phony" >"$tmp/list" || :
none_of "$tmp/list" "README.md says make $(tr '\n' ' ' <"$tmp/list"), which is no target"

version=$(awk '$1 == "#define" && $2 ~ /^LNSTAB_VERSION_/ { printf "%s%s", dot, $3; dot = "." }' include/lnstab.h)
awk '/^## /' CHANGELOG.md | head -n 1 | grep -qF "$version" ||
    wrong "the top section of CHANGELOG.md is not $version, the header's version"
exit $bad
